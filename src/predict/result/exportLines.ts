// A whole result as the lines of a file. Numbers keep their digits, and no cell of a table starts a formula.
import { withoutFormula } from "../../shared/tableText.ts";
import { columnTitles } from "./clipboardText.ts";
import type { ResultTable } from "./resultTable.ts";
import { uniqueNames } from "./uniqueNames.ts";
import { parseStringLiteral } from "../rows/jsonLiteral.ts";

export type ExportFormat = "json" | "jsonLines" | "csv";

/** The format that a file's name asks for; CSV unless it ends otherwise. */
export function chooseExportFormat(fileName: string): ExportFormat {
  if (/\.(jsonl|ndjson)$/i.test(fileName)) return "jsonLines";
  return /\.json$/i.test(fileName) ? "json" : "csv";
}

/** The lines, each with its end. CSV begins with a header; a JSON file is one list. */
export function* exportLines(table: ResultTable, format: ExportFormat): Generator<string> {
  const { length } = table;
  const titles = columnTitles(table.columns);
  const refusedTitle = uniqueNames([...titles, "refused"]).at(-1)!;
  const reasons = table.refused > 0;
  if (format === "csv") {
    yield csvLine([...titles.map(withoutFormula), ...(reasons ? [refusedTitle] : [])]);
  }
  if (format === "json") yield "[\n";
  for (let row = 0; row < length; row++) {
    const values = table.valuesOf(row);
    const refused = table.refusedAt(row);
    if (format === "csv") {
      yield csvLine([...values.map(csvText), ...(reasons ? [withoutFormula(refused ?? "")] : [])]);
    } else {
      const comma = format === "json" && row < length - 1 ? "," : "";
      const reason = refused === undefined ? "" : `"${refusedTitle}":${JSON.stringify(refused)}`;
      yield `${jsonRow(titles, values, reason)}${comma}\n`;
    }
  }
  if (format === "json") yield "]\n";
}

/** On one line: a list or an object may come from a file in which it stands on several. */
function jsonRow(
  titles: readonly string[],
  values: readonly (string | undefined)[],
  reason: string,
): string {
  const members = titles.flatMap((title, index) => {
    const value = values[index];
    return value === undefined
      ? []
      : [`${JSON.stringify(title)}:${value.replace(/[\r\n]+/g, " ")}`];
  });
  if (reason !== "") members.push(reason);
  return `{${members.join(",")}}`;
}

function csvText(written: string | undefined): string {
  if (written === undefined || written === "null") return "";
  return written.startsWith('"') ? withoutFormula(parseStringLiteral(written)) : written;
}

function csvLine(cells: readonly string[]): string {
  const written = cells.map((cell) =>
    /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
  );
  // An empty line would be no row.
  return `${written.join(",") || '""'}\r\n`;
}
