import * as vscode from "vscode";
import { isAppError } from "../../mindsdb/errors.ts";
import { notebooks, sqlLanguage } from "../../ids.ts";
import { trainingFailure } from "../../mindsdb/predict.ts";
import { formatModelName, parseModelName } from "../notebook/modelName.ts";
import { parseRecipe, type RecipeProblem } from "../notebook/recipe.ts";
import { detectRowsFormat, rowsFileGlob } from "../rows/readRows.ts";
import { parseTableName } from "../notebook/serverSource.ts";
import { findCell, findNames, watchRemovedCells, type NamedValue } from "./cellText.ts";
import type { KnownModels, ModelState } from "./knownModels.ts";
import type { KnownTables } from "./knownTables.ts";
import { OtherCells } from "./otherCells.ts";
import type { NameSource } from "./sqlCompletionProvider.ts";
import {
  maxCheckedText,
  maxSqlProblems,
  toDiagnostic,
  toSqlDiagnostic,
  type SqlProblemCode,
} from "./sqlDiagnostics.ts";
import { SqlTextChecks } from "./sqlTextChecks.ts";
import { findRowsFile } from "./findRowsFile.ts";

/** The `code` of a diagnostic, by which quick fixes are chosen. */
export type CellProblemCode =
  | Exclude<RecipeProblem["kind"], "syntax">
  | SqlProblemCode
  | "noModel"
  | "untrained"
  | "noFile"
  | "noTable"
  | "cachedJoin";

/** Milliseconds without an edit before a text is checked. */
const checkDelayMs = 300;
/** Milliseconds that known problems wait for those that need a request. */
const maxLookUpMs = 400;

interface CellProblemsOptions {
  models: KnownModels;
  tables: KnownTables;
  /** The connection that a notebook uses. */
  findConnection: (notebook: vscode.NotebookDocument) => { id: string; name: string } | undefined;
  /** Where the names of a SQL cell are looked up. */
  findSource: (document: vscode.TextDocument) => NameSource | undefined;
}

/** Marks problems in recipes, and joins with models in statements, while they are edited. */
export class CellProblems implements vscode.Disposable {
  readonly #options: CellProblemsOptions;
  readonly #diagnostics = vscode.languages.createDiagnosticCollection("mindsdb-predict");
  /** Pending checks by the document's address; a new one aborts the earlier. */
  readonly #checks = new Map<string, AbortController>();
  readonly #sql: SqlTextChecks;
  readonly #otherCells = new OtherCells();
  readonly #subscriptions: vscode.Disposable[];

  constructor(options: CellProblemsOptions) {
    this.#options = options;
    this.#sql = new SqlTextChecks(options.tables, () => this.checkSql());
    const files = vscode.workspace.createFileSystemWatcher(rowsFileGlob, false, true);
    this.#subscriptions = [
      this.#diagnostics,
      this.#sql,
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

  /** Checks all cells again, because models or files may have been created or deleted. */
  checkAll(): void {
    vscode.workspace.notebookDocuments.forEach((notebook) => this.#checkNotebook(notebook));
  }

  /** Checks all SQL cells again, because other names are known. */
  checkSql(): void {
    for (const notebook of vscode.workspace.notebookDocuments) {
      if (notebook.notebookType !== notebooks.type) continue;
      for (const { document } of notebook.getCells()) {
        if (document.languageId === sqlLanguage) this.#schedule(notebook, document);
      }
    }
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
    const notebook = findCell(document)?.notebook;
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
    if (!["json", sqlLanguage].includes(document.languageId)) {
      this.#clear(document);
      return;
    }
    const check = new AbortController();
    this.#checks.set(key, check);
    const timer = setTimeout(
      () => void this.#check(notebook, document, check.signal),
      checkDelayMs,
    );
    check.signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  }

  async #check(
    notebook: vscode.NotebookDocument,
    document: vscode.TextDocument,
    signal: AbortSignal,
  ): Promise<void> {
    const text = document.getText();
    if (text.length > maxCheckedText) {
      this.#diagnostics.delete(document.uri);
      return;
    }
    if (document.languageId === sqlLanguage) {
      const problems = await this.#sql.check(document, {
        text,
        statements: [{ text, start: 0 }],
        limit: maxSqlProblems,
        source: this.#options.findSource(document),
        other: () => this.#otherCells.read(notebook),
      });
      const found = problems.map((problem) => toSqlDiagnostic(document, problem));
      if (signal.aborted) return;
      // Shown before the server is asked for its models.
      if (found.length > 0) this.#diagnostics.set(document.uri, found);
      const join = await this.#findJoinProblem(notebook, document);
      if (!signal.aborted) this.#diagnostics.set(document.uri, join ? [...found, join] : found);
      return;
    }
    const parsed = parseRecipe(text);
    const known = parsed.problems.flatMap((problem) =>
      problem.kind === "syntax"
        ? []
        : [toDiagnostic<CellProblemCode>(document, problem, problem.kind)],
    );
    const set = (problems: vscode.Diagnostic[]): void => {
      if (!signal.aborted) this.#diagnostics.set(document.uri, problems);
    };
    const slow = setTimeout(() => set(known), maxLookUpMs);
    const found = await Promise.all(
      findNames(text, parsed).map((value) => this.#findNameProblem(notebook, document, value)),
    );
    clearTimeout(slow);
    set([...known, ...found.filter((problem) => problem !== undefined)]);
  }

  async #findNameProblem(
    notebook: vscode.NotebookDocument,
    document: vscode.TextDocument,
    value: NamedValue,
  ): Promise<vscode.Diagnostic | undefined> {
    if (value.key === "rows") return findFileProblem(notebook, document, value);
    const connection = this.#options.findConnection(notebook);
    if (!connection) return undefined;
    return value.key === "model"
      ? this.#findModelProblem(connection, document, value)
      : this.#findTableProblem(connection, document, value);
  }

  async #findModelProblem(
    connection: { id: string; name: string },
    document: vscode.TextDocument,
    value: NamedValue,
  ): Promise<vscode.Diagnostic | undefined> {
    const name = parseModelName(value.text);
    if (!name) return undefined;
    const state = await this.#options.models.checkModel(connection.id, name);
    const [model, at] = [formatModelName(name), connection.name];
    const messages: Partial<Record<ModelState, string>> = {
      noProject: vscode.l10n.t("{0} has no project {1}.", at, name.project),
      noModel: vscode.l10n.t("{0} has no model {1}.", at, model),
      noVersion: vscode.l10n.t("{0} has no version {1} of this model.", at, name.version ?? ""),
    };
    const message = messages[state];
    if (message !== undefined) {
      return toDiagnostic<CellProblemCode>(document, { ...value.span, message }, "noModel");
    }
    const version = await this.#options.models.findKnown(connection.id, name);
    if (version?.status !== "error") return undefined;
    const { message: why } = trainingFailure(version);
    return toDiagnostic<CellProblemCode>(document, { ...value.span, message: why }, "untrained");
  }

  async #findJoinProblem(
    notebook: vscode.NotebookDocument,
    document: vscode.TextDocument,
  ): Promise<vscode.Diagnostic | undefined> {
    const connection = this.#options.findConnection(notebook);
    const join = await this.#options.models.findJoin(connection?.id, document.getText());
    // Ignored inputs are marked with the other names.
    if (!join || join.ignored) return undefined;
    const message = vscode.l10n.t(
      "A JOIN may return cached predictions of another version or other rows. A recipe cell calls the model directly.",
    );
    const problem = toDiagnostic<CellProblemCode>(
      document,
      { ...join.span, message },
      "cachedJoin",
    );
    problem.severity = vscode.DiagnosticSeverity.Warning;
    return problem;
  }

  async #findTableProblem(
    connection: { id: string; name: string },
    document: vscode.TextDocument,
    value: NamedValue,
  ): Promise<vscode.Diagnostic | undefined> {
    const parts = parseTableName(value.text);
    if (!parts) return undefined;
    const state = await this.#options.tables.checkTable(connection.id, parts);
    // Predictions may go into a table that is new.
    if (state !== "noSource" && (state !== "noTable" || value.key === "into")) return undefined;
    const message =
      state === "noSource"
        ? vscode.l10n.t("{0} has no data source {1}.", connection.name, parts[0] ?? "")
        : vscode.l10n.t("{0} has no table {1}.", connection.name, value.text);
    return toDiagnostic<CellProblemCode>(document, { ...value.span, message }, "noTable");
  }
}

async function findFileProblem(
  notebook: vscode.NotebookDocument,
  document: vscode.TextDocument,
  value: NamedValue,
): Promise<vscode.Diagnostic | undefined> {
  // A notebook in a workspace that is not trusted must not cause file access.
  if (!detectRowsFormat(value.text) || !vscode.workspace.isTrusted) return undefined;
  try {
    await findRowsFile(notebook.uri, value.text);
    return undefined;
  } catch (error) {
    if (!isAppError(error, "notFound")) return undefined;
    return toDiagnostic<CellProblemCode>(
      document,
      { ...value.span, message: error.message },
      "noFile",
    );
  }
}
