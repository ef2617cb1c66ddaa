import * as vscode from "vscode";
import { notebooks } from "../../ids.ts";
import type { ResultHeader, RunProgress } from "../messages.ts";
import { ClipboardText } from "../result/clipboardText.ts";
import type { OpenResult } from "../result/openResult.ts";
import type { RunDrawing } from "../run/drawSchedule.ts";
import type { CellResult } from "./cellResult.ts";

/** Rows in the output itself. */
const maxFirstRows = 20;
/** Rows in the plain text output. */
const maxTextRows = 10;

export async function createResultHeader(
  { id, table }: OpenResult,
  progress: RunProgress,
  texts: ResultHeader["texts"],
): Promise<ResultHeader> {
  return {
    ...progress,
    runId: id,
    columns: [...table.columns],
    first: await table.window(0, maxFirstRows),
    locale: vscode.env.language,
    texts,
  };
}

type ShownRun = Pick<CellResult, "run" | "progress">;

interface RunDrawingOptions {
  texts: ResultHeader["texts"];
  postProgress: () => void;
  onReplace: () => void;
}

/** Draws a run as the output of its cell. `onReplace` is called when the output of an earlier run is about to go. */
export function createRunDrawing(
  execution: vscode.NotebookCellExecution,
  shown: ShownRun,
  { texts, postProgress, onReplace }: RunDrawingOptions,
): RunDrawing {
  const output = new vscode.NotebookCellOutput([]);
  return {
    draw: async () => {
      onReplace();
      output.items = await outputItems(shown, texts);
      // Cleared first, because VS Code keeps the menu of an output that is only replaced.
      await Promise.all([execution.clearOutput(), execution.replaceOutput(output)]);
    },
    postProgress,
    drawEnd: async () => {
      postProgress();
      await execution.replaceOutputItems(await outputItems(shown, texts), output);
    },
  };
}

/** A small header for the renderer, and plain text for editors without it. */
async function outputItems(
  { run, progress }: ShownRun,
  texts: ResultHeader["texts"],
): Promise<vscode.NotebookCellOutputItem[]> {
  const header = await createResultHeader(run, progress, texts);
  return [
    vscode.NotebookCellOutputItem.json(header, notebooks.mime),
    vscode.NotebookCellOutputItem.text(await plainText(run), "text/plain"),
  ];
}

/** The output for editors without the renderer. */
async function plainText({ table, progress }: OpenResult): Promise<string> {
  const { state, notes } = progress;
  const rows = new ClipboardText(table.columns, "tsv");
  const first = await table.window(0, maxTextRows);
  rows.add(first.map(({ values }) => values.map((value) => value ?? undefined)));
  return [
    ...("message" in state && state.message ? [state.message] : []),
    ...notes,
    table.columns.map(({ name }) => name).join("\t"),
    rows.text,
    ...(table.length > maxTextRows
      ? [vscode.l10n.t("{0} rows in all.", table.length.toLocaleString(vscode.env.language))]
      : []),
  ].join("\n");
}

/** The output of an error, without a stack, which would only repeat the message. */
export function errorOutput(message: string): vscode.NotebookCellOutput {
  const error = { name: "", message };
  return new vscode.NotebookCellOutput([vscode.NotebookCellOutputItem.error(error)]);
}
