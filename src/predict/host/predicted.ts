// Whether a model has predicted anything in this window: what the last of the first steps waits for.
import * as vscode from "vscode";
import { contextKeys, notebooks } from "../../ids.ts";
import type { ResultHeader } from "../messages.ts";

/** Sets the context key once the first rows have come back in a predict notebook. */
export function watchForPrediction(): vscode.Disposable {
  const watch = vscode.workspace.onDidChangeNotebookDocument(({ notebook, cellChanges }) => {
    if (notebook.notebookType !== notebooks.type) return;
    if (!cellChanges.some(({ outputs }) => outputs?.some(hasPrediction))) return;
    watch.dispose();
    void vscode.commands.executeCommand("setContext", contextKeys.predicted, true);
  });
  return watch;
}

/** Rows that the server refused are no prediction. */
function hasPrediction({ items }: vscode.NotebookCellOutput): boolean {
  const result = items.find(({ mime }) => mime === notebooks.mime);
  if (!result) return false;
  const { count, refused } = JSON.parse(new TextDecoder().decode(result.data)) as ResultHeader;
  return count > refused;
}
