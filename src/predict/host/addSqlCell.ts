// SQL cells of predict notebooks, which need no model.
import * as vscode from "vscode";
import { notebooks, sqlLanguage } from "../../ids.ts";
import { createUri } from "./newNotebook.ts";

const emptyCell = () => new vscode.NotebookCellData(vscode.NotebookCellKind.Code, "", sqlLanguage);

/** Opens a notebook with an empty SQL cell, on the connection that notebooks were run on last. */
export async function newSqlNotebook(): Promise<void> {
  const notebook = await vscode.workspace.openNotebookDocument(createUri("sql"));
  const editor = await vscode.window.showNotebookDocument(notebook);
  await insertCell(editor, 0);
}

/** Adds an empty SQL cell below the selected one of the active notebook, and puts the cursor into it. */
export async function addSqlCell(): Promise<void> {
  const editor = vscode.window.activeNotebookEditor;
  if (editor?.notebook.notebookType !== notebooks.type) return;
  const { notebook, selection } = editor;
  await insertCell(editor, Math.min(selection.end, notebook.cellCount));
}

async function insertCell(editor: vscode.NotebookEditor, index: number): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.set(editor.notebook.uri, [vscode.NotebookEdit.insertCells(index, [emptyCell()])]);
  await vscode.workspace.applyEdit(edit);
  editor.selection = new vscode.NotebookRange(index, index + 1);
  editor.revealRange(editor.selection);
  await vscode.commands.executeCommand("notebook.cell.edit");
}
