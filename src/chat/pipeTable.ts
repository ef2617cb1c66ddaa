// The table text that servers answer with: rows of cells between pipes, which the server does not escape.

export interface PipeTable {
  columns: string[];
  rows: string[][];
  /** Which columns hold nothing but numbers. */
  numeric: boolean[];
}

/**
 * Reads `| a | b |`, a line of dashes, and rows. A cell may itself hold a pipe or a line end, which the text does not
 * tell from a border: unless every row has as many cells as the head, this is undefined and the text is shown as it is.
 */
export function parsePipeTable(text: string): PipeTable | undefined {
  const [head, rule, ...rest] = text.trim().split(/\r?\n/);
  if (head === undefined || rule === undefined || !/^\|?(\s*:?-+:?\s*\|?)+$/.test(rule)) return;
  const columns = cells(head);
  const rows = rest.map(cells);
  if (!columns || cells(rule)?.length !== columns.length) return;
  const whole: string[][] = [];
  for (const row of rows) {
    if (row?.length !== columns.length) return;
    whole.push(row);
  }
  const numeric = columns.map(
    (_, column) =>
      whole.some((row) => row[column] !== "") &&
      whole.every((row) => /^$|^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(row[column] ?? "")),
  );
  return { columns, rows: whole, numeric };
}

function cells(line: string): string[] | undefined {
  const trimmed = line.trim();
  if (trimmed.length < 2 || !trimmed.startsWith("|") || !trimmed.endsWith("|")) return undefined;
  return trimmed
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim());
}
