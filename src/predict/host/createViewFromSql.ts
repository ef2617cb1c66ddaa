// Opens the form of a new view with a SELECT of a SQL file or a SQL cell.
import * as vscode from "vscode";
import { commands, notebooks, sqlLanguage } from "../../ids.ts";
import { singleSelect } from "../../mindsdb/sql/singleSelect.ts";
import { executeCommand } from "../../shared/host/commands.ts";
import { showWarning } from "../../shared/host/notifications.ts";
import { readStatements, statementAt } from "../sqlFile/fileStatements.ts";

/** Where the statements of a document run. */
interface SqlPlace {
  connectionId: string;
  /** The project or data source of names without one. */
  database?: string | undefined;
}

interface Place {
  document: vscode.TextDocument;
  selection?: vscode.Selection;
}

/** `given`: a cell; otherwise what is edited or selected. `findPlace` resolves to undefined if the user chooses none. */
export async function createViewFromSql(
  given: vscode.NotebookCell | undefined,
  findPlace: (document: vscode.TextDocument) => Promise<SqlPlace | undefined>,
  create: (given: SqlPlace & { query: string }) => unknown = (view) =>
    executeCommand(commands.viewCreate, view),
): Promise<void> {
  const shown = findShown(given);
  const query = shown && readSelect(shown);
  if (!shown || query === undefined) {
    void showWarning(vscode.l10n.t("Place the cursor in a SELECT. A view is a stored SELECT."));
    return;
  }
  const place = await findPlace(shown.document);
  if (place) await create({ ...place, query });
}

function findShown(given: vscode.NotebookCell | undefined): Place | undefined {
  const editor = vscode.window.activeTextEditor;
  const cell = given ?? findSelectedCell();
  const isEdited = !given && editor?.document.languageId === sqlLanguage;
  if (isEdited || (editor && editor.document === cell?.document)) {
    return { document: editor.document, selection: editor.selection };
  }
  return cell?.document.languageId === sqlLanguage ? { document: cell.document } : undefined;
}

function findSelectedCell(): vscode.NotebookCell | undefined {
  const editor = vscode.window.activeNotebookEditor;
  if (editor?.notebook.notebookType !== notebooks.type) return undefined;
  return editor.notebook.getCells(editor.selection)[0];
}

/** The selected SELECT, the one at the caret, or the only one. */
function readSelect({ document, selection }: Place): string | undefined {
  if (selection && !selection.isEmpty) return singleSelect(document.getText(selection));
  const sql = document.getText();
  const statements = readStatements(sql);
  const atCaret = selection && statementAt(sql, statements, document.offsetAt(selection.active));
  const statement = atCaret ?? (statements.length === 1 ? statements[0] : undefined);
  return statement && singleSelect(statement.text);
}
