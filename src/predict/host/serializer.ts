// The notebook's file: what it was read from travels in the metadata, so that what was not edited is written as it was.
import * as vscode from "vscode";
import { emptyNotebook, parseNotebook, serializeNotebook } from "../notebook/notebookText.ts";
import { addStoredOutputs, type ResultPlace } from "./storedOutputs.ts";
import type { CellSource, NotebookText, TextCell } from "../notebook/notebookText.ts";

/** Reads any bytes: none are refused. Cells that have a stored result get an output that stands for it. */
export async function deserialize(
  bytes: Uint8Array,
  place: ResultPlace,
): Promise<vscode.NotebookData> {
  const { cells, ...text } = parseNotebook(bytes);
  const data = new vscode.NotebookData(cells.map(toCell));
  data.metadata = { ...text };
  await addStoredOutputs(data, place);
  return data;
}

/** The bytes of a notebook; those that it was read from, where nothing was edited. */
export function serialize({ cells, metadata }: vscode.NotebookData): Uint8Array {
  const { mark, lineEnd } = { ...emptyNotebook, ...(metadata as Partial<NotebookText>) };
  return serializeNotebook({ mark, lineEnd, cells: cells.map(fromCell) });
}

function toCell({ kind, language, text, source }: TextCell): vscode.NotebookCellData {
  const cellKind = kind === "code" ? vscode.NotebookCellKind.Code : vscode.NotebookCellKind.Markup;
  const cell = new vscode.NotebookCellData(cellKind, text, language);
  if (source) cell.metadata = { source };
  return cell;
}

function fromCell({ kind, languageId, value, metadata }: vscode.NotebookCellData): TextCell {
  const source = metadata?.["source"] as CellSource | undefined;
  return {
    kind: kind === vscode.NotebookCellKind.Code ? "code" : "markdown",
    language: languageId,
    text: value,
    ...(source ? { source } : {}),
  };
}
