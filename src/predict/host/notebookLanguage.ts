// What helps in a notebook's cells: problems, completion, hover and buttons. Imported with the first notebook.
import * as vscode from "vscode";
import type { ServerAccess } from "../../connections/connection.ts";
import { commands, notebooks } from "../../ids.ts";
import { buttonTexts, RecipeLanguageFeatures } from "./languageFeatures.ts";
import { CellProblems } from "./cellProblems.ts";
import { notebookOf } from "./cellText.ts";
import { KnownModels } from "./knownModels.ts";
import { QuickFixes } from "./quickFixes.ts";

const cells: vscode.DocumentSelector = { notebookType: notebooks.type, language: "json" };

/** `connectionOf` says which connection a notebook runs at, and `onDidConnect` that it is another one. */
export function registerNotebookLanguage(
  servers: ServerAccess & { onDidChange: vscode.Event<string | undefined> },
  connectionOf: (notebook: vscode.NotebookDocument) => string | undefined,
  onDidConnect: vscode.Event<void>,
): vscode.Disposable[] {
  const models = new KnownModels(servers);
  const assistant = new RecipeLanguageFeatures(models);
  const connectionAt = (document: vscode.TextDocument): string | undefined => {
    const notebook = notebookOf(document);
    return notebook && connectionOf(notebook);
  };
  const problems = new CellProblems({
    models,
    connectionOf: (notebook) => servers.find(connectionOf(notebook) ?? ""),
  });

  return [
    problems,
    onDidConnect(() => problems.checkAll()),
    // Signed in, started again, or at another address: what could not be told may be clear now.
    servers.onDidChange((connectionId) => {
      models.forget(connectionId);
      problems.checkAll();
    }),
    vscode.workspace.onDidChangeNotebookDocument(({ notebook, cellChanges }) => {
      // A statement that has run may have made a model, or dropped one.
      const hasRun = cellChanges.some(
        ({ cell, executionSummary }) =>
          cell.document.languageId === "sql" && executionSummary?.success !== undefined,
      );
      if (notebook.notebookType !== notebooks.type || !hasRun) return;
      models.forget(connectionOf(notebook));
      problems.checkAll();
    }),
    vscode.languages.registerCodeActionsProvider(cells, new QuickFixes(models, connectionAt), {
      providedCodeActionKinds: QuickFixes.kinds,
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
