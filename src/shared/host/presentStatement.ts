import * as vscode from "vscode";
import { escapeInvisible, formatStatement } from "../statementText.ts";
import { showWarning } from "./notifications.ts";

/**
 * The statement as the next dialog shows it. One that is too long opens in an editor first, where the user reads it and
 * continues; undefined if they do not.
 */
export async function presentStatement(text: string): Promise<string | undefined> {
  const shown = formatStatement(text);
  if (shown !== undefined) return shown;
  const show = vscode.l10n.t("Show Statement");
  const tooLong = vscode.l10n.t(
    "This statement is too long for a dialog. Read it in an editor first.",
  );
  if ((await showWarning(tooLong, { modal: true }, show)) !== show) return undefined;
  const lines = text.split("\n").map((line) => escapeInvisible(line));
  const document = await vscode.workspace.openTextDocument({
    language: "sql",
    content: lines.join("\n"),
  });
  await vscode.window.showTextDocument(document, { preview: false });
  const next = vscode.l10n.t("Continue");
  // Not modal, so that the editor can be read.
  const question = vscode.l10n.t("Have you read the whole statement?");
  if ((await showWarning(question, next)) !== next) return undefined;
  return vscode.l10n.t("The statement is the one in the editor.");
}
