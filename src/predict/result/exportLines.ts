import { byteOrderMark, isCsv, type ExportFormat } from "../../shared/exportFormat.ts";
import { withoutFormulas } from "../../shared/spreadsheetText.ts";
import { createTitles } from "./clipboardText.ts";
import type { RowOrder, RowTable } from "./rowTable.ts";
import { uniqueNames } from "../../shared/uniqueNames.ts";
import { formatJsonObject, parseStringLiteral } from "../rows/jsonLiteral.ts";

/**
 * Yields the lines of a file with their line ends: of all rows, or of those in `order`. CSV begins with a header; JSON
 * is one list. Numbers keep their digits, and no cell of CSV starts a formula.
 */
export function* exportLines(
  table: RowTable,
  format: ExportFormat,
  order?: RowOrder,
): Generator<string> {
  const { length } = order ?? table;
  const titles = createTitles(table.columns);
  const refusedTitle = uniqueNames([...titles, "refused"]).at(-1)!;
  const hasReasons = table.refused > 0;
  if (isCsv(format)) {
    if (format === "excelCsv") yield byteOrderMark;
    yield formatCsvLine([...titles.map(withoutFormulas), ...(hasReasons ? [refusedTitle] : [])]);
  }
  if (format === "json") yield "[\n";
  for (let at = 0; at < length; at++) {
    const index = order?.[at] ?? at;
    const values = table.valuesOf(index);
    const refused = table.refusedAt(index);
    if (isCsv(format)) {
      yield formatCsvLine([
        ...values.map(formatCsvCell),
        ...(hasReasons ? [withoutFormulas(refused ?? "")] : []),
      ]);
    } else {
      const comma = format === "json" && at < length - 1 ? "," : "";
      const members = titles.map((title, at) => [title, withoutLineBreaks(values[at])] as const);
      const row = formatJsonObject([...members, [refusedTitle, JSON.stringify(refused)]]);
      yield `${row}${comma}\n`;
    }
  }
  if (format === "json") yield "]\n";
}

/** A value on one line: between the members of an object from a file there may be line breaks. */
function withoutLineBreaks(json: string | undefined): string | undefined {
  return json?.replace(/[\r\n]+/g, " ");
}

function formatCsvCell(json: string | undefined): string {
  if (json === undefined || json === "null") return "";
  return withoutFormulas(json.startsWith('"') ? parseStringLiteral(json) : json);
}

function formatCsvLine(cells: readonly string[]): string {
  const quoted = cells.map((cell) =>
    /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
  );
  // An empty line would not be read as a row.
  return `${quoted.join(",") || '""'}\r\n`;
}
