import * as vscode from "vscode";
import type { ServerAccess, ServerChanges } from "../../connections/connection.ts";
import { commands, notebooks } from "../../ids.ts";
import { readButtonTexts, RecipeLanguageFeatures } from "./languageFeatures.ts";
import { CellProblems } from "./cellProblems.ts";
import { findNotebook } from "./cellText.ts";
import { KnownModels } from "./knownModels.ts";
import { QuickFixes } from "./quickFixes.ts";

const cells: vscode.DocumentSelector = { notebookType: notebooks.type, language: "json" };

/**
 * Registers problems, completion, hover and buttons for the cells of notebooks. Imported with the first notebook.
 * `findConnection` returns the id of a notebook's connection, and `onDidConnect` fires when it changes.
 */
export function registerNotebookLanguage(
  servers: ServerAccess & ServerChanges & { onDidChange: vscode.Event<string | undefined> },
  findConnection: (notebook: vscode.NotebookDocument) => string | undefined,
  onDidConnect: vscode.Event<void>,
): vscode.Disposable[] {
  const models = new KnownModels(servers);
  const assistant = new RecipeLanguageFeatures(models);
  const findConnectionAt = (document: vscode.TextDocument): string | undefined => {
    const notebook = findNotebook(document);
    return notebook && findConnection(notebook);
  };
  const problems = new CellProblems({
    models,
    findConnection: (notebook) => servers.find(findConnection(notebook) ?? ""),
  });

  return [
    problems,
    onDidConnect(() => problems.checkAll()),
    // Signed in, restarted, or at another address: the server may be able to answer now.
    servers.onDidChange((connectionId) => {
      models.forget(connectionId);
      problems.checkAll();
    }),
    servers.onDidLearn((change) => {
      if (change.kind !== "changed" || !["models", "projects"].includes(change.list)) return;
      models.forget(change.connectionId);
      problems.checkAll();
    }),
    vscode.languages.registerCodeActionsProvider(cells, new QuickFixes(models, findConnectionAt), {
      providedCodeActionKinds: QuickFixes.kinds,
    }),
    vscode.languages.registerCompletionItemProvider(
      cells,
      {
        provideCompletionItems: (document, position) =>
          assistant.complete(document, position, findConnectionAt(document)),
      },
      '"',
    ),
    vscode.languages.registerHoverProvider(cells, {
      provideHover: (document, position) =>
        assistant.hover(document, position, findConnectionAt(document)),
    }),
    vscode.notebooks.registerNotebookCellStatusBarItemProvider(notebooks.type, {
      provideCellStatusBarItems: (cell) =>
        cell.document.languageId === "json" ? createButtons(cell) : [],
    }),
  ];
}

function createButtons(cell: vscode.NotebookCell): vscode.NotebookCellStatusBarItem[] {
  const { model, file } = readButtonTexts(cell.document);
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
