// All that SQL files can do. Imported with the first one.
import * as vscode from "vscode";
import { sqlLanguage } from "../../ids.ts";
import { setActiveConnection } from "../../shared/host/activeConnection.ts";
import { showWarning } from "../../shared/host/notifications.ts";
import { isAppError } from "../../mindsdb/errors.ts";
import type { ItemRef } from "../../mindsdb/references.ts";
import { createItemQuery, isQueryKind } from "../sqlFile/itemQuery.ts";
import { readStatements, statementAt, type FileStatement } from "../sqlFile/fileStatements.ts";
import { findUsedDatabase } from "../sqlFile/usedDatabase.ts";
import { KnownModels } from "./knownModels.ts";
import { KnownTables } from "./knownTables.ts";
import { SqlMeanings } from "./sqlMeanings.ts";
import { SqlCompletionProvider, sqlTriggers, type FindSource } from "./sqlCompletionProvider.ts";
import { isSqlFile, sqlDocuments } from "./sqlDocuments.ts";
import { SqlFileLanguages } from "./sqlFileLanguages.ts";
import { SqlFileLenses, sqlFileOutline } from "./sqlFileLenses.ts";
import { SqlFilePlaces } from "./sqlFilePlaces.ts";
import { SqlFileProblems } from "./sqlFileProblems.ts";
import { SqlFileRunner } from "./sqlFileRunner.ts";
import type { SqlFilesOptions } from "./predictOptions.ts";
import { SqlHistory, type HistoryEntry } from "./sqlHistory.ts";
import { SqlResultsView } from "./sqlResultsView.ts";
import { forgetChangedNames } from "./forgetChangedNames.ts";

export class SqlFileFeatures implements vscode.Disposable {
  readonly results: SqlResultsView;
  readonly places: SqlFilePlaces;
  readonly languages: SqlFileLanguages;
  readonly history: SqlHistory;
  readonly #servers: SqlFilesOptions["servers"];
  readonly #runner: SqlFileRunner;
  readonly #meanings: SqlMeanings;
  readonly #subscriptions: vscode.Disposable[];

  constructor(options: SqlFilesOptions) {
    const { servers } = options;
    this.results = new SqlResultsView({
      ...options,
      runStored: ({ connectionId, statement, canRun, database }) =>
        this.#openStatement({ connectionId, database, text: statement }, canRun),
    });
    this.#servers = servers;
    this.history = new SqlHistory(options.historyFolder);
    this.places = new SqlFilePlaces(options);
    this.languages = new SqlFileLanguages(options.state);
    this.#runner = new SqlFileRunner(options, this.places, this.results, this.history);
    const isTrusted = () => vscode.workspace.isTrusted;
    const models = new KnownModels(servers, isTrusted);
    const tables = new KnownTables(servers, isTrusted);
    // None for cells, whose notebook has the connection.
    const findSource: FindSource = (document, position) => {
      if (!isSqlFile(document)) return undefined;
      const place = this.places.find(document.uri);
      // Names are explained as when the whole file runs.
      const used = position && findUsedDatabase(document.getText(), document.offsetAt(position));
      // It runs on the only connection without a question.
      const [only, ...others] = servers.list();
      const connection = place?.connection ?? (others.length === 0 ? only : undefined);
      return { connectionId: connection?.id, project: used ?? place?.database };
    };
    this.#meanings = new SqlMeanings(options, models, tables, findSource);
    const problems = new SqlFileProblems(tables, findSource, {
      onDidChangeSource: this.places.onDidChange,
      onDidSucceed: this.#runner.onDidSucceed,
    });
    const changed = new vscode.EventEmitter<void>();
    const { languages, window } = vscode;
    this.#subscriptions = [
      this.results,
      this.places,
      this.languages,
      this.#runner,
      changed,
      problems,
      ...forgetChangedNames(servers, models, tables, () => undefined),
      servers.onDidChange(() => changed.fire()),
      this.places.onDidChange(() => {
        changed.fire();
        this.#reportActive();
      }),
      this.#runner.onDidChange(() => changed.fire()),
      window.onDidChangeActiveTextEditor(() => this.#reportActive()),
      languages.registerCodeLensProvider(
        sqlDocuments,
        new SqlFileLenses(this.places, this.#runner, changed.event),
      ),
      languages.registerDocumentSymbolProvider(sqlDocuments, sqlFileOutline),
      languages.registerCompletionItemProvider(
        sqlDocuments,
        new SqlCompletionProvider(models, tables, findSource),
        ...sqlTriggers,
      ),
      languages.registerHoverProvider(sqlDocuments, this.#meanings),
      languages.registerDefinitionProvider(sqlDocuments, this.#meanings),
    ];
    this.#reportActive();
  }

  /** Opens a new file, with a connection and a default project if they are given. */
  async newFile(
    given?: { connectionId: string; project?: string },
    content = "",
  ): Promise<vscode.TextEditor> {
    const document = await vscode.workspace.openTextDocument({ language: sqlLanguage, content });
    if (given) {
      const { connectionId, project } = given;
      await this.places.set(document.uri, { connectionId, database: project });
    }
    return vscode.window.showTextDocument(document);
  }

  /** Opens a file with the query of an item of the tree, on its connection. */
  async queryItem(item: ItemRef & { kind?: string }): Promise<void> {
    const { connectionId, kind = "" } = item;
    if (!isQueryKind(kind)) return;
    const snippet = new vscode.SnippetString();
    try {
      for (const { text, example } of createItemQuery(kind, item)) {
        if (text !== undefined) snippet.appendText(text);
        else snippet.appendPlaceholder(example ?? "");
      }
    } catch (error) {
      if (!isAppError(error, "sql")) throw error;
      void showWarning(error.message);
      return;
    }
    const editor = await this.newFile({ connectionId });
    await editor.insertSnippet(snippet);
  }

  /** Opens a statement that was run before in a new file, and runs it if the user wants that. */
  async showHistory(): Promise<void> {
    const { chooseFromHistory } = await import("./showSqlHistory.ts");
    const chosen = await chooseFromHistory(this.history, this.#servers);
    if (chosen) await this.#openStatement(chosen.entry, chosen.runsAgain);
  }

  /** Opens a statement in a new file, and runs it. */
  async #openStatement(
    { connectionId, database, text }: Pick<HistoryEntry, "connectionId" | "database" | "text">,
    runs: boolean,
  ): Promise<void> {
    const place = { connectionId, ...(database !== undefined && { project: database }) };
    const { document } = await this.newFile(place, `${text};\n`);
    const [statement] = readStatements(document.getText());
    if (runs && statement) await this.#runner.run(document, [statement]);
  }

  /** Makes the file of the active editor one of MindsDB's. */
  async useLanguage(): Promise<void> {
    await this.languages.use();
  }

  /** Runs the statement of a lens, or the one at the caret. */
  async runStatement(uri?: string, start?: number, text?: string): Promise<void> {
    if (typeof uri === "string" && typeof start === "number") {
      const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri);
      if (!document || !isSqlFile(document)) return;
      // The lens may be older than the last edit.
      const statement = readStatements(document.getText()).find(
        (one) => one.start === start && one.text === text,
      );
      if (statement) await this.#runner.run(document, [statement]);
      else void showWarning(vscode.l10n.t("The statement has changed. Run it again."));
      return;
    }
    const editor = this.#editorToRun();
    if (!editor) return;
    const { document, selection } = editor;
    const sql = document.getText();
    const caret = document.offsetAt(selection.active);
    const statement = statementAt(sql, readStatements(sql), caret);
    if (statement) await this.#runner.run(document, [statement]);
    else void showWarning(vscode.l10n.t("Place the cursor in a statement."));
  }

  /** Runs the selected statements, or all. */
  async runFile(): Promise<void> {
    const editor = this.#editorToRun();
    if (!editor) return;
    const { document, selection } = editor;
    const statements: FileStatement[] = selection.isEmpty
      ? readStatements(document.getText())
      : readStatements(document.getText(selection), document.offsetAt(selection.start));
    if (statements.length > 0) await this.#runner.run(document, statements);
    else void showWarning(vscode.l10n.t("There is no statement to run."));
  }

  stop(): void {
    const editor = this.#activeEditor();
    if (editor) this.#runner.stop(editor.document.uri);
  }

  /** Opens the page of what a name in a file refers to. Returns false if there is none. */
  openPage(document: vscode.TextDocument, position: vscode.Position): Promise<boolean> {
    return this.#meanings.openPage(document, position);
  }

  async chooseConnection(): Promise<void> {
    const editor = this.#activeEditor();
    if (editor) await this.places.chooseConnection(editor.document.uri);
  }

  async chooseProject(): Promise<void> {
    const editor = this.#activeEditor();
    if (editor) await this.places.chooseProject(editor.document.uri);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #activeEditor(): vscode.TextEditor | undefined {
    const editor = vscode.window.activeTextEditor;
    return editor && isSqlFile(editor.document) ? editor : undefined;
  }

  /** The active editor, without suggestions: they would hide the next statement, and take the next Enter. */
  #editorToRun(): vscode.TextEditor | undefined {
    void vscode.commands.executeCommand("hideSuggestWidget");
    return this.#activeEditor();
  }

  #reportActive(): void {
    const editor = this.#activeEditor();
    setActiveConnection(this, editor && this.places.find(editor.document.uri)?.connection.id);
  }
}
