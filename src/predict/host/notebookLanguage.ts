import * as vscode from "vscode";
import { commands, notebooks, sqlLanguage } from "../../ids.ts";
import { formatEntry } from "../../mindsdb/dataPatterns.ts";
import { parseTableName } from "../notebook/serverSource.ts";
import { readButtonTexts, RecipeLanguageFeatures } from "./languageFeatures.ts";
import { CellProblems } from "./cellProblems.ts";
import { findCell } from "./cellText.ts";
import { defaultProjectOf, onDidChangeDefaultProject } from "./defaultProjects.ts";
import { forgetChangedNames } from "./forgetChangedNames.ts";
import { KnownModels } from "./knownModels.ts";
import { KnownTables } from "./knownTables.ts";
import { isPredictNotebook } from "./isPredictNotebook.ts";
import type { PredictOptions } from "./predictOptions.ts";
import { QuickFixes } from "./quickFixes.ts";
import { sqlCells } from "./sqlDocuments.ts";
import { SqlMeanings } from "./sqlMeanings.ts";
import { SqlCompletionProvider, sqlTriggers } from "./sqlCompletionProvider.ts";
import { bindCommand } from "../../shared/host/commands.ts";
import { plainLabel } from "../../shared/oneLine.ts";

const cells: vscode.DocumentSelector = { notebookType: notebooks.type, language: "json" };
/** Characters of a name on a button below a cell. */
const maxButtonLength = 120;

export interface NotebookLanguage {
  registration: vscode.Disposable;
  sqlMeanings: Pick<SqlMeanings, "openPage">;
}

/**
 * Registers problems, completion, hover and buttons for the cells of notebooks. Imported with the first notebook.
 * `findConnection` returns the id of a notebook's connection, and `onDidConnect` fires when it changes.
 */
export function registerNotebookLanguage(
  options: Pick<PredictOptions, "servers" | "descriptions">,
  findConnection: (notebook: vscode.NotebookDocument) => string | undefined,
  onDidConnect: vscode.Event<void>,
): NotebookLanguage {
  const { servers } = options;
  const isTrusted = () => vscode.workspace.isTrusted;
  const models = new KnownModels(servers, isTrusted);
  const tables = new KnownTables(servers, isTrusted);
  const assistant = new RecipeLanguageFeatures(models, tables);
  const findConnectionAt = (document: vscode.TextDocument): string | undefined => {
    const cell = findCell(document);
    return cell && findConnection(cell.notebook);
  };
  const findSource = (document: vscode.TextDocument) => {
    const cell = findCell(document);
    const connectionId = cell && findConnection(cell.notebook);
    const project = connectionId && defaultProjectOf(cell.notebook.uri, connectionId).name;
    return cell && { connectionId, project };
  };
  const meanings = new SqlMeanings(options, models, tables, findSource);
  const problems = new CellProblems({
    models,
    tables,
    findConnection: (notebook) => servers.find(findConnection(notebook) ?? ""),
    findSource,
  });

  const statusChanged = new vscode.EventEmitter<void>();
  const quickFixes = new QuickFixes(models, tables, findConnectionAt);
  const metadata = { providedCodeActionKinds: QuickFixes.kinds };

  const registration = vscode.Disposable.from(
    problems,
    statusChanged,
    useSqlLanguage(),
    onDidConnect(() => {
      problems.checkAll();
      statusChanged.fire();
    }),
    onDidChangeDefaultProject(() => {
      problems.checkSql();
      statusChanged.fire();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => problems.checkAll()),
    ...forgetChangedNames(servers, models, tables, () => problems.checkAll()),
    vscode.languages.registerCodeActionsProvider(cells, quickFixes, metadata),
    vscode.languages.registerCodeActionsProvider(sqlCells, quickFixes, metadata),
    vscode.languages.registerCompletionItemProvider(
      cells,
      {
        provideCompletionItems: (document, position) =>
          assistant.complete(document, position, findConnectionAt(document)),
      },
      '"',
      "{",
    ),
    vscode.languages.registerCompletionItemProvider(
      sqlCells,
      new SqlCompletionProvider(models, tables, findSource),
      ...sqlTriggers,
    ),
    vscode.languages.registerHoverProvider(sqlCells, meanings),
    vscode.languages.registerDefinitionProvider(sqlCells, meanings),
    vscode.languages.registerHoverProvider(cells, {
      provideHover: (document, position) =>
        assistant.hover(document, position, findConnectionAt(document)),
    }),
    vscode.notebooks.registerNotebookCellStatusBarItemProvider(notebooks.type, {
      onDidChangeCellStatusBarItems: statusChanged.event,
      provideCellStatusBarItems: (cell) => {
        const { document, notebook } = cell;
        const connectionId = findConnection(notebook);
        if (document.languageId === "json") return createButtons(cell, connectionId);
        return document.languageId === sqlLanguage
          ? createDefaultProject(notebook, connectionId)
          : [];
      },
    }),
  );
  return { registration, sqlMeanings: meanings };
}

/**
 * Gives MindsDB's language to cells that get the other SQL: from the user, or with a cell from elsewhere. Whoever selects SQL
 * in a predict notebook means the one that runs there.
 */
function useSqlLanguage(): vscode.Disposable {
  const opened = (document: vscode.TextDocument): void => {
    if (document.languageId !== "sql" || document.uri.scheme !== "vscode-notebook-cell") return;
    const cell = findCell(document);
    if (!cell || !isPredictNotebook(cell.notebook)) return;
    void vscode.languages.setTextDocumentLanguage(document, sqlLanguage);
  };
  for (const document of vscode.workspace.textDocuments) opened(document);
  // Also of a document that gets another language.
  return vscode.workspace.onDidOpenTextDocument(opened);
}

/** Says which project or data source the last USE of the notebook has chosen for its SQL cells. */
function createDefaultProject(
  { uri }: vscode.NotebookDocument,
  connectionId: string | undefined,
): vscode.NotebookCellStatusBarItem[] {
  const name = connectionId === undefined ? undefined : defaultProjectOf(uri, connectionId).name;
  if (name === undefined) return [];
  const item = new vscode.NotebookCellStatusBarItem(
    `$(database) ${plainLabel(name, maxButtonLength)}`,
    vscode.NotebookCellStatusBarAlignment.Left,
  );
  item.tooltip = vscode.l10n.t(
    "Names without a project refer to {0}, set by the last USE.",
    plainLabel(name),
  );
  return [item];
}

function createButtons(
  cell: vscode.NotebookCell,
  connectionId: string | undefined,
): vscode.NotebookCellStatusBarItem[] {
  const { model, file, table } = readButtonTexts(cell.document);
  const [project, ...name] = parseTableName(table ?? "") ?? [];
  const buttons = [];
  if (cell.document.getText().trim() === "") {
    const text = vscode.l10n.t("Select Model…");
    buttons.push(button("symbol-misc", text, bindCommand(commands.predictChangeModel, text, cell)));
  }
  if (model !== undefined) {
    const change = bindCommand(
      commands.predictChangeModel,
      vscode.l10n.t("Change the model"),
      cell,
    );
    buttons.push(button("symbol-misc", model, change));
  }
  if (file !== undefined) {
    const open = bindCommand(commands.predictOpenRows, vscode.l10n.t("Open the rows"), cell);
    buttons.push(button("file", file, open));
  }
  if (project !== undefined && connectionId !== undefined) {
    const ref = { connectionId, project, name: formatEntry(name) };
    const preview = bindCommand(commands.tablePreview, vscode.l10n.t("Preview the table"), ref);
    buttons.push(button("table", table ?? "", preview));
  }
  return buttons;
}

/** The icon is one of VS Code's; the command's title becomes the tooltip. */
function button(
  icon: string,
  name: string,
  command: vscode.Command,
): vscode.NotebookCellStatusBarItem {
  const item = new vscode.NotebookCellStatusBarItem(
    `$(${icon}) ${plainLabel(name, maxButtonLength)}`,
    vscode.NotebookCellStatusBarAlignment.Left,
  );
  item.command = command;
  item.tooltip = command.title;
  return item;
}
