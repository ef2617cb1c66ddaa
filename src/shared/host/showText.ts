import * as vscode from "vscode";
import { createTextUri } from "./textDocuments.ts";

/** Opens a text as a read-only document, which asks for no saving. `name` is that of its file. */
export async function showText(name: string, text: string, language?: string): Promise<void> {
  await showDocument(createTextUri(name, text), language);
}

/** Opens a read-only document in a language. */
export async function showDocument(uri: vscode.Uri, language?: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  // Other extensions claim .sql files for their dialects.
  if (language !== undefined && document.languageId !== language) {
    await vscode.languages.setTextDocumentLanguage(document, language);
  }
  await vscode.window.showTextDocument(document, { preview: true });
}
