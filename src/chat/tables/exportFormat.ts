// Writes a table as CSV, JSON or JSON Lines. Numbers keep their digits, and no cell starts a formula.
import Papa from "papaparse";
import { withoutFormula } from "../../shared/spreadsheetText.ts";
import { isMissing, type TextTable } from "../../shared/textTable.ts";

type TableFormat = "csv" | "json" | "jsonLines";

/** Returns the format for a file's extension; CSV by default. */
export function exportFormatFor(fileName: string): TableFormat {
  if (/\.(jsonl|ndjson)$/i.test(fileName)) return "jsonLines";
  return /\.json$/i.test(fileName) ? "json" : "csv";
}

/** Returns the file's text. In JSON, missing values are null and cells of number columns are numbers. */
export function formatTableFile(
  { columns, rows, numeric }: TextTable,
  format: TableFormat,
): string {
  if (format === "csv") return csv([columns, ...rows]);
  const names = uniqueNames(columns).map((name) => JSON.stringify(name));
  const lines = rows.map((row) => {
    const members = names.map((name, column) => {
      return `${name}:${jsonValue(row[column] ?? "", numeric[column] ?? false)}`;
    });
    return `{${members.join(",")}}`;
  });
  if (format === "jsonLines") return lines.map((line) => `${line}\n`).join("");
  return `[\n${lines.join(",\n")}\n]\n`;
}

function csv(lines: string[][]): string {
  const cells = lines.map((line) => line.map(withoutFormula));
  return `${Papa.unparse(cells, { newline: "\r\n" })}\r\n`;
}

function jsonValue(cell: string, isNumber: boolean): string {
  if (isMissing(cell)) return cell === "" && !isNumber ? '""' : "null";
  const isJson = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(cell);
  return isNumber && isJson ? cell : JSON.stringify(cell);
}

/** Adds numbers to repeated names. */
function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let n = 1; taken.has(unique); n++) unique = `${name}_${n}`;
    taken.add(unique);
    return unique;
  });
}
