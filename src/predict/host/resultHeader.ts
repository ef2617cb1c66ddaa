// The header of a result, as an output of a notebook holds it.
import type * as vscode from "vscode";
import { notebooks } from "../../ids.ts";
import type { ResultHeader } from "../messages.ts";

/** Read from the item itself, since a copied cell's outputs have lost their metadata; undefined for other outputs. */
export function resultHeaderOf({ items }: vscode.NotebookCellOutput): ResultHeader | undefined {
  const result = items.find(({ mime }) => mime === notebooks.mime);
  return result && (JSON.parse(new TextDecoder().decode(result.data)) as ResultHeader);
}
