// What a user is told before a file is uploaded: what the server would change without a message.
import * as l10n from "@vscode/l10n";
import { truncate } from "../shared/oneLine.ts";
import { joinNames } from "../shared/joinNames.ts";
import {
  findChangedCells,
  findChangedColumns,
  isBinary,
  readCsvStart,
  type ChangedCell,
  type ChangeKind,
  type Column,
} from "./csvChecks.ts";

/** A question with more sentences is not read. */
const maxColumnsOfKind = 3;
/** Names and cells may be long texts. */
const maxTextLength = 100;

/** A sentence for each change that the server would make, as far as the beginning of the file shows it. */
export function listCsvWarnings(file: { name: string; size: number }, start: Buffer): string[] {
  if (isBinary(start)) {
    return [l10n.t("{0} is not a text file. MindsDB would import its raw bytes.", file.name)];
  }
  const csv = readCsvStart(start.toString("utf8").replace(/^\ufeff/, ""), {
    isWhole: start.length >= file.size,
    isTabSeparated: /\.tsv$/i.test(file.name),
  });
  const { delimiter, otherDelimiter, quoted } = csv;
  if (otherDelimiter !== undefined) {
    const warning =
      csv.columns.length > 1
        ? l10n.t(
            "The cells are separated by “{0}”, but MindsDB splits them at “{1}”, as in the first line.",
            showTab(otherDelimiter),
            showTab(delimiter),
          )
        : l10n.t(
            "The cells are separated by “{0}”. MindsDB supports only commas, semicolons, and tabs, and would read a single column.",
            otherDelimiter,
          );
    return [warning];
  }
  const warnings: string[] = [];
  if (csv.isCut) {
    const warning = l10n.t(
      "Row {0} has more cells than the header. MindsDB drops the extra cells.",
      1,
    );
    warnings.push(warning);
  }
  if (quoted) {
    const warning = l10n.t(
      "In row {0}, text follows a closing quote, so {1} becomes {2}.",
      quoted.row,
      cut(quoted.cell),
      cut(quoted.becomes),
    );
    warnings.push(warning);
  }
  if (csv.emptyRow !== undefined) warnings.push(describeEmptyRow(String(csv.emptyRow)));
  warnings.push(...listChanges(csv, kinds));
  return warnings;
}

/** `row` is the number of the first one. */
export function describeEmptyRow(row: string): string {
  return l10n.t(
    "MindsDB keeps rows without any value as rows of nulls. The first is row {0}.",
    row,
  );
}

function showTab(delimiter: string): string {
  return delimiter === "\t" ? "\\t" : delimiter;
}

/**
 * A sentence for each change of cells and column names, for the first columns of each kind. `place` says where a column is
 * if there are several tables.
 */
export function listChanges(
  table: Table,
  shownKinds: readonly ChangeKind[],
  place = (column: string) => column,
): string[] {
  return [...listCellChanges(table, shownKinds, place), ...listNameChanges(table, place)];
}

interface Table {
  columns: Column[];
  rowCount: number;
}

/** A sentence for each change of cells. */
export function listCellChanges(
  table: Table,
  shownKinds: readonly ChangeKind[],
  place = (column: string) => column,
): string[] {
  const warnings: string[] = [];
  const changes = findChangedCells(table).map((change) => ({
    ...change,
    column: place(change.column),
  }));
  for (const kind of shownKinds) {
    const ofKind = changes.filter((change) => change.kind === kind);
    warnings.push(...ofKind.slice(0, maxColumnsOfKind).map(describeChange));
    addMore(
      warnings,
      ofKind.slice(maxColumnsOfKind).map(({ column }) => column),
    );
  }
  return warnings;
}

function listNameChanges(table: Table, place: (column: string) => string): string[] {
  const warnings: string[] = [];
  // Both versions strip names (file_reader.py, format_column_names).
  const padded = table.columns.find(({ name }) => /^[ \t]|[ \t]$/.test(name));
  if (padded) {
    const warning = l10n.t(
      "MindsDB removes spaces and tabs around column names, as in “{0}”.",
      cut(place(padded.name)),
    );
    warnings.push(warning);
  }
  const renamed = findChangedColumns(table);
  for (const { name, becomes } of renamed.slice(0, maxColumnsOfKind)) {
    const warning =
      name === ""
        ? l10n.t("MindsDB names unnamed columns {0}.", place(becomes))
        : l10n.t("MindsDB renames the second column {0} to {1}.", cut(place(name)), cut(becomes));
    warnings.push(warning);
  }
  addMore(
    warnings,
    renamed.slice(maxColumnsOfKind).map(({ becomes }) => place(becomes)),
  );
  return warnings;
}

function addMore(warnings: string[], columns: readonly string[]): void {
  if (columns.length === 0) return;
  warnings.push(l10n.t("Other columns change the same way: {0}.", joinNames(columns.map(cut), 3)));
}

/** What loses most comes first. */
export const kinds: readonly ChangeKind[] = [
  "duration",
  "number",
  "infinity",
  "null",
  "decimal",
  "boolean",
];

function describeChange({ kind, ...change }: ChangedCell): string {
  const [column, cell, becomes] = [change.column, change.cell, change.becomes].map(cut) as [
    string,
    string,
    string,
  ];
  switch (kind) {
    case "duration":
      return l10n.t("MindsDB shows the durations in the column {0} as nanoseconds.", column);
    case "number":
    case "infinity":
    case "null":
    case "boolean":
      return l10n.t(
        "MindsDB reads {1} in the column {0} as {2}. To keep it, upload JSON with the value as text.",
        column,
        cell,
        becomes,
      );
    case "decimal":
      return l10n.t(
        "The column {0} has empty cells, so MindsDB reads its whole numbers as decimals: in text, {1} becomes {2}.",
        column,
        cell,
        becomes,
      );
  }
}

/** A name or cell as a sentence shows it. */
export function cut(text: string): string {
  return truncate(text, maxTextLength);
}
