import * as vscode from "vscode";
import { sqlLanguage } from "../../ids.ts";
import { emptyNotebook, parseNotebook, serializeNotebook } from "../notebook/notebookText.ts";
import { addStoredOutputs, type NotebookPlace } from "./storedOutputs.ts";
import type { CellSource, NotebookText, TextCell } from "../notebook/notebookText.ts";

/**
 * Reads any bytes. The metadata keeps the bytes of each cell, so that cells that are not edited are written unchanged.
 * Cells with a stored result get an output for it.
 */
export async function deserialize(
  bytes: Uint8Array,
  place: NotebookPlace,
): Promise<vscode.NotebookData> {
  const { cells, ...text } = parseNotebook(bytes);
  const data = new vscode.NotebookData(cells.map(toCell));
  data.metadata = { ...text };
  await addStoredOutputs(data, place);
  return data;
}

/** The bytes of a notebook; unchanged for cells that were not edited. */
export function serialize({ cells, metadata }: vscode.NotebookData): Uint8Array {
  const { mark, lineEnd } = { ...emptyNotebook, ...(metadata as Partial<NotebookText>) };
  return serializeNotebook({ mark, lineEnd, cells: cells.map(fromCell) });
}

function toCell({ kind, language, text, source }: TextCell): vscode.NotebookCellData {
  const cellKind = kind === "code" ? vscode.NotebookCellKind.Code : vscode.NotebookCellKind.Markup;
  const cell = new vscode.NotebookCellData(
    cellKind,
    text,
    language === "sql" ? sqlLanguage : language,
  );
  if (source) cell.metadata = { source };
  return cell;
}

function fromCell({ kind, languageId, value, metadata }: vscode.NotebookCellData): TextCell {
  const source = metadata?.["source"] as CellSource | undefined;
  return {
    kind: kind === vscode.NotebookCellKind.Code ? "code" : "markdown",
    language: languageId === sqlLanguage ? "sql" : languageId,
    text: value,
    source,
  };
}
