// Tables in Markdown.

/** A cell's text in one line, in which Markdown sees no syntax. */
export function escapeMarkdownCell(text: string): string {
  return text.replace(/[\\|`*_~<>[\]!&]/g, "\\$&").replace(/\s+/g, " ");
}

/** A row of cells that are escaped. */
export function formatMarkdownRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** The line below the titles. */
export function formatMarkdownRule(isNumeric: readonly boolean[]): string {
  return formatMarkdownRow(isNumeric.map((is) => (is ? "--:" : "---")));
}
