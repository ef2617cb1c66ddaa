// What is wrong with the recipes in cells, marked while they are written: what no run of them could do.
import * as vscode from "vscode";
import { isAppError } from "../../mindsdb/errors.ts";
import { notebooks } from "../../ids.ts";
import { formatModelName, parseModelName } from "../notebook/modelName.ts";
import { parseRecipe, type ParsedRecipe, type RecipeProblem } from "../notebook/recipe.ts";
import { formatOf, rowsFileGlob } from "../rows/readRows.ts";
import { findTextValue, notebookOf, rangeOf, watchRemovedCells } from "./cellText.ts";
import type { KnownModels, ModelState } from "./knownModels.ts";
import { findRowsFile } from "./findRowsFile.ts";

/** Kinds of problems, as a diagnostic's `code`: what the quick fixes go by. */
export type CellProblemCode = Exclude<RecipeProblem["kind"], "syntax"> | "noModel" | "noFile";

/** The `source` of all our diagnostics. */
export const problemSource = "MindsDB";

/** A text is checked when nothing was typed for so long, in ms. */
const quietMs = 300;
/** What is known at once does not wait longer than this for what has to be looked up, in ms. */
const lookUpMs = 400;
/** Longer texts hold rows, not a recipe somebody writes: they are not checked. In characters. */
const maxText = 200_000;

export interface CellProblemsOptions {
  models: KnownModels;
  /** Which connection a notebook runs at, by its id and its name. */
  connectionOf: (notebook: vscode.NotebookDocument) => { id: string; name: string } | undefined;
}

export class CellProblems implements vscode.Disposable {
  readonly #options: CellProblemsOptions;
  readonly #diagnostics = vscode.languages.createDiagnosticCollection("mindsdb-predict");
  /** What ends a check that another one replaces, by the document's address. */
  readonly #checks = new Map<string, AbortController>();
  readonly #subscriptions: vscode.Disposable[];

  constructor(options: CellProblemsOptions) {
    this.#options = options;
    const files = vscode.workspace.createFileSystemWatcher(rowsFileGlob, false, true);
    this.#subscriptions = [
      this.#diagnostics,
      files,
      files.onDidCreate(() => this.checkAll()),
      files.onDidDelete(() => this.checkAll()),
      // Before the next ones: a cell that is moved is removed and added in one change.
      watchRemovedCells((document) => this.#clear(document)),
      vscode.workspace.onDidOpenNotebookDocument((notebook) => this.#checkNotebook(notebook)),
      vscode.workspace.onDidChangeNotebookDocument(({ notebook, contentChanges, cellChanges }) => {
        if (notebook.notebookType !== notebooks.type) return;
        const added = contentChanges.flatMap(({ addedCells }) => addedCells);
        const edited = cellChanges.filter(({ document }) => document).map(({ cell }) => cell);
        for (const cell of [...added, ...edited]) this.#schedule(notebook, cell.document);
      }),
      vscode.workspace.onDidOpenTextDocument((document) => {
        if (document.uri.scheme === "vscode-notebook-cell") this.#checkOpened(document);
      }),
      vscode.window.onDidChangeActiveNotebookEditor((editor) => {
        if (editor) this.#checkNotebook(editor.notebook);
      }),
    ];
    this.checkAll();
  }

  /** Looks again at every cell: what it names may be there now, or gone. */
  checkAll(): void {
    vscode.workspace.notebookDocuments.forEach((notebook) => this.#checkNotebook(notebook));
  }

  dispose(): void {
    for (const check of this.#checks.values()) check.abort();
    this.#checks.clear();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #checkNotebook(notebook: vscode.NotebookDocument): void {
    if (notebook.notebookType !== notebooks.type) return;
    for (const { document } of notebook.getCells()) this.#schedule(notebook, document);
  }

  #checkOpened(document: vscode.TextDocument): void {
    const notebook = notebookOf(document);
    if (notebook?.notebookType === notebooks.type) this.#schedule(notebook, document);
  }

  #clear({ uri }: vscode.TextDocument): void {
    this.#checks.get(uri.toString())?.abort();
    this.#checks.delete(uri.toString());
    if (this.#diagnostics.has(uri)) this.#diagnostics.delete(uri);
  }

  #schedule(notebook: vscode.NotebookDocument, document: vscode.TextDocument): void {
    const key = document.uri.toString();
    this.#checks.get(key)?.abort();
    if (document.languageId !== "json") {
      this.#clear(document);
      return;
    }
    const check = new AbortController();
    this.#checks.set(key, check);
    const timer = setTimeout(() => void this.#check(notebook, document, check.signal), quietMs);
    check.signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  }

  async #check(
    notebook: vscode.NotebookDocument,
    document: vscode.TextDocument,
    signal: AbortSignal,
  ): Promise<void> {
    const text = document.getText();
    if (text.length > maxText) {
      this.#diagnostics.delete(document.uri);
      return;
    }
    const parsed = parseRecipe(text);
    const known = parsed.problems
      .filter(({ kind }) => kind !== "syntax")
      .map((problem) => toDiagnostic(document, problem, problem.kind as CellProblemCode));
    const set = (problems: vscode.Diagnostic[]): void => {
      if (!signal.aborted) this.#diagnostics.set(document.uri, problems);
    };
    const slow = setTimeout(() => set(known), lookUpMs);
    const found = await Promise.all([
      this.#modelProblem(notebook, document, parsed),
      fileProblem(notebook, document, parsed),
    ]);
    clearTimeout(slow);
    set([...known, ...found.filter((problem) => problem !== undefined)]);
  }

  async #modelProblem(
    notebook: vscode.NotebookDocument,
    document: vscode.TextDocument,
    parsed: ParsedRecipe,
  ): Promise<vscode.Diagnostic | undefined> {
    const value = findTextValue(document.getText(), "model", parsed);
    const name = value && parseModelName(value.text);
    const connection = this.#options.connectionOf(notebook);
    if (!name || !connection) return undefined;
    const state = await this.#options.models.stateOf(connection.id, name);
    const [model, at] = [formatModelName(name), connection.name];
    const messages: Partial<Record<ModelState, string>> = {
      noProject: vscode.l10n.t("{0} has no project {1}.", at, name.project),
      noModel: vscode.l10n.t("{0} has no model {1}.", at, model),
      noVersion: vscode.l10n.t(
        "{0} has no version of this model with the number {1}.",
        at,
        name.version ?? "",
      ),
    };
    const message = messages[state];
    return message === undefined
      ? undefined
      : toDiagnostic(document, { ...value.span, message }, "noModel");
  }
}

async function fileProblem(
  notebook: vscode.NotebookDocument,
  document: vscode.TextDocument,
  parsed: ParsedRecipe,
): Promise<vscode.Diagnostic | undefined> {
  const value = findTextValue(document.getText(), "rows", parsed);
  // In a workspace that is not trusted, no file is looked for because a notebook names it.
  if (!value || !formatOf(value.text) || !vscode.workspace.isTrusted) return undefined;
  try {
    await findRowsFile(notebook.uri, value.text);
    return undefined;
  } catch (error) {
    if (!isAppError(error, "notFound")) return undefined;
    return toDiagnostic(document, { ...value.span, message: error.message }, "noFile");
  }
}

function toDiagnostic(
  document: vscode.TextDocument,
  { start, end, message }: Pick<RecipeProblem, "start" | "end" | "message">,
  code: CellProblemCode,
): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(rangeOf(document, { start, end }), message);
  diagnostic.source = problemSource;
  diagnostic.code = code;
  return diagnostic;
}
