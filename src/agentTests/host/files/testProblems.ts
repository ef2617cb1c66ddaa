import * as vscode from "vscode";
import { visibleLine } from "../../../shared/oneLine.ts";
import type { FileProblem } from "../../files/testFile.ts";
import type { TextRange } from "../../files/yamlTree.ts";

/** The most problems of a file that are marked. */
const maxProblems = 200;

const diagnosticSource = "MindsDB";

/** Returns the document of a file that is open. */
export function findOpenDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === key);
}

/** Marks what is wrong in test files, in the editor and in the list of problems. */
export class TestProblems implements vscode.Disposable {
  readonly #collection = vscode.languages.createDiagnosticCollection("mindsdb-agent-tests");
  /** By file: what marked names were probably meant to be. VS Code passes copies of diagnostics on. */
  readonly #suggestions = new Map<string, { range: vscode.Range; suggestion: string }[]>();

  /** Problems are marked in files that are open. */
  show(
    uri: vscode.Uri,
    problems: readonly FileProblem[],
    toRange: (range: TextRange) => vscode.Range,
  ): void {
    if (!findOpenDocument(uri)) return;
    this.#suggestions.set(
      uri.toString(),
      problems
        .slice(0, maxProblems)
        .flatMap(({ range, suggestion }) =>
          suggestion === undefined ? [] : [{ range: toRange(range), suggestion }],
        ),
    );
    this.#collection.set(
      uri,
      problems.slice(0, maxProblems).map(({ message, range }) => {
        const { Error } = vscode.DiagnosticSeverity;
        const diagnostic = new vscode.Diagnostic(
          toRange(range),
          visibleLine(message, 2_000),
          Error,
        );
        diagnostic.source = diagnosticSource;
        return diagnostic;
      }),
    );
  }

  /** The probably intended name for a marked one. */
  findSuggestion(uri: vscode.Uri, { source, range }: vscode.Diagnostic): string | undefined {
    if (source !== diagnosticSource) return undefined;
    const suggestions = this.#suggestions.get(uri.toString());
    return suggestions?.find((one) => one.range.isEqual(range))?.suggestion;
  }

  clear(uri: vscode.Uri): void {
    this.#suggestions.delete(uri.toString());
    this.#collection.delete(uri);
  }

  dispose(): void {
    this.#collection.dispose();
  }
}
