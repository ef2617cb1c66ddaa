// Registers what helps in a notebook's cells; the help itself is imported with the first notebook.
import * as vscode from "vscode";
import { commands, notebooks } from "../../ids.ts";
import type { RecipeAssistant } from "./assist.ts";
import type { PredictOptions } from "./notebooks.ts";

const cells: vscode.DocumentSelector = { notebookType: notebooks.type, language: "json" };

/** `connectionOf` says which connection a notebook runs at. */
export function registerCellSupport(
  { servers, pickModel }: PredictOptions,
  connectionOf: (notebook: vscode.NotebookDocument) => string | undefined,
): vscode.Disposable[] {
  const load = () => import("./assist.ts");
  let assistant: Promise<RecipeAssistant> | undefined;
  const assist = () => (assistant ??= load().then((module) => new module.RecipeAssistant(servers)));
  const connectionAt = (document: vscode.TextDocument): string | undefined => {
    const notebook = vscode.workspace.notebookDocuments.find((one) =>
      one.getCells().some((cell) => cell.document === document),
    );
    return notebook && connectionOf(notebook);
  };

  const problems = vscode.languages.createDiagnosticCollection("mindsdb-predict");
  const check = async (notebook: vscode.NotebookDocument): Promise<void> => {
    if (notebook.notebookType !== notebooks.type) return;
    const { problemsOf } = await load();
    for (const { document } of notebook.getCells()) {
      problems.set(document.uri, document.languageId === "json" ? problemsOf(document) : []);
    }
  };
  for (const notebook of vscode.workspace.notebookDocuments) void check(notebook);

  return [
    problems,
    vscode.workspace.onDidOpenNotebookDocument(check),
    vscode.workspace.onDidChangeNotebookDocument(({ notebook, contentChanges, cellChanges }) => {
      for (const cell of contentChanges.flatMap(({ removedCells }) => removedCells)) {
        problems.delete(cell.document.uri);
      }
      const isEdited = contentChanges.length > 0 || cellChanges.some(({ document }) => document);
      if (isEdited) void check(notebook);
    }),
    vscode.workspace.onDidCloseNotebookDocument((notebook) => {
      for (const { document } of notebook.getCells()) problems.delete(document.uri);
    }),
    vscode.languages.registerCompletionItemProvider(
      cells,
      {
        provideCompletionItems: async (document, position) =>
          (await assist()).complete(document, position, connectionAt(document)),
      },
      '"',
    ),
    vscode.languages.registerHoverProvider(cells, {
      provideHover: async (document, position) =>
        (await assist()).hover(document, position, connectionAt(document)),
    }),
    vscode.notebooks.registerNotebookCellStatusBarItemProvider(notebooks.type, {
      provideCellStatusBarItems: async (cell) => {
        if (cell.document.languageId !== "json") return [];
        const { model, file } = (await load()).buttonTexts(cell.document);
        return [
          ...(model === undefined
            ? []
            : [
                button(`$(symbol-misc) ${model}`, commands.predictChangeModel, changeTitle(), cell),
              ]),
          ...(file === undefined
            ? []
            : [button(`$(file) ${file}`, commands.predictOpenRows, openTitle(), cell)]),
        ];
      },
    }),
    vscode.commands.registerCommand(
      commands.predictChangeModel,
      async (cell?: vscode.NotebookCell) => {
        const chosen = cell ?? activeCell();
        if (chosen) await (await load()).changeModel(chosen, pickModel);
      },
    ),
    vscode.commands.registerCommand(
      commands.predictOpenRows,
      async (cell?: vscode.NotebookCell) => {
        const chosen = cell ?? activeCell();
        if (!chosen) return;
        try {
          await (await load()).openRowsFile(chosen);
        } catch (error) {
          const { showError } = await import("../../shared/host/explain.ts");
          await showError(error);
        }
      },
    ),
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

function changeTitle(): string {
  return vscode.l10n.t("Change the model");
}

function openTitle(): string {
  return vscode.l10n.t("Open the rows");
}

/** The cell that the cursor is in, for the commands from the palette. */
function activeCell(): vscode.NotebookCell | undefined {
  const editor = vscode.window.activeNotebookEditor;
  if (editor?.notebook.notebookType !== notebooks.type || editor.notebook.cellCount === 0) return;
  return editor.notebook.cellAt(editor.selection.start);
}
