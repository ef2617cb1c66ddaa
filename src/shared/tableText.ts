// What spreadsheets take from the clipboard and from files.

/** The cells as one line, with tabs between them; those that hold a tab, a line end or a quote stand in quotes. */
export function tsvLine(cells: readonly string[]): string {
  return cells
    .map(withoutFormula)
    .map((text) => (/[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text))
    .join("\t");
}

/** The text of a cell: spreadsheets run one that starts like a formula, unless it is a number. */
export function withoutFormula(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
}
