import * as vscode from "vscode";
import { sqlLanguage } from "../../ids.ts";
import { findForeignStatements, holdsForeignStatement } from "../notebook/foreignStatements.ts";
import { isPredictNotebook } from "./isPredictNotebook.ts";

/**
 * Knows which cells the user wrote in this window, and which statements came from files. Imported with the first notebook.
 */
export class OwnTexts implements vscode.Disposable {
  /** Cells whose last change was made in their active editor: the user typed or pasted it. */
  readonly #typed = new WeakSet<vscode.TextDocument>();
  readonly #foreign = new Set<string>();
  readonly #subscription: vscode.Disposable;

  constructor() {
    this.#subscription = vscode.workspace.onDidChangeTextDocument(
      ({ document, contentChanges }) => {
        if (document.languageId !== sqlLanguage || contentChanges.length === 0) return;
        if (vscode.window.activeTextEditor?.document === document) this.#typed.add(document);
        else this.#typed.delete(document);
      },
    );
  }

  /** Call with the cells of each notebook that is read from a file, also again. */
  noteFromFile(cells: readonly vscode.NotebookCellData[]): void {
    // A file may hold what the user wrote here and saved.
    const own = new Set(
      vscode.workspace.notebookDocuments
        .filter(isPredictNotebook)
        .flatMap((notebook) => notebook.getCells())
        .flatMap(({ document }) => (this.isOwn(document) ? [document.getText()] : [])),
    );
    for (const { languageId, value } of cells) {
      if (own.has(value)) continue;
      for (const statement of findForeignStatements(value)) {
        // The user can make SQL of any cell. Words of prose are in many statements.
        if (languageId === sqlLanguage || hasThreeTokens(statement)) this.#foreign.add(statement);
      }
    }
  }

  /** Whether the user wrote a cell's text in this window. A statement of a file with some changes is the file's. */
  isOwn(document: vscode.TextDocument): boolean {
    return this.#typed.has(document) && !holdsForeignStatement(document.getText(), this.#foreign);
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}

function hasThreeTokens(statement: string): boolean {
  return /\S\s+\S+\s+\S/.test(statement);
}
