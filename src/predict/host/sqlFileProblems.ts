// Marks what the server's parser would refuse or misread in SQL files, while they are edited.
import * as vscode from "vscode";
import { sqlLanguage } from "../../ids.ts";
import { readStatements } from "../sqlFile/fileStatements.ts";
import { maxCheckedText } from "./cellProblems.ts";
import type { SqlChecker } from "../sqlFile/sqlChecker.ts";
import { toSqlDiagnostic } from "./sqlDiagnostics.ts";

/** Milliseconds without an edit before a file is checked. */
const checkDelayMs = 300;
/** Problems that are shown of a file. */
const maxProblems = 100;

export class SqlFileProblems implements vscode.Disposable {
  readonly #diagnostics = vscode.languages.createDiagnosticCollection("mindsdb-sql-file");
  readonly #timers = new Map<vscode.TextDocument, NodeJS.Timeout>();
  readonly #checkers = new WeakMap<vscode.TextDocument, SqlChecker>();
  readonly #subscriptions: vscode.Disposable[];

  constructor() {
    const { workspace } = vscode;
    this.#subscriptions = [
      this.#diagnostics,
      workspace.onDidOpenTextDocument((document) => this.#schedule(document)),
      workspace.onDidChangeTextDocument(({ document }) => this.#schedule(document)),
      workspace.onDidCloseTextDocument((document) => {
        clearTimeout(this.#timers.get(document));
        this.#timers.delete(document);
        if (document.languageId === sqlLanguage) this.#diagnostics.delete(document.uri);
      }),
    ];
    for (const document of workspace.textDocuments) this.#schedule(document);
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #schedule(document: vscode.TextDocument): void {
    if (document.languageId !== sqlLanguage) return;
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
    const { SqlChecker } = await import("../sqlFile/sqlChecker.ts");
    const checker = this.#checkers.get(document) ?? new SqlChecker();
    this.#checkers.set(document, checker);
    const found = checker.check(text, readStatements(text), maxProblems);
    return found.map((problem) => toSqlDiagnostic(document, problem));
  }
}
