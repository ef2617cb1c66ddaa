import * as vscode from "vscode";
import { showWarning } from "../../shared/host/notifications.ts";
import { withAbortSignal } from "../../shared/host/withAbortSignal.ts";
import type { Span } from "../notebook/recipe.ts";
import { toRange } from "./cellText.ts";

/** Formats SQL files and the SQL cells of notebooks. */
export const sqlFormatter: vscode.DocumentFormattingEditProvider &
  vscode.DocumentRangeFormattingEditProvider = {
  provideDocumentFormattingEdits: (document, options, token) => format(document, options, token),
  provideDocumentRangeFormattingEdits: (document, range, options, token) =>
    format(document, options, token, {
      start: document.offsetAt(range.start),
      end: document.offsetAt(range.end),
    }),
};

async function format(
  document: vscode.TextDocument,
  options: vscode.FormattingOptions,
  token: vscode.CancellationToken,
  place?: Span,
): Promise<vscode.TextEdit[]> {
  const { formatSql } = await import("../sqlFormat/formatSql.ts");
  const { changes, refused } = await withAbortSignal(token, (signal) =>
    formatSql(document.getText(), options, { signal, ...(place && { place }) }),
  );
  if (refused > 0) {
    void showWarning(
      vscode.l10n.t(
        "Statements that could not be formatted: {0}. They are too long, or more than whitespace would change.",
        refused,
      ),
    );
  }
  return changes.map(({ text, ...span }) => vscode.TextEdit.replace(toRange(document, span), text));
}
