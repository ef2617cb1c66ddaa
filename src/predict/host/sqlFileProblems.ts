// Marks what the server's parser would refuse in SQL files, while they are edited.
import * as vscode from "vscode";
import { sqlLanguage } from "../../ids.ts";
import { visibleLine } from "../../shared/oneLine.ts";
import { describeSqlProblem } from "../notebook/sqlProblem.ts";
import { readStatements } from "../sqlFile/fileStatements.ts";
import { maxCheckedText } from "./cellProblems.ts";
import { problemSource, toRange } from "./cellText.ts";

/** Milliseconds without an edit before a file is checked. */
const checkDelayMs = 300;
/** Problems that are shown of a file. */
const maxProblems = 100;

export class SqlFileProblems implements vscode.Disposable {
  readonly #diagnostics = vscode.languages.createDiagnosticCollection("mindsdb-sql-file");
  readonly #timers = new Map<vscode.TextDocument, NodeJS.Timeout>();
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
    const problems =
      text.length > maxCheckedText ? [] : await findProblems(document, text, maxProblems);
    if (document.isClosed || document.version !== version) return;
    this.#diagnostics.set(document.uri, problems);
  }
}

async function findProblems(
  document: vscode.TextDocument,
  text: string,
  limit: number,
): Promise<vscode.Diagnostic[]> {
  const { parseSql } = await import("../../mindsdb/sql/parser/parseSql.ts");
  const found: vscode.Diagnostic[] = [];
  for (const statement of readStatements(text)) {
    const { problem } = parseSql(statement.text);
    const described = problem && describeSqlProblem(statement.text, problem);
    if (!described) continue;
    const [start, end] = [described.start, described.end].map((at) => statement.start + at);
    const range = toRange(document, { start: start!, end: end! });
    const diagnostic = new vscode.Diagnostic(range, visibleLine(described.message, 2_000));
    diagnostic.source = problemSource;
    diagnostic.code = "sqlSyntax";
    found.push(diagnostic);
    if (found.length === limit) break;
  }
  return found;
}
