import * as vscode from "vscode";
import { AppError } from "../../mindsdb/errors.ts";
import { showWarning } from "../../shared/host/notifications.ts";
import type { ToHost, ToPage } from "../messages.ts";
import { ClipboardText } from "../result/clipboardText.ts";
import type { RowOrder } from "../result/rowTable.ts";
import type { ResultTable } from "../result/resultTable.ts";
import { EventLoopYielder } from "../../mindsdb/yieldToEventLoop.ts";

/** Values that are read at a time. */
const maxPieceValues = 5_000;

/**
 * Copies the selected rows to the clipboard. Reads them in pieces, because there may be a million. Returns the message for
 * the page; undefined if the user was shown why nothing was copied.
 */
export async function copyRows(
  table: ResultTable,
  order: RowOrder,
  { runId, rows, columns, format }: Extract<ToHost, { type: "copy" }>,
): Promise<Extract<ToPage, { type: "copied" }> | undefined> {
  const text = new ClipboardText(table.columns.slice(columns.from, columns.to), format);
  if (rows.to - rows.from > 1 || columns.to - columns.from > 1) text.addHeader();
  const piece = Math.max(1, Math.floor(maxPieceValues / Math.max(1, table.columns.length)));
  const yielder = new EventLoopYielder();
  try {
    for (let from = rows.from; from < rows.to; from += piece) {
      const values = await table.values(from, Math.min(piece, rows.to - from), order);
      if (values.length === 0) break;
      text.add(values.map((row) => row.slice(columns.from, columns.to)));
      await yielder.yieldIfDue();
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    void showWarning(error.message);
    return undefined;
  }
  await vscode.env.clipboard.writeText(text.text);
  return { type: "copied", runId, count: rows.to - rows.from };
}
