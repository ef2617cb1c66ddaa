// SQL files and SQL cells have one language. What only one of both has is told apart here.
import type * as vscode from "vscode";
import { notebooks, sqlLanguage } from "../../ids.ts";

/** Files and the cells of notebooks. */
export const sqlDocuments: vscode.DocumentSelector = { language: sqlLanguage };

export const sqlCells: vscode.DocumentSelector = {
  notebookType: notebooks.type,
  language: sqlLanguage,
};

/** Whether a document is a SQL file, which has a connection of its own and runs by statements. No selector excludes cells. */
export function isSqlFile({ languageId, uri }: vscode.TextDocument): boolean {
  return languageId === sqlLanguage && uri.scheme !== "vscode-notebook-cell";
}
