// Whether a model has predicted anything in this window: what the last of the first steps waits for.
import * as vscode from "vscode";
import { contextKeys, notebooks } from "../../ids.ts";
import { resultHeaderOf } from "./resultHeader.ts";

/** Sets the context key once the first rows have come back in a predict notebook. */
export function watchForFirstPrediction(): vscode.Disposable {
  const watch = vscode.workspace.onDidChangeNotebookDocument(({ notebook, cellChanges }) => {
    if (notebook.notebookType !== notebooks.type) return;
    if (!cellChanges.some(({ outputs }) => outputs?.some(hasPrediction))) return;
    watch.dispose();
    void vscode.commands.executeCommand("setContext", contextKeys.predicted, true);
  });
  return watch;
}

/** Rows that the server refused are no prediction. */
function hasPrediction(output: vscode.NotebookCellOutput): boolean {
  const { count = 0, refused = 0 } = resultHeaderOf(output) ?? {};
  return count > refused;
}
