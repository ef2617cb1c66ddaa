// What spreadsheets take from the clipboard.

/** The cells as one line, with tabs between them; those that hold a tab, a line end or a quote stand in quotes. */
export function tsvLine(cells: readonly string[]): string {
  return cells
    .map((text) => (/[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text))
    .join("\t");
}
