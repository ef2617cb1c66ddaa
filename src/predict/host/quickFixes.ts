import * as vscode from "vscode";
import { bindCommand } from "../../shared/host/commands.ts";
import { closestNames } from "../../shared/closestNames.ts";
import { commands } from "../../ids.ts";
import { formatModelName, parseModelName } from "../notebook/modelName.ts";
import { maxBatchRows, parseRecipe, recipeKeys } from "../notebook/recipe.ts";
import { removeProperty, repairCount, type TextChange } from "../notebook/recipeEdits.ts";
import { visibleLine } from "../../shared/oneLine.ts";
import type { CellProblemCode } from "./cellProblems.ts";
import { findCell, parseJsonText, problemSource, toRange } from "./cellText.ts";
import type { KnownModels } from "./knownModels.ts";
import type { KnownTables } from "./knownTables.ts";
import { listRowsFiles } from "./listRowsFiles.ts";

/** Quick fixes for the problems in recipes. */
export class QuickFixes implements vscode.CodeActionProvider {
  static readonly kinds = [vscode.CodeActionKind.QuickFix];
  readonly #models: KnownModels;
  readonly #tables: KnownTables;
  readonly #findConnectionAt: (document: vscode.TextDocument) => string | undefined;

  constructor(
    models: KnownModels,
    tables: KnownTables,
    findConnectionAt: (document: vscode.TextDocument) => string | undefined,
  ) {
    this.#models = models;
    this.#tables = tables;
    this.#findConnectionAt = findConnectionAt;
  }

  async provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    const ours = diagnostics.filter(({ source }) => source === problemSource);
    const fixes = await Promise.all(ours.map((problem) => this.#fixesFor(document, problem)));
    return fixes.flat();
  }

  async #fixesFor(
    document: vscode.TextDocument,
    problem: vscode.Diagnostic,
  ): Promise<vscode.CodeAction[]> {
    const written = document.getText(problem.range);
    const name = parseJsonText(written);
    const change = (json: string): vscode.CodeAction =>
      editFix(document, problem, vscode.l10n.t("Change to {0}", json), {
        start: document.offsetAt(problem.range.start),
        end: document.offsetAt(problem.range.end),
        text: json,
      });
    const changeTo = (names: readonly string[]): vscode.CodeAction[] =>
      names.map((one) => change(JSON.stringify(one)));
    switch (problem.code as CellProblemCode) {
      case "unknownProperty": {
        const { members } = parseRecipe(document.getText());
        const free = recipeKeys.filter((key) => !members.some((member) => member.name === key));
        const closest = closestNames(name, free, (key) => key, 1);
        return [...changeTo(closest), ...removeFix(document, problem, written)];
      }
      case "repeatedProperty":
        return removeFix(document, problem, written);
      case "missingProperty":
        return fixMissingProperty(document, problem);
      case "noModel":
        return [
          ...changeTo(await this.#findClosestModels(document, name)),
          ...(parseRecipe(document.getText()).values.model
            ? chooseFix(document, problem, "model")
            : []),
        ];
      case "untrained":
        return chooseFix(document, problem, "model");
      case "noFile":
        return [
          ...changeTo(await findClosestFiles(document, name)),
          ...chooseFix(document, problem, "rows"),
        ];
      case "noTable":
        return changeTo(await this.#findClosestTables(document, name));
      case "calculation":
      case "earlyFilter":
      case "earlyLimit":
      case "emptyText":
      case "lostData":
      case "sqlMisread":
      case "sqlSyntax":
      case "sqlUnknownName":
        // See SqlQuickFixes.
        return [];
      case "cachedJoin":
      case "ignoredInput":
        return this.#fixJoin(document, problem);
      case "value":
        return fixValue(document, problem, change);
    }
  }

  /** Adds a recipe cell with the same rows below the statement. */
  async #fixJoin(
    document: vscode.TextDocument,
    problem: vscode.Diagnostic,
  ): Promise<vscode.CodeAction[]> {
    const connectionId = this.#findConnectionAt(document);
    const join = await this.#models.findJoin(connectionId, document.getText());
    const cell = findCell(document);
    if (join?.recipe === undefined || !cell) return [];
    const action = createFix(problem, vscode.l10n.t("Add a Recipe Cell with These Rows"));
    const { Code } = vscode.NotebookCellKind;
    const added = new vscode.NotebookCellData(Code, join.recipe, "json");
    action.edit = new vscode.WorkspaceEdit();
    action.edit.set(cell.notebook.uri, [vscode.NotebookEdit.insertCells(cell.index + 1, [added])]);
    return [action];
  }

  async #findClosestTables(document: vscode.TextDocument, written: string): Promise<string[]> {
    const names = await this.#tables.list(this.#findConnectionAt(document), written);
    return closestNames(written, names, (name) => name);
  }

  async #findClosestModels(document: vscode.TextDocument, written: string): Promise<string[]> {
    const wanted = parseModelName(written);
    if (!wanted) return [];
    const models = await this.#models.list(this.#findConnectionAt(document));
    const named = models.map(({ project, model: { name } }) => ({ project, name }));
    // Similar names of the same project come first.
    const isElsewhere = ({ project }: { project: string }): number =>
      Number(project !== wanted.project);
    named.sort((a, b) => isElsewhere(a) - isElsewhere(b));
    return closestNames(wanted.name, named, ({ name }) => name).map(formatModelName);
  }
}

async function findClosestFiles(document: vscode.TextDocument, written: string): Promise<string[]> {
  const cell = findCell(document);
  if (!cell) return [];
  const names = await listRowsFiles(cell.notebook);
  const fileName = (file: string): string => file.split(/[\\/]/).at(-1) ?? "";
  return closestNames(fileName(written), names, fileName);
}

function fixMissingProperty(
  document: vscode.TextDocument,
  problem: vscode.Diagnostic,
): vscode.CodeAction[] {
  const missing = parseRecipe(document.getText()).problems.find(
    ({ kind, message }) => kind === "missingProperty" && message === problem.message,
  );
  return missing?.property === "model" || missing?.property === "rows"
    ? chooseFix(document, problem, missing.property)
    : [];
}

function fixValue(
  document: vscode.TextDocument,
  problem: vscode.Diagnostic,
  change: (json: string) => vscode.CodeAction,
): vscode.CodeAction[] {
  const start = document.offsetAt(problem.range.start);
  const text = document.getText();
  const { members, values } = parseRecipe(text);
  const member = members.find(({ value }) => value.start <= start && start < value.end);
  if (!member) return [];
  switch (member.name) {
    case "model":
      return chooseFix(document, problem, "model");
    case "rows":
      return /[[{]/.test(text[values.rows?.start ?? 0] ?? "")
        ? []
        : chooseFix(document, problem, "rows");
    case "limit":
    case "batchRows": {
      const max = member.name === "limit" ? Number.MAX_SAFE_INTEGER : maxBatchRows;
      const count = repairCount(document.getText(problem.range), max);
      return [
        ...(count === undefined ? [] : [change(String(count))]),
        ...removeFix(document, problem, JSON.stringify(member.name), member.key.start),
      ];
    }
    default:
      return [];
  }
}

function removeFix(
  document: vscode.TextDocument,
  problem: vscode.Diagnostic,
  key: string,
  start = document.offsetAt(problem.range.start),
): vscode.CodeAction[] {
  const change = removeProperty(document.getText(), { start, end: start });
  return change ? [editFix(document, problem, vscode.l10n.t("Remove {0}", key), change)] : [];
}

function editFix(
  document: vscode.TextDocument,
  problem: vscode.Diagnostic,
  title: string,
  change: TextChange,
): vscode.CodeAction {
  const action = createFix(problem, title);
  action.edit = new vscode.WorkspaceEdit();
  action.edit.replace(document.uri, toRange(document, change), change.text);
  return action;
}

/** A fix that lets the user choose a model or a file. */
function chooseFix(
  document: vscode.TextDocument,
  problem: vscode.Diagnostic,
  key: "model" | "rows",
): vscode.CodeAction[] {
  const cell = findCell(document);
  if (!cell) return [];
  const isModel = key === "model";
  const title = isModel ? vscode.l10n.t("Select Model…") : vscode.l10n.t("Select File…");
  const command = isModel ? commands.predictChangeModel : commands.predictChooseRows;
  const action = createFix(problem, title);
  action.command = bindCommand(command, title, cell);
  return [action];
}

function createFix(problem: vscode.Diagnostic, title: string): vscode.CodeAction {
  const action = new vscode.CodeAction(visibleLine(title, 500), vscode.CodeActionKind.QuickFix);
  action.diagnostics = [problem];
  return action;
}
