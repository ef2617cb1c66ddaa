// Names for a notebook's code cells by their content, under which their results are found again.
import { createHash } from "node:crypto";

export interface CellContent {
  /** VS Code's id; every cell that is no `sql` is a recipe. */
  language: string;
  text: string;
}

/** A hash of what a cell says, whatever its line ends. The text itself may hold secrets and is not stored. */
export function contentHash({ language, text }: CellContent): string {
  const kind = language === "sql" ? "sql" : "recipe";
  const lines = text.replace(/\r\n?/g, "\n");
  return createHash("sha256").update(`${kind}\n${lines}`).digest("hex").slice(0, 32);
}

/** One key for each cell, in order: its content's hash, and a number that tells cells of the same content apart. */
export function cellKeys(cells: readonly CellContent[]): string[] {
  const seen = new Map<string, number>();
  return cells.map((cell) => {
    const hash = contentHash(cell);
    const number = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, number);
    return `${hash}.${number}`;
  });
}
