import type * as vscode from "vscode";
import { notebooks } from "../../ids.ts";
import { isObject, tryParseJson } from "../../mindsdb/json.ts";
import type { ResultHeader, ResultItem } from "../messages.ts";

/** The result item of an output; undefined for other outputs. Copied cells have lost the metadata of their outputs. */
function readResultItem({ items }: vscode.NotebookCellOutput): ResultItem | undefined {
  const result = items.find(({ mime }) => mime === notebooks.mime);
  const item = result && tryParseJson(new TextDecoder().decode(result.data));
  // A cell that was copied from elsewhere can have anything in its outputs.
  return isObject(item) ? (item as unknown as ResultItem) : undefined;
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
