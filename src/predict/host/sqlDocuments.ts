// SQL files and SQL cells have one language. What only one of both has is told apart here.
import type * as vscode from "vscode";
import { chatTextScheme, fileSystems, notebooks, questionScheme, sqlLanguage } from "../../ids.ts";

/** Files and the cells of notebooks. */
export const sqlDocuments: vscode.DocumentSelector = { language: sqlLanguage };

export const sqlCells: vscode.DocumentSelector = {
  notebookType: notebooks.type,
  language: sqlLanguage,
};

const otherSchemes = new Set([
  "vscode-notebook-cell",
  chatTextScheme,
  questionScheme,
  fileSystems.texts,
]);

/**
 * Whether a document is a SQL file, which has a connection of its own and runs by statements. Cells and the statements that
 * the extension opens to be read are none. No selector excludes them.
 */
export function isSqlFile({ languageId, uri }: vscode.TextDocument): boolean {
  return languageId === sqlLanguage && !otherSchemes.has(uri.scheme);
}
