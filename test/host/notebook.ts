// Runs cells of predict notebooks, and reads what they have drawn.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { notebooks } from "../../src/ids.ts";
import type { ResultHeader } from "../../src/predict/messages.ts";
import { actUntil, extensionId, until } from "./workbench.ts";

/** Selects the kernel of a connection, or another by its id. */
export async function selectKernel(
  notebookEditor: vscode.NotebookEditor,
  id: string,
): Promise<void> {
  const kernel = { id, extension: extensionId, notebookEditor };
  await vscode.commands.executeCommand("notebook.selectKernel", kernel);
}

/**
 * Opens a file's notebook on a connection, like the Explorer: a document of `openNotebookDocument` stays open for minutes
 * without a tab.
 */
export async function openOn(connectionId: string, file: string): Promise<vscode.NotebookEditor> {
  const uri = vscode.Uri.file(file);
  const editor = await actUntil(
    "the notebook's editor",
    () => vscode.commands.executeCommand("vscode.open", uri),
    () => {
      const active = vscode.window.activeNotebookEditor;
      return active?.notebook.uri.path === uri.path && active;
    },
  );
  await selectKernel(editor, `${notebooks.type}.${connectionId}`);
  return editor;
}

/** The header of the result that a cell shows; undefined if it shows none. */
export function shownResult(cell: vscode.NotebookCell): ResultHeader | undefined {
  const items = cell.outputs.flatMap((output) => output.items);
  const item = items.find(({ mime }) => mime === notebooks.mime);
  return item && (JSON.parse(Buffer.from(item.data).toString()) as ResultHeader);
}

/** Runs a cell and returns its new result's header, as drawn at the end, not that of a run before. */
export async function runCell(cell: vscode.NotebookCell): Promise<ResultHeader> {
  const before = shownResult(cell)?.runId;
  const orderBefore = cell.executionSummary?.executionOrder ?? 0;
  await vscode.commands.executeCommand("notebook.cell.execute", {
    ranges: [{ start: cell.index, end: cell.index + 1 }],
    document: cell.notebook.uri,
  });
  await until("the run's end", () => {
    const { executionOrder = 0, success } = cell.executionSummary ?? {};
    return executionOrder > orderBefore && success !== undefined;
  });
  return until("the result", () => {
    const result = shownResult(cell);
    const texts = () =>
      cell.outputs.flatMap(({ items }) => items.map(({ data }) => Buffer.from(data).toString()));
    assert.ok(result ?? cell.outputs.length === 0, texts().join("\n"));
    return result?.runId !== before && result?.state.kind !== "running" && result;
  });
}
