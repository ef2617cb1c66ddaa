// Writes a table as CSV, JSON or JSON Lines. Numbers keep their digits, and no cell starts a formula.
import Papa from "papaparse";
import { byteOrderMark, isCsv, type ExportFormat } from "../../shared/exportFormat.ts";
import { withoutFormulas } from "../../shared/spreadsheetText.ts";
import { isMissing, type TextTable } from "../../shared/textTable.ts";
import { uniqueNames } from "../../shared/uniqueNames.ts";

/** Returns the file's text. In JSON, missing values are null and cells of number columns are numbers. */
export function formatTableFile(
  { columns, rows, numeric }: TextTable,
  format: ExportFormat,
): string {
  if (isCsv(format)) {
    return `${format === "excelCsv" ? byteOrderMark : ""}${csv([columns, ...rows])}`;
  }
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
  const cells = lines.map((line) => line.map(withoutFormulas));
  return `${Papa.unparse(cells, { newline: "\r\n" })}\r\n`;
}

function jsonValue(cell: string, isNumber: boolean): string {
  if (isMissing(cell)) return cell === "" && !isNumber ? '""' : "null";
  const isJson = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(cell);
  return isNumber && isJson ? cell : JSON.stringify(cell);
}
