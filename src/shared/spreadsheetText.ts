// Formats text for spreadsheets.

/** The cells as one tab-separated line; cells with a tab, line end or quote are quoted. */
export function tsvLine(cells: readonly string[]): string {
  return quoteCells(cells, /[\t\r\n"]/).join("\t");
}

/** The cells as one comma-separated line; cells with a comma, line end or quote are quoted. */
export function csvLine(cells: readonly string[]): string {
  return quoteCells(cells, /[,\r\n"]/).join(",");
}

function quoteCells(cells: readonly string[], special: RegExp): string[] {
  return cells
    .map(withoutFormula)
    .map((text) => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text));
}

/**
 * The beginning of a formula, which spreadsheets also see after white space and invisible characters, in full width and
 * with Unicode's minus signs. A tab or line break at the beginning moves the rest into a cell of its own.
 */
const formula =
  /^(?:[\t\r\n]|[\s\u200b-\u200f\u2060\ufeff\0]*[=+\-@\uff1d\uff0b\uff0d\uff20\u2212\ufe62\ufe63\ufe66\ufe6b])/;

/** The text of a cell, escaped if a spreadsheet would run it as a formula. */
export function withoutFormula(text: string): string {
  return formula.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
}
