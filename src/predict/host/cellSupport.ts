// What helps in a notebook's cells: problems, completion, hover and buttons. Imported with the first notebook.
import * as vscode from "vscode";
import type { ServerAccess } from "../../connections/connection.ts";
import { commands, notebooks } from "../../ids.ts";
import { buttonTexts, notebookOf, problemsOf, RecipeAssistant } from "./assist.ts";

const cells: vscode.DocumentSelector = { notebookType: notebooks.type, language: "json" };

/** `connectionOf` says which connection a notebook runs at. */
export function registerCellSupport(
  servers: ServerAccess,
  connectionOf: (notebook: vscode.NotebookDocument) => string | undefined,
): vscode.Disposable[] {
  const assistant = new RecipeAssistant(servers);
  const connectionAt = (document: vscode.TextDocument): string | undefined => {
    const notebook = notebookOf(document);
    return notebook && connectionOf(notebook);
  };

  const problems = vscode.languages.createDiagnosticCollection("mindsdb-predict");
  const check = (notebook: vscode.NotebookDocument): void => {
    if (notebook.notebookType !== notebooks.type) return;
    for (const { document } of notebook.getCells()) {
      problems.set(document.uri, document.languageId === "json" ? problemsOf(document) : []);
    }
  };
  vscode.workspace.notebookDocuments.forEach(check);

  return [
    problems,
    vscode.workspace.onDidOpenNotebookDocument(check),
    vscode.workspace.onDidChangeNotebookDocument(({ notebook, contentChanges, cellChanges }) => {
      for (const cell of contentChanges.flatMap(({ removedCells }) => removedCells)) {
        problems.delete(cell.document.uri);
      }
      const isEdited = contentChanges.length > 0 || cellChanges.some(({ document }) => document);
      if (isEdited) check(notebook);
    }),
    vscode.workspace.onDidCloseNotebookDocument((notebook) => {
      for (const { document } of notebook.getCells()) problems.delete(document.uri);
    }),
    vscode.languages.registerCompletionItemProvider(
      cells,
      {
        provideCompletionItems: (document, position) =>
          assistant.complete(document, position, connectionAt(document)),
      },
      '"',
    ),
    vscode.languages.registerHoverProvider(cells, {
      provideHover: (document, position) =>
        assistant.hover(document, position, connectionAt(document)),
    }),
    vscode.notebooks.registerNotebookCellStatusBarItemProvider(notebooks.type, {
      provideCellStatusBarItems: (cell) =>
        cell.document.languageId === "json" ? buttonsOf(cell) : [],
    }),
  ];
}

function buttonsOf(cell: vscode.NotebookCell): vscode.NotebookCellStatusBarItem[] {
  const { model, file } = buttonTexts(cell.document);
  const changeModel = vscode.l10n.t("Change the model");
  const openRows = vscode.l10n.t("Open the rows");
  return [
    ...(model === undefined
      ? []
      : [button(`$(symbol-misc) ${model}`, commands.predictChangeModel, changeModel, cell)]),
    ...(file === undefined
      ? []
      : [button(`$(file) ${file}`, commands.predictOpenRows, openRows, cell)]),
  ];
}

function button(
  text: string,
  command: string,
  tooltip: string,
  cell: vscode.NotebookCell,
): vscode.NotebookCellStatusBarItem {
  const item = new vscode.NotebookCellStatusBarItem(
    text,
    vscode.NotebookCellStatusBarAlignment.Left,
  );
  item.command = { command, title: tooltip, arguments: [cell] };
  item.tooltip = tooltip;
  return item;
}
