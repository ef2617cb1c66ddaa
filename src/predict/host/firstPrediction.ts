import * as vscode from "vscode";
import { contextKeys, notebooks } from "../../ids.ts";

/** Sets the context key that completes the walkthrough when the first prediction is shown. */
export function watchForFirstPrediction(): vscode.Disposable {
  const watch = vscode.workspace.onDidChangeNotebookDocument(async ({ notebook, cellChanges }) => {
    if (notebook.notebookType !== notebooks.type) return;
    const outputs = cellChanges.flatMap((change) => change.outputs ?? []);
    if (outputs.length === 0) return;
    const { hasPrediction } = await import("./resultHeader.ts");
    if (!outputs.some(hasPrediction)) return;
    watch.dispose();
    void vscode.commands.executeCommand("setContext", contextKeys.predicted, true);
  });
  return watch;
}
