import * as vscode from "vscode";
import { findTexts, readSourceMembers, type ParsedRecipe, type Span } from "../notebook/recipe.ts";
import { contentHash, type CellContent } from "../notebook/resultKeys.ts";
import type { ResultOrigin } from "../result/resultMetadata.ts";

export function readContent({ document }: vscode.NotebookCell): CellContent {
  return { language: document.languageId, text: document.getText() };
}

/** Whether a cell's content differs from the one that a result was made from. */
export function hasOtherContent(cell: vscode.NotebookCell, origin: ResultOrigin): boolean {
  return contentHash(readContent(cell)) !== origin.contentHash;
}

export function findNotebook(document: vscode.TextDocument): vscode.NotebookDocument | undefined {
  return vscode.workspace.notebookDocuments.find((notebook) =>
    notebook.getCells().some((cell) => cell.document === document),
  );
}

/** Calls `onRemove` with the document of each cell that is deleted, closed with its notebook, or gets another language. */
export function watchRemovedCells(
  onRemove: (document: vscode.TextDocument) => void,
): vscode.Disposable {
  return vscode.Disposable.from(
    // VS Code closes and opens a document whose language changes.
    vscode.workspace.onDidCloseTextDocument(onRemove),
    vscode.workspace.onDidChangeNotebookDocument(({ contentChanges }) => {
      const removed = contentChanges.flatMap(({ removedCells }) => removedCells);
      for (const { document } of removed) onRemove(document);
    }),
    vscode.workspace.onDidCloseNotebookDocument((notebook) => {
      for (const { document } of notebook.getCells()) onRemove(document);
    }),
  );
}

export function toRange(document: vscode.TextDocument, { start, end }: Span): vscode.Range {
  // Offsets in a recipe count the document's own line ends.
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** The value of a JSON string; "" for anything that is not JSON. */
export function parseJsonText(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    return "";
  }
}

/** A property of a recipe; "table" is that of rows on the server. */
export type TextKey = "model" | "rows" | "table" | "into";

/** A property's value and its place; undefined unless it is a JSON string. */
export function findTextValue(
  text: string,
  key: TextKey,
  { values }: ParsedRecipe,
): { text: string; span: Span } | undefined {
  const span = key === "table" ? findTable(text, values.rows) : values[key];
  const json = span && text.slice(span.start, span.end);
  return span && json?.startsWith('"') ? { text: parseJsonText(json), span } : undefined;
}

/** The models that a recipe names, with their places. */
export function findModels(text: string, parsed: ParsedRecipe): { text: string; span: Span }[] {
  const one = findTextValue(text, "model", parsed);
  const list = parsed.values.models;
  if (one || !list) return one ? [one] : [];
  return findTexts(text.slice(list.start, list.end), list.start);
}

function findTable(text: string, rows: Span | undefined): Span | undefined {
  if (!rows || text[rows.start] !== "{") return undefined;
  const members = readSourceMembers(text.slice(rows.start, rows.end), rows.start);
  return members.find(({ name }) => name === "table")?.value;
}
