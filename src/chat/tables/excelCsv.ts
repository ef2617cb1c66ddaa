// CSV of the dialect that 25.x calls "excel". Strict: text that only looks like it is none, so papaparse, which mends what
// is broken, is not for this.

/**
 * The rows of cells; undefined where a quote stands in a place that the dialect does not know. `cut` says that the text is
 * only a beginning: its last row is not whole and left out.
 */
export function readCsv(source: string, cut = false): string[][] | undefined {
  // Half a line end.
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
      // The row ends with an empty cell, and the text with the row.
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
  /** Where what follows it stands: a comma, a line end, or the text's end. */
  end: number;
  /** Its closing quote has not come. */
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
