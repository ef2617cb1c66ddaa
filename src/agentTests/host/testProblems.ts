import * as vscode from "vscode";
import { visibleLine } from "../../shared/oneLine.ts";
import type { FileProblem } from "../testFile.ts";
import type { TextRange } from "../yamlTree.ts";

/** The most problems of a file that are marked. */
const maxProblems = 200;

/** Returns the document of a file that is open. */
export function findOpenDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === key);
}

/** Marks what is wrong in test files, in the editor and in the list of problems. */
export class TestProblems implements vscode.Disposable {
  readonly #collection = vscode.languages.createDiagnosticCollection("mindsdb-agent-tests");

  /** Problems are marked in files that are open. */
  show(
    uri: vscode.Uri,
    problems: readonly FileProblem[],
    toRange: (range: TextRange) => vscode.Range,
  ): void {
    if (!findOpenDocument(uri)) return;
    this.#collection.set(
      uri,
      problems.slice(0, maxProblems).map(({ message, range }) => {
        const { Error } = vscode.DiagnosticSeverity;
        const diagnostic = new vscode.Diagnostic(
          toRange(range),
          visibleLine(message, 2_000),
          Error,
        );
        diagnostic.source = "MindsDB";
        return diagnostic;
      }),
    );
  }

  clear(uri: vscode.Uri): void {
    this.#collection.delete(uri);
  }

  dispose(): void {
    this.#collection.dispose();
  }
}
