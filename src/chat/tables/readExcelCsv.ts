// Strict parser for the CSV dialect that 25.x calls "excel". Not papaparse, which also accepts broken CSV.

/**
 * Returns the rows of cells; undefined if a quote is in an invalid place. With `cut` the text is only a beginning, and
 * its incomplete last row is left out.
 */
export function readCsv(source: string, cut = false): string[][] | undefined {
  // An incomplete line end.
  const text = cut && source.endsWith("\r") ? source.slice(0, -1) : source;
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const cell = text.startsWith('"', at) ? quotedCell(text, at) : plainCell(text, at);
    if (!cell || (cell.isOpen && !cut)) return undefined;
    row.push(cell.value);
    at = cell.end;
    if (text.startsWith(",", at)) {
      at++;
      // The text ends with an empty cell.
      if (at === text.length) row.push("");
      else continue;
    }
    const lineEnd = text.startsWith("\r\n", at) ? 2 : 1;
    if (at === text.length && cut) break;
    rows.push(row);
    row = [];
    at += lineEnd;
  }
  return rows;
}

interface Cell {
  value: string;
  /** Index of what follows: a comma, a line end, or the end of the text. */
  end: number;
  /** The closing quote is missing. */
  isOpen?: boolean;
}

const cellEnd = /,|\r?\n|$/g;

function plainCell(text: string, at: number): Cell | undefined {
  cellEnd.lastIndex = at;
  const end = cellEnd.exec(text)?.index ?? text.length;
  const value = text.slice(at, end);
  return value.includes('"') ? undefined : { value, end };
}

function quotedCell(text: string, at: number): Cell | undefined {
  let end = text.indexOf('"', at + 1);
  while (end >= 0 && text.startsWith('""', end)) end = text.indexOf('"', end + 2);
  if (end < 0) return { value: text.slice(at + 1), end: text.length, isOpen: true };
  const isEnd = end + 1 === text.length || /^(,|\r?\n)/.test(text.slice(end + 1, end + 3));
  const value = text.slice(at + 1, end).replaceAll('""', '"');
  return isEnd ? { value, end: end + 1 } : undefined;
}
