// Commands about one cell: the one they are given, or the selected one.
import * as vscode from "vscode";
import { notebooks } from "../../ids.ts";
import type { ModelRef } from "../../mindsdb/references.ts";
import { showError } from "../../shared/host/errorMessages.ts";
import { openRowsFile } from "./languageFeatures.ts";
import { changeModel, chooseRowsFile, setModel } from "./recipeCommands.ts";

export type CellAction = "compareRuns" | "changeModel" | "chooseRows" | "openRows";

interface CellActions {
  /** Asks for a model of the connection that the cell's notebook has. */
  pickModel: (title: string, cell: vscode.NotebookCell) => Promise<ModelRef | undefined>;
  compareRuns: (cell: vscode.NotebookCell) => Promise<void>;
}

/** `model` is the name to change to; without it the user picks one. Does nothing without a cell. */
export async function runCellCommand(
  action: CellAction,
  cell: vscode.NotebookCell | undefined = findActiveCell(),
  model: unknown,
  { pickModel, compareRuns }: CellActions,
): Promise<void> {
  if (!cell) return;
  switch (action) {
    case "compareRuns":
      return compareRuns(cell);
    case "changeModel":
      return typeof model === "string"
        ? setModel(cell, model)
        : changeModel(cell, (title) => pickModel(title, cell));
    case "chooseRows":
      return chooseRowsFile(cell);
    case "openRows":
      return openRowsFile(cell).catch((error: unknown) => showError(error));
  }
}

/** The cell with the cursor, for commands from the command palette. */
function findActiveCell(): vscode.NotebookCell | undefined {
  const editor = vscode.window.activeNotebookEditor;
  if (editor?.notebook.notebookType !== notebooks.type || editor.notebook.cellCount === 0) return;
  return editor.notebook.cellAt(editor.selection.start);
}
