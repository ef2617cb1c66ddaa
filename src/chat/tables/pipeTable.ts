// Parses servers' table text: rows of cells between pipes, which the server does not escape.
import { numericColumns, type TextTable } from "../../shared/textTable.ts";

/**
 * Parses `| a | b |`, a line of dashes, and rows. A cell may contain a pipe or a line end, which look like borders. 26.x
 * pads its cells: if all rows agree on the columns' positions, those decide. Otherwise every row must have as many cells
 * as the head; if not, returns undefined. With `cut` the text is only a beginning: complete rows count.
 */
export function parsePipeTable(source: string, cut = false): TextTable | undefined {
  const text = cut ? source.trimStart() : source.trim();
  const table = readPadded(text, cut) ?? readUnpadded(cut ? wholeLines(text) : text);
  return table && { ...table, numeric: numericColumns(table.columns, table.rows) };
}

type Cells = Omit<TextTable, "numeric">;

function wholeLines(text: string): string {
  return text.slice(0, Math.max(0, text.lastIndexOf("\n")));
}

function readUnpadded(text: string): Cells | undefined {
  const [head, rule, ...rest] = text.split(/\r?\n/);
  const columns = splitCells(head ?? "");
  if (!columns || !isRule(rule ?? "", columns.length)) return undefined;
  const rows: string[][] = [];
  for (const line of rest) {
    const row = splitCells(line);
    if (row?.length !== columns.length) return undefined;
    rows.push(row);
  }
  return { columns, rows };
}

function isRule(line: string, columns: number): boolean {
  const dashes = splitCells(line);
  return dashes?.length === columns && dashes.every((cell) => /^:?-+:?$/.test(cell));
}

function splitCells(line: string): string[] | undefined {
  const trimmed = line.trim();
  if (trimmed.length < 2 || !trimmed.startsWith("|") || !trimmed.endsWith("|")) return undefined;
  return trimmed
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim());
}

/**
 * All rows are as long as the rule and have a pipe between spaces wherever the rule has a pipe. Rows are split by length,
 * so that a line end inside a cell belongs to the cell.
 */
function readPadded(text: string, cut: boolean): Cells | undefined {
  const [head = "", rule = ""] = text.split("\n", 2);
  const borders = [...rule.matchAll(/\|/g)].map(({ index }) => index);
  if (borders.length < 2 || !isRule(rule, borders.length - 1) || borders[0] !== 0) return undefined;
  const width = rule.length;
  if (borders.at(-1) !== width - 1) return undefined;
  // Python pads by code points.
  const points = /[\uD800-\uDFFF]/.test(text) ? Array.from(text) : text;
  const rowCells = (start: number): string[] | undefined => {
    const cells: string[] = [];
    for (const [column, border] of borders.entries()) {
      const at = start + border;
      const isLast = column === borders.length - 1;
      if (points[at] !== "|" || (column > 0 && points[at - 1] !== " ")) return undefined;
      if ((points[at + 1] ?? "\n") !== (isLast ? "\n" : " ")) return undefined;
      if (!isLast) cells.push(textBetween(points, at + 1, start + (borders[column + 1] ?? 0)));
    }
    return cells;
  };
  const columns = Array.from(head).length === width ? rowCells(0) : undefined;
  if (!columns) return undefined;
  const rows: string[][] = [];
  for (let start = 2 * (width + 1); start < points.length; start += width + 1) {
    if (cut && start + width > points.length) break;
    const row = rowCells(start);
    if (!row) return undefined;
    rows.push(row);
  }
  return { columns, rows };
}

function textBetween(points: string | string[], from: number, to: number): string {
  const cell = points.slice(from, to);
  return (typeof cell === "string" ? cell : cell.join("")).trim();
}
