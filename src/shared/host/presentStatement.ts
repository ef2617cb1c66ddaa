import * as vscode from "vscode";
import { sqlLanguage } from "../../ids.ts";
import { formatStatement } from "../statementText.ts";
import { readInEditor } from "./consent.ts";

/**
 * The statement as the next dialog shows it. One that is too long opens in an editor first, where the user reads it and
 * continues; undefined if they do not.
 */
export async function presentStatement(text: string): Promise<string | undefined> {
  const shown = formatStatement(text);
  if (shown !== undefined) return shown;
  const texts = {
    name: "statement.sql",
    tooLong: vscode.l10n.t("This statement is too long for a dialog. Read it in an editor first."),
    show: vscode.l10n.t("Show Statement"),
    isRead: vscode.l10n.t("Run the statement shown in the editor?"),
  };
  if (!(await readInEditor(text, texts, sqlLanguage))) return undefined;
  return vscode.l10n.t("The statement is shown in the editor.");
}
