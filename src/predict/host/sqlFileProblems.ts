// Marks what the server's parser would refuse or misread in SQL files, and unknown names, while they are edited.
import * as vscode from "vscode";
import { readStatements } from "../sqlFile/fileStatements.ts";
import type { KnownTables } from "./knownTables.ts";
import type { NameSource } from "./sqlCompletionProvider.ts";
import { maxCheckedText, toSqlDiagnostic } from "./sqlDiagnostics.ts";
import { isSqlFile } from "./sqlDocuments.ts";
import type { RanStatement } from "./sqlFileRunner.ts";
import { SqlTextChecks } from "./sqlTextChecks.ts";

/** Milliseconds without an edit before a file is checked. */
const checkDelayMs = 300;
/** Problems that are shown of a file. */
const maxProblems = 100;

interface ProblemEvents {
  onDidChangeSource: vscode.Event<void>;
  onDidSucceed: vscode.Event<RanStatement>;
}

export class SqlFileProblems implements vscode.Disposable {
  readonly #diagnostics = vscode.languages.createDiagnosticCollection("mindsdb-sql-file");
  readonly #timers = new Map<vscode.TextDocument, NodeJS.Timeout>();
  readonly #checks: SqlTextChecks;
  readonly #findSource: (document: vscode.TextDocument) => NameSource | undefined;
  readonly #subscriptions: vscode.Disposable[];

  /** `onDidChangeSource` fires when names are looked up somewhere else, and `onDidSucceed` when a statement has succeeded. */
  constructor(
    tables: KnownTables,
    findSource: (document: vscode.TextDocument) => NameSource | undefined,
    { onDidChangeSource, onDidSucceed }: ProblemEvents,
  ) {
    const { workspace } = vscode;
    this.#checks = new SqlTextChecks(tables, () => this.#checkAll());
    this.#findSource = findSource;
    this.#subscriptions = [
      this.#diagnostics,
      this.#checks,
      onDidChangeSource(() => this.#checkAll()),
      onDidSucceed(({ document, start }) => {
        this.#checks.ran(document, start);
        this.#schedule(document);
      }),
      workspace.onDidGrantWorkspaceTrust(() => this.#checkAll()),
      workspace.onDidOpenTextDocument((document) => this.#schedule(document)),
      workspace.onDidChangeTextDocument(({ document }) => this.#schedule(document)),
      workspace.onDidCloseTextDocument((document) => {
        clearTimeout(this.#timers.get(document));
        this.#timers.delete(document);
        if (isSqlFile(document)) this.#diagnostics.delete(document.uri);
      }),
    ];
    this.#checkAll();
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #checkAll(): void {
    for (const document of vscode.workspace.textDocuments) this.#schedule(document);
  }

  #schedule(document: vscode.TextDocument): void {
    if (!isSqlFile(document)) return;
    clearTimeout(this.#timers.get(document));
    const check = (): void => void this.#check(document);
    this.#timers.set(document, setTimeout(check, checkDelayMs));
  }

  async #check(document: vscode.TextDocument): Promise<void> {
    this.#timers.delete(document);
    const { version } = document;
    const text = document.getText();
    const problems = text.length > maxCheckedText ? [] : await this.#find(document, text);
    if (document.isClosed || document.version !== version) return;
    this.#diagnostics.set(document.uri, problems);
  }

  async #find(document: vscode.TextDocument, text: string): Promise<vscode.Diagnostic[]> {
    const found = await this.#checks.check(document, {
      text,
      statements: readStatements(text),
      limit: maxProblems,
      source: this.#findSource(document),
    });
    return found.map((problem) => toSqlDiagnostic(document, problem));
  }
}
