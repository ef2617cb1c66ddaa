import * as vscode from "vscode";
import { SqlStatementError } from "../../mindsdb/sql/sqlError.ts";
import type { Span } from "../notebook/recipe.ts";
import { problemSource, watchRemovedCells } from "./cellText.ts";
import { maxCheckedText, maxSqlProblems, toDiagnostic } from "./sqlDiagnostics.ts";

/** Marks the place of the server's error in a SQL cell, until its text is changed or the cell runs again. */
export class SqlErrorMarks implements vscode.Disposable {
  readonly #marks = vscode.languages.createDiagnosticCollection("mindsdb-sql");
  readonly #subscriptions = [
    vscode.workspace.onDidChangeTextDocument(({ document }) => this.clear(document)),
    watchRemovedCells((document) => this.clear(document)),
    vscode.languages.onDidChangeDiagnostics(({ uris }) => this.#removeRepeated(uris)),
  ];

  clear({ uri }: vscode.TextDocument): void {
    if (this.#marks.has(uri)) this.#marks.delete(uri);
  }

  /** An unknown name that is marked as such, with its fixes, is not marked again: that may be found before or after. */
  #removeRepeated(uris: readonly vscode.Uri[]): void {
    for (const uri of uris) {
      const [own] = this.#marks.get(uri) ?? [];
      if (!own) continue;
      // few: the problems of a file.
      const isRepeated = vscode.languages.getDiagnostics(uri).some((one) => {
        const isOther = one.source === problemSource && one.message !== own.message;
        return isOther && one.range.isEqual(own.range);
      });
      if (isRepeated) this.#marks.delete(uri);
    }
  }

  /**
   * Marks the place of an error, if it has one and the document still holds the statement at `start`. `CellProblems` and
   * `SqlFileProblems` mark what the server's parser refuses or misreads. `originalPlace`: the place in a statement that was
   * sent with values.
   */
  async mark(
    document: vscode.TextDocument,
    { text: statement, start }: { text: string; start: number },
    error: unknown,
    originalPlace = (place: Span) => place,
  ): Promise<void> {
    if (!(error instanceof SqlStatementError) || !error.place) return;
    const { SqlChecker } = await import("../sqlFile/sqlChecker.ts");
    const place = originalPlace(error.place);
    const known =
      statement.length <= maxCheckedText
        ? new SqlChecker().check(statement, [{ text: statement, start: 0 }], maxSqlProblems)
        : [];
    if (known.some((one) => one.code === "sqlSyntax" || one.start === place.start)) return;
    if (document.isClosed || !document.getText().startsWith(statement, start)) return;
    const span = { start: start + place.start, end: start + place.end };
    this.#marks.set(document.uri, [toDiagnostic(document, { ...span, message: error.message })]);
  }

  dispose(): void {
    this.#marks.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}
