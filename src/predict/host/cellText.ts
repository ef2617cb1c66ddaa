import * as vscode from "vscode";
import { findTexts, readSourceMembers, type ParsedRecipe, type Span } from "../notebook/recipe.ts";
import { hashContent, type CellContent } from "../notebook/cellKeys.ts";
import type { RunOrigin } from "../result/resultMetadata.ts";

/** The `source` of all our diagnostics. */
export const problemSource = "MindsDB";

export function readContent({ document }: vscode.NotebookCell): CellContent {
  return { language: document.languageId, text: document.getText() };
}

/** Whether a cell's content differs from the one that a result was made from. */
export function hasOtherContent(cell: vscode.NotebookCell, origin: RunOrigin): boolean {
  return hashContent(readContent(cell)) !== origin.contentHash;
}

/** Cells by their documents: each of thousands of cells is looked for when its notebook is opened. */
const knownCells = new WeakMap<vscode.TextDocument, vscode.NotebookCell>();

/** The cell with this document, in any notebook. */
export function findCell(document: vscode.TextDocument): vscode.NotebookCell | undefined {
  if (document.uri.scheme !== "vscode-notebook-cell") return undefined;
  const isPresent = (cell: vscode.NotebookCell | undefined): boolean =>
    cell?.document === document && !cell.notebook.isClosed && cell.index >= 0;
  if (!isPresent(knownCells.get(document))) {
    knownCells.delete(document);
    for (const notebook of vscode.workspace.notebookDocuments) {
      for (const cell of notebook.getCells()) knownCells.set(cell.document, cell);
    }
  }
  return knownCells.get(document);
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

/** A text in a recipe that names something. */
export interface NamedValue {
  /** "table" is that of rows on the server. */
  key: "model" | "rows" | "table" | "into";
  text: string;
  span: Span;
}

/** Names of models that are read of a recipe, which can have two: each is looked up on the server. */
const maxNames = 10;

/** The texts of a recipe that name its models, its rows and its target table. */
export function findNames(recipe: string, { values }: ParsedRecipe): NamedValue[] {
  const { model, models, rows, into } = values;
  const readAll = (key: NamedValue["key"], span: Span): NamedValue[] =>
    findTexts(recipe.slice(span.start, span.end), span.start)
      .slice(0, maxNames)
      .map((text) => ({ key, ...text }));
  const read = (key: NamedValue["key"], span: Span | undefined): NamedValue[] =>
    span && recipe[span.start] === '"' ? readAll(key, span) : [];
  return [
    ...(models && !model ? readAll("model", models) : read("model", model)),
    ...read("rows", rows),
    ...read("table", findTable(recipe, rows)),
    ...read("into", into),
  ];
}

function findTable(text: string, rows: Span | undefined): Span | undefined {
  if (!rows || text[rows.start] !== "{") return undefined;
  const members = readSourceMembers(text.slice(rows.start, rows.end), rows.start);
  return members.find(({ name }) => name === "table")?.value;
}
