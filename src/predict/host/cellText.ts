// Cells, their documents and the values in their recipes.
import * as vscode from "vscode";
import { parseRecipe, type Span } from "../notebook/recipe.ts";

/** The notebook that a cell's document is in. */
export function notebookOf(document: vscode.TextDocument): vscode.NotebookDocument | undefined {
  return vscode.workspace.notebookDocuments.find((notebook) =>
    notebook.getCells().some((cell) => cell.document === document),
  );
}

export function rangeOf(document: vscode.TextDocument, { start, end }: Span): vscode.Range {
  // A recipe is counted with its own line ends, which are the document's.
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** The text that a JSON string stands for; "" for what is no JSON. */
export function textOf(written: string): string {
  try {
    return String(JSON.parse(written));
  } catch {
    return "";
  }
}

/** A property's value, if it is a text, and where it is. */
export function textValue(
  text: string,
  key: "model" | "rows",
  { values } = parseRecipe(text),
): { text: string; span: Span } | undefined {
  const span = values[key];
  const written = span && text.slice(span.start, span.end);
  return span && written?.startsWith('"') ? { text: textOf(written), span } : undefined;
}
