import type * as vscode from "vscode";
import { notebooks } from "../../ids.ts";
import type { ResultHeader, ResultItem } from "../messages.ts";

/** The result item of an output; undefined for other outputs. Copied cells have lost the metadata of their outputs. */
function readResultItem({ items }: vscode.NotebookCellOutput): ResultItem | undefined {
  const result = items.find(({ mime }) => mime === notebooks.mime);
  return result && (JSON.parse(new TextDecoder().decode(result.data)) as ResultItem);
}

/** The header that an output holds; undefined for other outputs. */
export function readResultHeader(output: vscode.NotebookCellOutput): ResultHeader | undefined {
  const item = readResultItem(output);
  return item && "runId" in item ? item : undefined;
}

/** The key of the stored result that an output stands for; undefined for other outputs. */
export function readStoredKey(output: vscode.NotebookCellOutput): string | undefined {
  const item = readResultItem(output);
  return item && "storedFor" in item ? item.storedFor : undefined;
}

/** Whether an output has rows that were not refused. */
export function hasPrediction(output: vscode.NotebookCellOutput): boolean {
  const { count = 0, refused = 0 } = readResultHeader(output) ?? {};
  return count > refused;
}
