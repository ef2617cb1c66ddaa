// A whole result as the lines of a file. Numbers keep their digits, and no cell of a table starts a formula.
import { titleOf } from "./copy.ts";
import type { ResultColumn } from "./messages.ts";
import type { ResultTable } from "./resultTable.ts";
import { textOf } from "./written.ts";

export type ExportFormat = "json" | "jsonLines" | "csv";

/** The format that a file's name asks for; CSV unless it ends otherwise. */
export function exportFormatOf(fileName: string): ExportFormat {
  if (/\.(jsonl|ndjson)$/i.test(fileName)) return "jsonLines";
  return /\.json$/i.test(fileName) ? "json" : "csv";
}

/** How the reason of a refused row is called in the file: a name that no column has. */
function refusedNameFor(columns: readonly ResultColumn[]): string {
  const taken = new Set(columns.map(titleOf));
  let name = "refused";
  while (taken.has(name)) name += "_";
  return name;
}

export function* exportLines(table: ResultTable, format: ExportFormat): Generator<string> {
  const { columns, length } = table;
  const refusedName = refusedNameFor(columns);
  if (format === "csv") yield csvLine([...columns.map(titleOf).map(safe), refusedName]);
  if (format === "json") yield "[\n";
  for (let row = 0; row < length; row++) {
    const values = table.valuesOf(row);
    const refused = table.refusedAt(row);
    if (format === "csv") {
      yield csvLine([...values.map(csvText), safe(refused ?? "")]);
    } else {
      const comma = format === "json" && row < length - 1 ? "," : "";
      const reason = refused === undefined ? "" : `"${refusedName}":${JSON.stringify(refused)}`;
      yield `${jsonRow(columns, values, reason)}${comma}\n`;
    }
  }
  if (format === "json") yield "]\n";
}

function jsonRow(
  columns: readonly ResultColumn[],
  values: readonly (string | undefined)[],
  reason: string,
): string {
  const members = columns.flatMap((column, index) => {
    const value = values[index];
    return value === undefined ? [] : [`${JSON.stringify(titleOf(column))}:${value}`];
  });
  if (reason !== "") members.push(reason);
  return `{${members.join(",")}}`;
}

function csvText(written: string | undefined): string {
  if (written === undefined || written === "null") return "";
  return written.startsWith('"') ? safe(textOf(written)) : written;
}

/** Programs for tables run a text that starts like this as a formula. */
function safe(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !Number.isFinite(Number(text)) ? `'${text}` : text;
}

function csvLine(cells: readonly string[]): string {
  const written = cells.map((cell) =>
    /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
  );
  return `${written.join(",")}\r\n`;
}
