// The table text that servers answer with: rows of cells between pipes, which the server does not escape.
import { numericColumns, type TextTable } from "./textTable.ts";

/**
 * Reads `| a | b |`, a line of dashes, and rows. A cell may itself hold a pipe or a line end, which the text does not
 * tell from a border: unless every row has as many cells as the head, this is undefined and the text is shown as it is.
 */
export function parsePipeTable(text: string): TextTable | undefined {
  const [head, rule, ...rest] = text.trim().split(/\r?\n/);
  if (head === undefined || rule === undefined) return;
  const columns = cells(head);
  const rules = cells(rule);
  if (!columns || rules?.length !== columns.length) return;
  if (!rules.every((dashes) => /^:?-+:?$/.test(dashes))) return;
  const rows: string[][] = [];
  for (const line of rest) {
    const row = cells(line);
    if (row?.length !== columns.length) return;
    rows.push(row);
  }
  return { columns, rows, numeric: numericColumns(columns, rows) };
}

function cells(line: string): string[] | undefined {
  const trimmed = line.trim();
  if (trimmed.length < 2 || !trimmed.startsWith("|") || !trimmed.endsWith("|")) return undefined;
  return trimmed
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim());
}
