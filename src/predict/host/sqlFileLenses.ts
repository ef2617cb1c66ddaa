// Code lenses above the statements of SQL files: connection and Run. Also their outline, and folding for files and cells.
import * as vscode from "vscode";
import { guardMarks } from "../../shared/guardMarks.ts";
import { commands } from "../../ids.ts";
import { oneLine, plainLabel } from "../../shared/oneLine.ts";
import { readStatements, type FileStatement } from "../sqlFile/fileStatements.ts";
import { maxCheckedText } from "./sqlDiagnostics.ts";
import { isSqlFile } from "./sqlDocuments.ts";
import type { FilePlace, SqlFilePlaces } from "./sqlFilePlaces.ts";
import type { SqlFileRunner } from "./sqlFileRunner.ts";

/** Statements that have a lens of their own. */
const maxLenses = 1_000;
/** Of names in a lens and in the outline, in characters. */
const maxName = 80;

/** The statements of a file; none of one that is too long. */
function listStatements(document: vscode.TextDocument): FileStatement[] {
  return isTooLong(document) ? [] : readStatements(document.getText());
}

function isTooLong(document: vscode.TextDocument): boolean {
  return document.getText().length > maxCheckedText;
}

export class SqlFileLenses implements vscode.CodeLensProvider {
  readonly #places: Pick<SqlFilePlaces, "find">;
  readonly #runner: Pick<SqlFileRunner, "isRunning">;
  readonly onDidChangeCodeLenses: vscode.Event<void>;

  constructor(
    places: Pick<SqlFilePlaces, "find">,
    runner: Pick<SqlFileRunner, "isRunning">,
    onDidChange: vscode.Event<void>,
  ) {
    this.#places = places;
    this.#runner = runner;
    this.onDidChangeCodeLenses = onDidChange;
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (!isSqlFile(document)) return [];
    const { uri } = document;
    const top = new vscode.Range(0, 0, 0, 0);
    const isRunning = this.#runner.isRunning(uri);
    const place = this.#places.find(uri);
    const lenses = [
      new vscode.CodeLens(top, {
        title: `$(plug) ${describeConnection(place)}`,
        tooltip: vscode.l10n.t("Change the connection of this file"),
        command: commands.sqlChooseConnection,
      }),
      ...(place
        ? [
            new vscode.CodeLens(top, {
              title: `$(database) ${describeDatabase(place)}`,
              tooltip: vscode.l10n.t("Change the default project or data source"),
              command: commands.sqlChooseProject,
            }),
          ]
        : []),
      new vscode.CodeLens(
        top,
        isRunning
          ? { title: `$(debug-stop) ${vscode.l10n.t("Stop")}`, command: commands.sqlStop }
          : { title: `$(run-all) ${vscode.l10n.t("Run All")}`, command: commands.sqlRunFile },
      ),
    ];
    if (isRunning) return lenses;
    if (isTooLong(document)) {
      const text = vscode.l10n.t(
        "Run is not shown above statements: the file has more than {0} characters",
        maxCheckedText.toLocaleString(vscode.env.language),
      );
      return [...lenses, new vscode.CodeLens(top, { title: text, command: "" })];
    }
    for (const { start, text } of listStatements(document).slice(0, maxLenses)) {
      const position = document.positionAt(start);
      lenses.push(
        new vscode.CodeLens(new vscode.Range(position, position), {
          title: `$(play) ${vscode.l10n.t("Run")}`,
          command: commands.sqlRunStatement,
          arguments: [uri.toString(), start, text],
        }),
      );
    }
    return lenses;
  }
}

function describeConnection(place: FilePlace | undefined): string {
  if (!place) return vscode.l10n.t("Select Connection…");
  const { connection } = place;
  return [plainLabel(connection.name, maxName), ...guardMarks(connection)].join(" · ");
}

function describeDatabase({ database }: FilePlace): string {
  return database === undefined ? vscode.l10n.t("Default Project") : plainLabel(database, maxName);
}

function rangeOf(document: vscode.TextDocument, { start, end }: FileStatement): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** None of cells: the outline of a notebook lists those. */
export const sqlFileOutline: vscode.DocumentSymbolProvider = {
  provideDocumentSymbols: (document) => {
    if (!isSqlFile(document)) return undefined;
    return listStatements(document).map((statement) => {
      const range = rangeOf(document, statement);
      const name = plainLabel(oneLine(statement.text.slice(0, 4 * maxName)), maxName);
      return new vscode.DocumentSymbol(name, "", vscode.SymbolKind.Function, range, range);
    });
  },
};

/** Folds the statements of files and cells. */
export const sqlFolding: vscode.FoldingRangeProvider = {
  provideFoldingRanges: (document) =>
    listStatements(document).map((statement) => {
      const { start, end } = rangeOf(document, statement);
      return new vscode.FoldingRange(start.line, end.line);
    }),
};
