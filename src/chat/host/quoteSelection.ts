import * as vscode from "vscode";
import { fenceText } from "../../shared/fenceText.ts";
import { showWarning } from "../../shared/host/notifications.ts";

/** In characters. */
const maxSelectionLength = 50_000;

/**
 * The selection of the active editor as a question's code block, after which the user writes; undefined if it is empty
 * or too long.
 */
export function quoteSelection(): string | undefined {
  const { document, selection } = vscode.window.activeTextEditor ?? {};
  const text = document?.getText(selection) ?? "";
  if (!document || selection?.isEmpty !== false || text.trim() === "") return undefined;
  if (text.length > maxSelectionLength) {
    const limit = maxSelectionLength.toLocaleString(vscode.env.language);
    void showWarning(
      vscode.l10n.t(
        "The selection is too long for a question. Select at most {0} characters.",
        limit,
      ),
    );
    return undefined;
  }
  return `${fenceText(text, document.languageId)}\n\n`;
}
