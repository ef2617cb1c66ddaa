// What a user is told before a file is uploaded: what the server would change without a message.
import * as l10n from "@vscode/l10n";
import { truncate } from "../shared/oneLine.ts";
import { joinNames } from "../shared/joinNames.ts";
import {
  findChangedCells,
  findChangedColumns,
  hasUnknownDelimiter,
  isBinary,
  readCsvStart,
  type ChangedCell,
  type ChangeKind,
  type CsvStart,
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
  const isWhole = start.length >= file.size;
  const csv = readCsvStart(start.toString("utf8"), { isWhole });
  const warnings: string[] = [];
  if (hasUnknownDelimiter(csv)) {
    const warning = l10n.t(
      "The cells are separated by “{0}”. MindsDB supports only commas, semicolons, and tabs, and would read a single column.",
      csv.delimiter,
    );
    return [warning];
  }
  if (csv.longRow !== undefined) {
    const warning = l10n.t(
      "Row {0} has more cells than the header. MindsDB drops the extra cells.",
      csv.longRow,
    );
    warnings.push(warning);
  }
  if (csv.openQuote !== undefined) {
    const warning = l10n.t(
      "Row {0} begins a cell with a quote that is not closed. MindsDB merges it with the next rows, or refuses the file.",
      csv.openQuote,
    );
    warnings.push(warning);
  }
  warnings.push(...listChanges(csv, kinds));
  return warnings;
}

/**
 * A sentence for each change of cells and column names, for the first columns of each kind. `place` says where a column is
 * if there are several tables.
 */
export function listChanges(
  csv: Pick<CsvStart, "columns" | "rowCount">,
  shownKinds: readonly ChangeKind[],
  place = (column: string) => column,
): string[] {
  const warnings: string[] = [];
  const changes = findChangedCells(csv).map((change) => ({
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
  const renamed = findChangedColumns(csv);
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
export const kinds: readonly ChangeKind[] = ["number", "infinity", "null", "decimal", "boolean"];

function describeChange({ kind, ...change }: ChangedCell): string {
  const [column, cell, becomes] = [change.column, change.cell, change.becomes].map(cut) as [
    string,
    string,
    string,
  ];
  switch (kind) {
    case "number":
      return l10n.t(
        "MindsDB reads the column {0} as numbers, so {1} becomes {2}. In JSON, text stays text.",
        column,
        cell,
        becomes,
      );
    case "infinity":
      return l10n.t(
        "MindsDB reads {1} in the column {0} as an infinite number, and shows it as no value ({2}).",
        column,
        cell,
        becomes,
      );
    case "null":
      return l10n.t(
        "MindsDB reads {0} in the column {1} as no value (null). In JSON, text stays text.",
        cell,
        column,
      );
    case "decimal":
      return l10n.t(
        "The column {0} has empty cells, so MindsDB reads its whole numbers as decimals: in text, {1} becomes {2}.",
        column,
        cell,
        becomes,
      );
    case "boolean":
      return l10n.t(
        "MindsDB reads the column {0} as booleans, so {1} becomes {2}. In JSON, text stays text.",
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
