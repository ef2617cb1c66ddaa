// A cell's output: a small header for the renderer, and plain text where there is none.
import * as vscode from "vscode";
import { notebooks } from "../../ids.ts";
import type { ResultHeader, RunProgress } from "../messages.ts";
import { ClipboardText } from "../result/clipboardText.ts";
import type { ResultAccess } from "../result/resultAccess.ts";
import { resultTexts } from "./resultTexts.ts";

/** So many rows travel in the output itself. */
const firstRows = 20;
/** The text that stands in for the grid where there is none has so many rows. */
const textRows = 10;

export async function resultHeader(
  { id, table }: ResultAccess,
  progress: RunProgress,
): Promise<ResultHeader> {
  return {
    ...progress,
    runId: id,
    columns: [...table.columns],
    first: await table.window(0, firstRows),
    locale: vscode.env.language,
    texts: resultTexts(),
  };
}

export async function outputItems(run: ResultAccess): Promise<vscode.NotebookCellOutputItem[]> {
  const header = await resultHeader(run, run.progress);
  return [
    vscode.NotebookCellOutputItem.json(header, notebooks.mime),
    vscode.NotebookCellOutputItem.text(await plainText(run), "text/plain"),
  ];
}

/** What is read where the grid cannot be drawn. */
async function plainText({ table, progress }: ResultAccess): Promise<string> {
  const { state, notes } = progress;
  const rows = new ClipboardText(table.columns, "tsv");
  const shown = await table.window(0, textRows);
  rows.add(shown.map(({ values }) => values.map((value) => value ?? undefined)));
  return [
    ...("message" in state && state.message ? [state.message] : []),
    ...notes,
    table.columns.map(({ name }) => name).join("\t"),
    rows.text,
    ...(table.length > textRows
      ? [vscode.l10n.t("{0} rows in all.", table.length.toLocaleString(vscode.env.language))]
      : []),
  ].join("\n");
}
