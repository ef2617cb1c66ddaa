// A piece of a result as text for the clipboard.
import type { CopyFormat, ResultColumn } from "./messages.ts";
import { textOf } from "./metrics.ts";

/** `rows` hold values as JSON writes them, in the order of `columns`; undefined where a row has none. */
export function copyText(
  columns: readonly ResultColumn[],
  rows: readonly (string | undefined)[][],
  format: CopyFormat,
): string {
  switch (format) {
    case "tsv":
      // Without a header: what is pasted into a table's cells is the cells.
      return rows.map((row) => row.map(tsvCell).join("\t")).join("\n");
    case "json":
      return `[\n${rows.map((row) => `  ${jsonRow(columns, row)}`).join(",\n")}\n]`;
    case "markdown":
      return [
        markdownRow(columns.map(titleOf)),
        markdownRow(columns.map(({ kind }) => (kind === "number" ? "--:" : "---"))),
        ...rows.map((row) => markdownRow(row.map((value) => markdownCell(value ?? "")))),
      ].join("\n");
  }
}

/** A column's name, told apart from that of others with the same. */
export function titleOf({ name, part }: ResultColumn): string {
  return part === "actual" || part === "error" ? `${name} (${part})` : name;
}

function tsvCell(written = ""): string {
  if (written === "null") return "";
  const text = textOf(written);
  return /[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Written by hand: a column may be called `__proto__`, and numbers keep their digits. */
function jsonRow(columns: readonly ResultColumn[], row: readonly (string | undefined)[]): string {
  const members = columns.flatMap((column, index) => {
    const written = row[index];
    return written === undefined ? [] : [`${JSON.stringify(titleOf(column))}: ${written}`];
  });
  return `{${members.join(", ")}}`;
}

function markdownCell(written: string): string {
  return textOf(written)
    .replace(/[\\|`*_<>[\]!&]/g, "\\$&")
    .replace(/\s+/g, " ");
}

function markdownRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
