// Cells that run or ran: their outputs, and what their renderers ask for. Imported with the first run.
import * as v from "valibot";
import * as vscode from "vscode";
import { isCancelled } from "../../mindsdb/errors.ts";
import { explain } from "../../shared/host/explain.ts";
import { predictBatchRows, predictConcurrency } from "../../shared/host/settings.ts";
import { notebooks } from "../../ids.ts";
import { copyText } from "../copy.ts";
import {
  toHost,
  type ResultHeader,
  type ResultView,
  type ToHost,
  type ToPage,
} from "../messages.ts";
import { orderOf } from "../order.ts";
import { parseRecipe } from "../recipe.ts";
import { toResultRow } from "../resultTable.ts";
import type { PredictOptions } from "./notebooks.ts";
import { Run } from "./run.ts";
import { resultTexts } from "./texts.ts";

interface RunsOptions extends PredictOptions {
  messaging: vscode.NotebookRendererMessaging;
}

/** A run, the cell it belongs to, and the order its rows were last asked for in. */
interface KeptRun {
  run: Run;
  cell: vscode.NotebookCell;
  connectionId: string;
  order?: { key: string; order: Promise<Uint32Array | undefined> };
}

/** So many rows travel in the output itself. */
const firstRows = 20;
/** A running result is told about so often, in ms. */
const tellEvery = 200;
/** The text that stands in for the grid where there is none has so many rows. */
const textRows = 10;

export class Runs implements vscode.Disposable {
  readonly #options: RunsOptions;
  readonly #kept = new Map<string, KeptRun>();
  readonly #anyway = new WeakSet<vscode.NotebookCell>();
  #order = 0;

  constructor(options: RunsOptions) {
    this.#options = options;
  }

  /** Runs cells one after the other, as `Run All` means it; after one that fails the others are left alone. */
  async execute(
    cells: readonly vscode.NotebookCell[],
    controller: vscode.NotebookController,
    connectionId: string,
  ): Promise<void> {
    const executions = cells.map((cell) => controller.createNotebookCellExecution(cell));
    let isOver = false;
    for (const execution of executions) {
      if (isOver || execution.token.isCancellationRequested) {
        execution.start();
        execution.end(undefined);
        continue;
      }
      isOver = !(await this.#execute(execution, connectionId));
    }
  }

  async receive(message: unknown, editor: vscode.NotebookEditor): Promise<void> {
    const parsed = v.safeParse(toHost, message);
    if (!parsed.success) return;
    const kept = this.#kept.get(parsed.output.runId);
    try {
      await this.#answer(parsed.output, kept, editor);
    } catch (error) {
      if (!isCancelled(error)) this.#options.log.error("A result could not be shown.", error);
    }
  }

  /** Lets go of everything that was kept for a notebook. */
  forget(notebook: vscode.NotebookDocument): void {
    for (const [id, { run, cell }] of this.#kept) {
      if (cell.notebook !== notebook) continue;
      run.stop();
      this.#kept.delete(id);
    }
  }

  /** Ends what runs at a connection. */
  stopAll(connectionId: string): void {
    for (const { run, connectionId: id } of this.#kept.values())
      if (id === connectionId) run.stop();
  }

  dispose(): void {
    for (const { run } of this.#kept.values()) run.stop();
    this.#kept.clear();
  }

  /** Whether the cell came to its end. */
  async #execute(execution: vscode.NotebookCellExecution, connectionId: string): Promise<boolean> {
    const { cell } = execution;
    const anyway = this.#anyway.delete(cell);
    execution.executionOrder = ++this.#order;
    execution.start(Date.now());
    await execution.clearOutput();
    for (const [id, kept] of this.#kept) if (kept.cell === cell) this.#kept.delete(id);

    const parsed =
      cell.document.languageId === "sql" ? undefined : parseRecipe(cell.document.getText());
    if (parsed && !parsed.recipe) {
      const text = parsed.problems.map(({ message }) => message).join("\n");
      await execution.replaceOutput(
        new vscode.NotebookCellOutput([vscode.NotebookCellOutputItem.text(text, "text/plain")]),
      );
      execution.end(false, Date.now());
      return false;
    }

    const { servers, log } = this.#options;
    const told = throttled(tellEvery, () => this.#tell(run));
    const run = new Run({
      notebook: cell.notebook.uri,
      client: () => servers.client(connectionId),
      explain: (error) =>
        explain(error, { connectionId, address: servers.find(connectionId)?.address }),
      logError: (what, error) => log.error(what, error),
      batchRows: predictBatchRows(),
      concurrency: predictConcurrency(),
      changed: told,
    });
    this.#kept.set(run.id, { run, cell, connectionId });
    const cancel = execution.token.onCancellationRequested(() => run.stop());
    // Somebody signed in, or the server has come back.
    const back = servers.onDidChange((id) => {
      if (id === connectionId && run.progress.state.kind === "paused") run.resume();
    });
    const output = new vscode.NotebookCellOutput(this.#items(run), { runId: run.id });
    await execution.replaceOutput(output);
    try {
      if (parsed?.recipe) await run.predict(parsed.recipe, anyway);
      else await run.sql(cell.document.getText());
    } finally {
      cancel.dispose();
      back.dispose();
    }
    this.#tell(run);
    await execution.replaceOutputItems(this.#items(run), output);
    const isWhole = run.progress.state.kind === "done";
    execution.end(isWhole, Date.now());
    return isWhole;
  }

  #items(run: Run): vscode.NotebookCellOutputItem[] {
    const { table, progress } = run;
    const count = Math.min(table.length, firstRows);
    const header: ResultHeader = {
      ...progress,
      runId: run.id,
      columns: [...table.columns],
      first: Array.from({ length: count }, (_, row) => toResultRow(table, row)),
      locale: vscode.env.language,
      texts: resultTexts(),
    };
    return [
      vscode.NotebookCellOutputItem.json(header, notebooks.mime),
      vscode.NotebookCellOutputItem.text(plainText(run), "text/plain"),
    ];
  }

  #tell(run: Run): void {
    const { id: runId, progress, table } = run;
    this.#post({ type: "progress", runId, progress, columns: [...table.columns] });
  }

  #post(message: ToPage, editor?: vscode.NotebookEditor): void {
    void this.#options.messaging.postMessage(message, editor);
  }

  async #answer(
    message: ToHost,
    kept: KeptRun | undefined,
    editor: vscode.NotebookEditor,
  ): Promise<void> {
    const { runId } = message;
    if (message.type === "run") {
      const cell = kept?.cell ?? cellOfOutput(editor.notebook, runId);
      if (cell) await this.#runAgain(cell, message.anyway);
      return;
    }
    if (!kept) {
      this.#post({ type: "gone", runId }, editor);
      return;
    }
    const { run } = kept;
    switch (message.type) {
      case "hello":
        this.#tell(run);
        break;
      case "window": {
        const { instance, request, view, from, count } = message;
        const order = await this.#orderOf(kept, view);
        const total = order?.length ?? run.table.length;
        const length = Math.max(0, Math.min(count, total - from));
        const rows = Array.from({ length }, (_, at) =>
          toResultRow(run.table, order?.[from + at] ?? from + at),
        );
        this.#post({ type: "window", runId, instance, request, total, from, rows }, editor);
        break;
      }
      case "copy": {
        const order = await this.#orderOf(kept, message.view);
        const columns = run.table.columns.slice(message.columns.from, message.columns.to);
        const rows: (string | undefined)[][] = [];
        for (let at = message.rows.from; at < message.rows.to; at++) {
          const row = order?.[at] ?? at;
          rows.push(
            columns.map((_, column) => run.table.valueOf(row, message.columns.from + column)),
          );
        }
        await vscode.env.clipboard.writeText(copyText(columns, rows, message.format));
        break;
      }
      case "export":
        await (await import("./export.ts")).exportResult(run.table, kept.cell.notebook.uri);
        break;
      case "resume":
        run.resume();
        break;
      case "stop":
        run.stop();
        break;
      case "accept":
        if (run.action) {
          await vscode.commands.executeCommand(run.action.command, ...run.action.arguments);
        }
    }
  }

  async #runAgain(cell: vscode.NotebookCell, anyway: boolean): Promise<void> {
    if (anyway) this.#anyway.add(cell);
    await vscode.commands.executeCommand("notebook.cell.execute", {
      ranges: [{ start: cell.index, end: cell.index + 1 }],
      document: cell.notebook.uri,
    });
  }

  /** The order is kept as long as the same is asked for; a result that grows is looked through again. */
  #orderOf(kept: KeptRun, view: ResultView): Promise<Uint32Array | undefined> {
    const key = JSON.stringify([view, kept.run.table.length]);
    if (kept.order?.key !== key) kept.order = { key, order: orderOf(kept.run.table, view) };
    return kept.order.order;
  }
}

function cellOfOutput(
  notebook: vscode.NotebookDocument,
  runId: string,
): vscode.NotebookCell | undefined {
  return notebook
    .getCells()
    .find(({ outputs }) => outputs.some(({ metadata }) => metadata?.["runId"] === runId));
}

/** What is read where the grid cannot be drawn. */
function plainText({ table, progress }: Run): string {
  const { state, notes } = progress;
  const rows = Array.from({ length: Math.min(table.length, textRows) }, (_, row) =>
    table.valuesOf(row),
  );
  return [
    ...("message" in state ? [state.message] : []),
    ...notes,
    table.columns.map(({ name }) => name).join("\t"),
    copyText(table.columns, rows, "tsv"),
    ...(table.length > textRows ? [vscode.l10n.t("{0} rows in all.", table.length)] : []),
  ].join("\n");
}

/** Calls at most so often: at once, and again at the end of the time if it was wanted meanwhile. */
function throttled(ms: number, work: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isWanted = false;
  return () => {
    if (timer) {
      isWanted = true;
      return;
    }
    work();
    timer = setTimeout(() => {
      timer = undefined;
      if (isWanted) work();
      isWanted = false;
    }, ms);
  };
}
