// Formats text for spreadsheets.

/** The cells as one tab-separated line; cells with a tab, line end or quote are quoted. */
export function tsvLine(cells: readonly string[]): string {
  return quoteCells(cells.map(withoutFormula), /[\t\r\n"]/).join("\t");
}

/** The cells as one comma-separated line; cells with a comma, line end or quote are quoted. */
export function csvLine(cells: readonly string[]): string {
  return quoteCells(cells.map(withoutFormulas), /[,\r\n"]/).join(",");
}

function quoteCells(cells: readonly string[], special: RegExp): string[] {
  return cells.map((text) => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text));
}

/**
 * The beginning of a formula, which spreadsheets also see after white space and invisible characters, in full width and
 * with Unicode's minus signs. A tab or line break at the beginning moves the rest into a cell of its own.
 */
const formula =
  /^(?:[\t\r\n]|[\s\u200b-\u200f\u2060\ufeff\0]*[=+\-@\uff1d\uff0b\uff0d\uff20\u2212\ufe62\ufe63\ufe66\ufe6b])/;
/** The same after a semicolon or in a new line, where the quote, doubled, is an empty text. `;-)` and a line below a heading are none. */
const laterFormula =
  /^"?(?![-+](?:[)\]}|/\\*>]|$))[\s\u200b-\u200f\u2060\ufeff\0]*[=+\-@\uff1d\uff0b\uff0d\uff20\u2212\ufe62\ufe63\ufe66\ufe6b]/;

/** An item of a list in Markdown. A formula that does harm calls something or reads another file. */
const listItem = /^\s*[-+]\s[^(!]*$/;
const underline = /^\s*(?:-+|=+)\s*$/;

/** The text of a cell, escaped if a spreadsheet would run it as a formula. */
export function withoutFormula(text: string): string {
  return formula.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
}

/**
 * The text of a cell of a file, escaped as by `withoutFormula`, also after each semicolon and line break: in many countries
 * spreadsheets take a semicolon for the separator, whatever the file has. Then only the first cell of a line has quotes.
 */
export function withoutFormulas(text: string): string {
  const [first = "", ...others] = text.split(/([;\r\n])/);
  const later = others.map((part) => (isLaterFormula(part) ? `'${part}` : part));
  // A line break at the beginning is escaped, too.
  const start = /^[\r\n]/.test(text) ? "'" : withoutFormula(first);
  return start + later.join("");
}

function isLaterFormula(part: string): boolean {
  return (
    laterFormula.test(part) &&
    Number.isNaN(Number(part)) &&
    !listItem.test(part) &&
    !underline.test(part)
  );
}
