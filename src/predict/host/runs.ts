// Cells that run or ran: their outputs, and what their renderers ask for. Imported with the first run.
import * as v from "valibot";
import * as vscode from "vscode";
import { AppError, isCancelled } from "../../mindsdb/errors.ts";
import { explain, runAction } from "../../shared/host/explain.ts";
import {
  predictBatchRows,
  predictConcurrency,
  predictTimeLimitMs,
  sqlTimeLimitMs,
} from "../../shared/host/settings.ts";
import { throttled } from "../../shared/throttled.ts";
import { notebooks } from "../../ids.ts";
import { ClipboardText } from "../result/copy.ts";
import { toHost, type ResultHeader, type ToHost, type ToPage } from "../messages.ts";
import { parseRecipe } from "../recipe.ts";
import { RunFolders } from "../result/runFolders.ts";
import { RunTable } from "../result/runTable.ts";
import { Turn } from "../turn.ts";
import { ViewOrders } from "../result/viewOrders.ts";
import { describeProblems } from "../recipeProblems.ts";
import { checkTrust, NotebookConsent } from "./consent.ts";
import type { PredictOptions } from "./notebooks.ts";
import { resultHeaderOf } from "./resultHeader.ts";
import { Run } from "./run.ts";
import { SqlErrorMarks } from "./sqlErrorMarks.ts";
import { resultTexts } from "./texts.ts";
import { showWarning } from "../../shared/host/notifications.ts";

interface RunsOptions extends Pick<PredictOptions, "servers" | "descriptions" | "folder" | "log"> {
  messaging: vscode.NotebookRendererMessaging;
}

/** A run, the cell it belongs to, and the orders its rows were last asked for in. */
interface KeptRun {
  run: Run;
  cell: vscode.NotebookCell;
  connectionId: string;
  orders: ViewOrders;
}

/** So many rows travel in the output itself. */
const firstRows = 20;
/** A running result is told about so often, in ms. */
const tellEvery = 200;
/** The text that stands in for the grid where there is none has so many rows. */
const textRows = 10;
/** A copy is read in pieces of so many values. */
const pieceValues = 5_000;

/** Built beside the chunk that this file is in. */
const worker = new URL("./runWorker.js", import.meta.url);

export class Runs implements vscode.Disposable {
  readonly #options: RunsOptions;
  readonly #kept = new Map<string, KeptRun>();
  readonly #anyway = new WeakSet<vscode.NotebookCell>();
  /** When a cell's last execution is over. */
  readonly #endings = new WeakMap<vscode.NotebookCell, Promise<unknown>>();
  readonly #folders: RunFolders;
  readonly #consent = new NotebookConsent();
  readonly #sqlErrors = new SqlErrorMarks();
  #order = 0;

  constructor(options: RunsOptions) {
    this.#options = options;
    this.#folders = new RunFolders(options.folder);
    void this.#folders.sweep();
    this.#post({ type: "began" });
  }

  /** Runs cells one after the other, as `Run All` means it; after one that fails the others are left alone. */
  async execute(
    cells: readonly vscode.NotebookCell[],
    controller: vscode.NotebookController,
    connectionId: string,
  ): Promise<void> {
    if (!checkTrust()) return;
    const executions = cells.map((cell) => controller.createNotebookCellExecution(cell));
    let isOver = false;
    for (const execution of executions) {
      if (isOver || execution.token.isCancellationRequested) {
        execution.start();
        execution.end(undefined);
        continue;
      }
      const ending = this.#executeToEnd(execution, connectionId);
      this.#endings.set(execution.cell, ending);
      isOver = !(await ending);
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
    this.#forget(({ cell }) => cell.notebook === notebook);
  }

  /** Ends what runs at a connection. */
  stopAll(connectionId: string): void {
    for (const { run, connectionId: id } of this.#kept.values()) {
      if (id === connectionId) run.stop();
    }
  }

  dispose(): void {
    this.#forget(() => true);
    this.#folders.dispose();
    this.#sqlErrors.dispose();
  }

  #forget(isMeant: (kept: KeptRun) => boolean): void {
    for (const [id, kept] of this.#kept) {
      if (!isMeant(kept)) continue;
      this.#kept.delete(id);
      // A copy of the cell may still show it.
      this.#post({ type: "gone", runId: id });
      kept.orders.dispose();
      kept.run.dispose().catch((error: unknown) => {
        this.#options.log.error("A run could not be deleted from disk.", error);
      });
    }
  }

  /** Whether the cell came to its end. Whatever happens, its execution ends: a cell that never ends never runs again. */
  async #executeToEnd(
    execution: vscode.NotebookCellExecution,
    connectionId: string,
  ): Promise<boolean> {
    let isWhole = false;
    try {
      isWhole = await this.#execute(execution, connectionId);
    } catch (error) {
      // Be it that the notebook is closed.
      if (!isCancelled(error)) this.#options.log.error("A cell could not be run.", error);
    } finally {
      execution.end(isWhole, Date.now());
    }
    return isWhole;
  }

  async #execute(execution: vscode.NotebookCellExecution, connectionId: string): Promise<boolean> {
    const { cell } = execution;
    const { servers, descriptions, log } = this.#options;
    const anyway = this.#anyway.delete(cell);
    // The user may write on while the cell waits for them.
    const text = cell.document.getText();
    const isSql = cell.document.languageId === "sql";
    const connection = servers.find(connectionId);
    execution.executionOrder = ++this.#order;
    execution.start(Date.now());
    if (isSql && connection && !(await this.#consent.allowStatement(cell, text, connection))) {
      return false;
    }
    if (execution.token.isCancellationRequested) return false;
    this.#sqlErrors.clear(cell.document);
    this.#forget((kept) => kept.cell === cell);

    const parsed = isSql ? undefined : parseRecipe(text);

    const execute = (run: Run): Promise<void> => {
      if (!parsed) return run.sql(text);
      if (parsed.recipe) return run.predict(parsed.recipe, anyway);
      return run.refuse(describeProblems(text, parsed.problems));
    };
    const told = throttled(tellEvery, () => this.#tell(run));
    const run = new Run({
      notebook: cell.notebook.uri,
      allowFile: async (file) =>
        connection !== undefined && this.#consent.allowFile(cell.notebook, file, connection),
      client: () => servers.client(connectionId),
      described: { connectionId, descriptions },
      explain: (error) =>
        explain(error, { connectionId, address: servers.find(connectionId)?.address }),
      logError: (what, error) => log.error(what, error),
      batchRows: predictBatchRows(),
      concurrency: predictConcurrency(),
      timeLimitMs: predictTimeLimitMs(),
      sqlTimeLimitMs: sqlTimeLimitMs(),
      createTable: async (runId, known) =>
        RunTable.create({ folder: await this.#folders.folderOf(runId), worker, known }),
      changed: told,
    });
    const orders = new ViewOrders(run);
    this.#kept.set(run.id, { run, cell, connectionId, orders });
    const cancel = execution.token.onCancellationRequested(() => run.stop());
    // Somebody signed in, or the server has come back.
    const back = servers.onDidChange((id) => {
      if (id === connectionId) run.resumeIfSure();
    });
    const output = new vscode.NotebookCellOutput(await this.#items(run));
    try {
      // At once, not one after the other: drawing takes longer than all else before the first request.
      await Promise.all([execution.replaceOutput(output), execute(run)]);
    } finally {
      cancel.dispose();
      back.dispose();
    }
    if (isSql) this.#sqlErrors.mark(cell.document, text, run.error);
    this.#tell(run);
    await execution.replaceOutputItems(await this.#items(run), output);
    return run.progress.state.kind === "done";
  }

  async #items(run: Run): Promise<vscode.NotebookCellOutputItem[]> {
    const { table, progress } = run;
    const header: ResultHeader = {
      ...progress,
      runId: run.id,
      columns: [...table.columns],
      first: await table.window(0, firstRows),
      locale: vscode.env.language,
      texts: resultTexts(),
    };
    return [
      vscode.NotebookCellOutputItem.json(header, notebooks.mime),
      vscode.NotebookCellOutputItem.text(await plainText(run), "text/plain"),
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
      const cell = cellOfResult(editor.notebook, runId, kept?.cell);
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
        const order = await kept.orders.order(instance, view);
        const rows = await run.table.window(from, count, order);
        const total = order?.length ?? run.table.length;
        this.#post({ type: "window", runId, instance, request, total, from, rows }, editor);
        break;
      }
      case "copy":
        await this.#copy(kept, message);
        break;
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
        if (run.action) await runAction(run.action);
    }
  }

  async #runAgain(cell: vscode.NotebookCell, anyway: boolean): Promise<void> {
    // A result has its button a moment before its cell is over, and VS Code runs no cell that still runs.
    await this.#endings.get(cell);
    if (anyway) this.#anyway.add(cell);
    await vscode.commands.executeCommand("notebook.cell.execute", {
      ranges: [{ start: cell.index, end: cell.index + 1 }],
      document: cell.notebook.uri,
    });
  }

  /** Reads what is selected piece by piece: it may be a million rows. */
  async #copy(
    { run: { table }, orders }: KeptRun,
    { view, rows, columns, format }: Extract<ToHost, { type: "copy" }>,
  ): Promise<void> {
    const order = await orders.order("clipboard", view);
    const text = new ClipboardText(table.columns.slice(columns.from, columns.to), format);
    if (rows.to - rows.from > 1 || columns.to - columns.from > 1) text.addHeader();
    const piece = Math.max(1, Math.floor(pieceValues / Math.max(1, table.columns.length)));
    const turn = new Turn();
    try {
      for (let from = rows.from; from < rows.to; from += piece) {
        const values = await table.values(from, Math.min(piece, rows.to - from), order);
        if (values.length === 0) break;
        text.add(values.map((row) => row.slice(columns.from, columns.to)));
        await turn.next();
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      void showWarning(error.message);
      return;
    }
    await vscode.env.clipboard.writeText(text.text);
  }
}

/** The cell that a result is shown for: the one that ran, unless that is elsewhere and this is a copy of it. */
function cellOfResult(
  notebook: vscode.NotebookDocument,
  runId: string,
  ran: vscode.NotebookCell | undefined,
): vscode.NotebookCell | undefined {
  if (ran?.notebook === notebook) return ran;
  return notebook
    .getCells()
    .find(({ outputs }) => outputs.some((one) => resultHeaderOf(one)?.runId === runId));
}

/** What is read where the grid cannot be drawn. */
async function plainText({ table, progress }: Run): Promise<string> {
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
