import * as vscode from "vscode";
import { notebooks } from "../../ids.ts";
import { createCellKeys } from "../notebook/cellKeys.ts";
import type { StoredResultItem } from "../messages.ts";
import { NotebookIndex } from "../result/notebookIndex.ts";

export interface NotebookPlace {
  /** Where results are stored. */
  folder: string;
  /** Distinguishes untitled notebooks of this workspace from those with the same name in others. */
  untitledScope: string;
}

/** The address by which a notebook's results are found. */
export function notebookAddress(uri: vscode.Uri, { untitledScope }: NotebookPlace): string {
  const address = uri.toString();
  return uri.scheme === "untitled" ? `${untitledScope} ${address}` : address;
}

/**
 * Adds an output to each cell with a stored result. VS Code does not tell a serializer which notebook it reads, so a cell
 * gets one if any open notebook has a result for such a cell. When it is shown, the notebook's address decides.
 */
export async function addStoredOutputs(
  data: vscode.NotebookData,
  place: NotebookPlace,
): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const open = tabs.flatMap(({ input }) =>
    input instanceof vscode.TabInputNotebook && input.notebookType === notebooks.type
      ? [notebookAddress(input.uri, place)]
      : [],
  );
  const index = new NotebookIndex(place.folder);
  const results = await Promise.all([...new Set(open)].map((address) => index.read(address)));
  const cells = data.cells.filter(({ kind }) => kind === vscode.NotebookCellKind.Code);
  const keys = createCellKeys(
    cells.map(({ languageId, value }) => ({ language: languageId, text: value })),
  );
  for (const [at, cell] of cells.entries()) {
    const key = keys[at]!;
    // few: the notebooks that are open.
    if (!results.some((ids) => Object.hasOwn(ids, key))) continue;
    const item: StoredResultItem = { storedFor: key };
    const output = vscode.NotebookCellOutputItem.json(item, notebooks.mime);
    cell.outputs = [new vscode.NotebookCellOutput([output])];
  }
}
