// The result in a cell's outputs: its header, or the key under which a stored result is found.
import type * as vscode from "vscode";
import { notebooks } from "../../ids.ts";
import type { ResultHeader, ResultItem } from "../messages.ts";

/** Read from the item itself, since a copied cell's outputs have lost their metadata; undefined for other outputs. */
function resultItemOf({ items }: vscode.NotebookCellOutput): ResultItem | undefined {
  const result = items.find(({ mime }) => mime === notebooks.mime);
  return result && (JSON.parse(new TextDecoder().decode(result.data)) as ResultItem);
}

/** The header that an output holds; undefined for other outputs. */
export function resultHeaderOf(output: vscode.NotebookCellOutput): ResultHeader | undefined {
  const item = resultItemOf(output);
  return item && "runId" in item ? item : undefined;
}

/** The key of the stored result that an output stands for; undefined for other outputs. */
export function storedKeyOf(output: vscode.NotebookCellOutput): string | undefined {
  const item = resultItemOf(output);
  return item && "storedFor" in item ? item.storedFor : undefined;
}
