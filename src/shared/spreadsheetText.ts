// Formats text for spreadsheets.

/** The cells as one tab-separated line; cells with a tab, line end or quote are quoted. */
export function tsvLine(cells: readonly string[]): string {
  return cells
    .map(withoutFormula)
    .map((text) => (/[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text))
    .join("\t");
}

/** The text of a cell, escaped if a spreadsheet would run it as a formula. */
export function withoutFormula(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
}
