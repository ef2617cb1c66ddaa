import * as vscode from "vscode";
import { contextKeys, notebooks } from "../../ids.ts";
import { readResultHeader } from "./resultHeader.ts";

/** Sets the context key that completes the walkthrough when the first prediction is shown. */
export function watchForFirstPrediction(): vscode.Disposable {
  const watch = vscode.workspace.onDidChangeNotebookDocument(({ notebook, cellChanges }) => {
    if (notebook.notebookType !== notebooks.type) return;
    if (!cellChanges.some(({ outputs }) => outputs?.some(hasPrediction))) return;
    watch.dispose();
    void vscode.commands.executeCommand("setContext", contextKeys.predicted, true);
  });
  return watch;
}

/** Whether an output has rows that were not refused. */
function hasPrediction(output: vscode.NotebookCellOutput): boolean {
  const { count = 0, refused = 0 } = readResultHeader(output) ?? {};
  return count > refused;
}
