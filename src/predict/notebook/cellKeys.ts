// Keys of a notebook's code cells, by which their results are found.
import { createHash } from "node:crypto";
import { sqlLanguage } from "../../ids.ts";

export interface CellContent {
  /** VS Code's id; every cell without SQL is a recipe. */
  language: string;
  text: string;
}

/** A hash of a cell's content, independent of line ends. The text may hold secrets and is not stored itself. */
export function hashContent({ language, text }: CellContent): string {
  const kind = language === sqlLanguage ? "sql" : "recipe";
  const lines = text.replace(/\r\n?/g, "\n");
  return createHash("sha256").update(`${kind}\n${lines}`).digest("hex").slice(0, 32);
}

/** A key for each cell: the hash of its content, and a number that distinguishes cells with the same content. */
export function createCellKeys(cells: readonly CellContent[]): string[] {
  const seen = new Map<string, number>();
  return cells.map((cell) => {
    const hash = hashContent(cell);
    const number = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, number);
    return `${hash}.${number}`;
  });
}
