import type * as vscode from "vscode";
import { hashContent } from "../notebook/cellKeys.ts";
import { readContent } from "./cellText.ts";
import { readResultHeader } from "./resultHeader.ts";
import type { CellResult } from "./cellResult.ts";

/**
 * The cell that the Run button of a result runs. An output can claim any run, so it decides nothing: the cell is the one
 * that made the result, or a copy with the same text. Only between such copies the output decides.
 */
export function findCellToRun(
  open: CellResult | undefined,
  granted: CellResult,
  notebook: vscode.NotebookDocument,
): vscode.NotebookCell | undefined {
  const maker = notebook.getCells().find((cell) => cell === open?.cell);
  if (maker) return maker;
  const { origin, run } = granted;
  const copies = notebook
    .getCells()
    .filter((cell) => hashContent(readContent(cell)) === origin.contentHash);
  const shows = ({ outputs }: vscode.NotebookCell): boolean =>
    outputs.some((output) => readResultHeader(output)?.runId === run.id);
  return copies.find(shows) ?? copies.find((cell) => cell === granted.cell);
}
