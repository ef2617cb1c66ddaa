// Cells that run or ran: their outputs, and what their renderers ask for. Imported with the first run.
import * as v from "valibot";
import * as vscode from "vscode";
import { isCancelled } from "../../mindsdb/errors.ts";
import { explainError, runAction } from "../../shared/host/errorMessages.ts";
import {
  predictBatchRows,
  predictConcurrency,
  predictTimeLimitMs,
  sqlTimeLimitMs,
} from "../../shared/host/settings.ts";
import { notebooks } from "../../ids.ts";
import { throttle } from "../../shared/throttle.ts";
import { contentHash } from "../notebook/cellKeys.ts";
import { toHost, type ResultHeader, type ToHost, type ToPage } from "../messages.ts";
import { parseRecipe } from "../notebook/recipe.ts";
import { ResultOnDisk } from "../result/resultOnDisk.ts";
import { describeProblems } from "../notebook/recipeProblems.ts";
import { checkTrust, NotebookConsent } from "./notebookConsent.ts";
import { copyRows } from "./copyRows.ts";
import { NotebookResults } from "./notebookResults.ts";
import type { PredictOptions } from "./notebooks.ts";
import { ResultOfCell } from "./resultOfCell.ts";
import { ModelChanges } from "./changesSince.ts";
import { resultHeaderOf, storedKeyOf } from "./resultHeader.ts";
import { outputItems, resultHeader } from "./resultOutput.ts";
import { CellRun } from "./cellRun.ts";
import { SqlErrorMarks } from "./sqlErrorMarks.ts";
import type { ResultPlace } from "./storedOutputs.ts";
import { watchRowsFiles } from "./watchRowsFiles.ts";

interface RunsOptions
  extends Pick<PredictOptions, "servers" | "descriptions" | "log">, ResultPlace {
  messaging: vscode.NotebookRendererMessaging;
}

/** Milliseconds between two progress messages of a run: each one is drawn, which takes time from the run itself. */
const progressIntervalMs = 400;

/** How a cell's execution ended. */
interface CellEnding {
  isDone: boolean;
  /** Milliseconds since 1970; before the result is stored and drawn for the last time. Undefined if nothing ran. */
  endedAt: number | undefined;
}

/** Built beside the chunk that this file is in. */
const worker = new URL("./resultWorker.js", import.meta.url);

export class CellController implements vscode.Disposable {
  readonly #options: RunsOptions;
  readonly #open = new Map<string, ResultOfCell>();
  /** Results that are being read. */
  readonly #opening = new Map<string, Promise<ResultOfCell | undefined>>();
  readonly #anyway = new WeakSet<vscode.NotebookCell>();
  /** When a cell's last execution is over. */
  readonly #endings = new WeakMap<vscode.NotebookCell, Promise<unknown>>();
  readonly #executing = new Set<vscode.NotebookCell>();
  readonly #kept: NotebookResults;
  readonly #models: ModelChanges;
  readonly #consent = new NotebookConsent();
  readonly #sqlErrors = new SqlErrorMarks();
  readonly #subscriptions: vscode.Disposable[];
  #order = 0;

  constructor(options: RunsOptions) {
    this.#options = options;
    this.#kept = new NotebookResults(options, worker, options.log);
    this.#models = new ModelChanges(options.servers);
    this.#subscriptions = [
      vscode.workspace.onDidOpenNotebookDocument((notebook) => {
        if (isOurs(notebook)) void this.#kept.adopt(notebook);
      }),
      vscode.workspace.onDidSaveNotebookDocument((notebook) => {
        if (!isOurs(notebook)) return;
        void this.#kept.saved(notebook);
        this.#lookForChanges(notebook);
      }),
      vscode.workspace.onDidChangeNotebookDocument((event) => this.#changed(event)),
      vscode.workspace.onDidSaveTextDocument(() => this.#lookForChanges()),
      watchRowsFiles((uri) => this.#rowsChanged(uri)),
      vscode.window.onDidChangeActiveNotebookEditor((editor) => {
        if (editor) this.#lookForChanges(editor.notebook);
      }),
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.#lookForChanges();
      }),
    ];
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
    try {
      if (parsed.output.type === "stored") await this.#answerStored(parsed.output, editor);
      else await this.#answer(parsed.output, editor);
    } catch (error) {
      if (!isCancelled(error)) this.#options.log.error("A result could not be shown.", error);
    }
  }

  /** Lets go of everything that a notebook shows; what is stored stays. */
  async closed(notebook: vscode.NotebookDocument): Promise<void> {
    if (isOurs(notebook)) this.#kept.closed(notebook);
    await this.#close([...this.#open.values()].filter((one) => one.notebook === notebook));
  }

  /** Notebooks, or folders with notebooks in them, get other names. */
  async renamed(files: readonly { oldUri: vscode.Uri; newUri: vscode.Uri }[]): Promise<void> {
    for (const { oldUri, newUri } of files) await this.#kept.renamed(oldUri, newUri);
  }

  /** Ends what runs at a connection. */
  stopAll(connectionId: string): void {
    for (const { run, origin } of this.#open.values()) {
      if (origin.connectionId === connectionId) run.stop();
    }
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    for (const { run, orders } of this.#open.values()) {
      orders.dispose();
      run.stop();
    }
    this.#kept.store.dispose();
    this.#sqlErrors.dispose();
  }

  /** Closes results, and deletes those that no notebook refers to. */
  async #close(results: ResultOfCell[]): Promise<void> {
    for (const result of results) this.#open.delete(result.run.id);
    for (const result of results) {
      const { id } = result.run;
      try {
        await result.dispose();
        // A copy of the cell may still show it.
        if (await this.#kept.store.release(id)) this.#post({ type: "gone", runId: id });
      } catch (error) {
        this.#options.log.error("A result could not be closed.", error);
      }
    }
  }

  /** Whether the cell came to its end. Whatever happens, its execution ends: a cell that never ends never runs again. */
  async #executeToEnd(
    execution: vscode.NotebookCellExecution,
    connectionId: string,
  ): Promise<boolean> {
    const ending: CellEnding = { isDone: false, endedAt: undefined };
    this.#executing.add(execution.cell);
    try {
      await this.#execute(execution, connectionId, ending);
    } catch (error) {
      // For example because the notebook was closed.
      if (!isCancelled(error)) this.#options.log.error("A cell could not be run.", error);
    } finally {
      this.#executing.delete(execution.cell);
      execution.end(ending.isDone, ending.endedAt ?? Date.now());
    }
    return ending.isDone;
  }

  async #execute(
    execution: vscode.NotebookCellExecution,
    connectionId: string,
    ending: CellEnding,
  ): Promise<void> {
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
      return;
    }
    if (execution.token.isCancellationRequested) return;
    this.#sqlErrors.clear(cell.document);

    const parsed = isSql ? undefined : parseRecipe(text);

    const execute = (run: CellRun): Promise<void> => {
      if (!parsed) return run.sql(text);
      if (parsed.recipe) return run.predict(parsed.recipe, anyway);
      return run.refuse(describeProblems(text, parsed.problems));
    };
    const told = throttle(progressIntervalMs, () => this.#tell(result));
    const startedAt = Date.now();
    const hash = contentHash({ language: cell.document.languageId, text });
    const run = new CellRun({
      notebook: cell.notebook.uri,
      allowFile: async (file) =>
        connection !== undefined && this.#consent.allowFile(cell.notebook, file, connection),
      client: () => servers.client(connectionId),
      described: { connectionId, descriptions },
      explain: (error) =>
        explainError(error, { connectionId, address: servers.find(connectionId)?.address }),
      logError: (what, error) => log.error(what, error),
      batchRows: predictBatchRows(),
      concurrency: predictConcurrency(),
      timeLimitMs: predictTimeLimitMs(),
      sqlTimeLimitMs: sqlTimeLimitMs(),
      createTable: async (runId, known) =>
        ResultOnDisk.create({ folder: await this.#kept.store.create(runId), worker, known }),
      changed: told,
    });
    const result = new ResultOfCell(
      run,
      { notebook: cell.notebook, cell },
      {
        origin: () => ({ startedAt, connectionId, contentHash: hash, ...run.madeOf }),
        isStored: false,
      },
    );
    const earlier = [...this.#open.values()].filter((one) => one.cell === cell);
    this.#open.set(run.id, result);
    const replacing = this.#kept.begin(cell, run.id).then(() => this.#close(earlier));
    const cancel = execution.token.onCancellationRequested(() => run.stop());
    // Somebody signed in, or the server has come back.
    const back = servers.onDidChange((id) => {
      if (id === connectionId) run.resumeIfSure();
    });
    const output = new vscode.NotebookCellOutput(await outputItems(run));
    result.over = execute(run).then(() => {
      ending.endedAt = Date.now();
      return this.#kept.end(run, result.origin, result.notebook);
    });
    try {
      // At once, not one after the other: drawing takes longer than all else before the first request.
      // Cleared, since VS Code keeps the menu of an output that is only replaced.
      const drawn = [execution.clearOutput(), execution.replaceOutput(output)];
      await Promise.all([...drawn, replacing, result.over]);
    } finally {
      cancel.dispose();
      back.dispose();
    }
    if (isSql) this.#sqlErrors.mark(cell.document, text, run.error);
    this.#tell(result);
    await execution.replaceOutputItems(await outputItems(run), output);
    ending.isDone = run.progress.state.kind === "done";
  }

  #changed({ notebook, cellChanges }: vscode.NotebookDocumentChangeEvent): void {
    if (!isOurs(notebook)) return;
    for (const { cell, document, outputs } of cellChanges) {
      const results = [...this.#open.values()].filter((one) => one.cell === cell);
      if (document) for (const result of results) this.#tell(result);
      const isCleared = outputs?.length === 0 && cell.outputs.length === 0;
      if (!isCleared || this.#executing.has(cell)) continue;
      void this.#kept.cleared(cell).then(() => this.#close(results));
    }
  }

  /** Marks results whose rows or model have changed; of all notebooks, or of one. */
  #lookForChanges(notebook?: vscode.NotebookDocument): void {
    for (const result of this.#open.values()) {
      if (notebook && result.notebook !== notebook) continue;
      void result.lookForChanges(this.#models).then((hasChanged) => {
        if (hasChanged) this.#tell(result);
      });
    }
  }

  #rowsChanged(uri: vscode.Uri): void {
    for (const { notebook, origin } of this.#open.values()) {
      if (origin.rowsFile?.address === uri.toString()) this.#lookForChanges(notebook);
    }
  }

  #tell({ run: { id: runId, table }, progress }: ResultOfCell): void {
    this.#post({ type: "progress", runId, progress, columns: [...table.columns] });
  }

  #post(message: ToPage, editor?: vscode.NotebookEditor): void {
    void this.#options.messaging.postMessage(message, editor);
  }

  /** Gives a renderer the header of the stored result that a cell's output stands for. */
  async #answerStored(
    { instance, cell }: Extract<ToHost, { type: "stored" }>,
    editor: vscode.NotebookEditor,
  ): Promise<void> {
    const { notebook } = editor;
    const id = await this.#kept.find(notebook, cell);
    const result = id === undefined ? undefined : await this.#find(id, notebook);
    let header: ResultHeader | undefined;
    if (result) {
      if (
        result.notebook !== notebook &&
        (result.notebook.isClosed || result.notebook.isUntitled)
      ) {
        result.notebook = notebook;
      }
      if (result.notebook === notebook) {
        const shows = (output: vscode.NotebookCellOutput) => storedKeyOf(output) === cell;
        // A cell that was run in the meantime has another output by now, and keeps its result.
        result.cell = notebook.getCells().find(({ outputs }) => outputs.some(shows)) ?? result.cell;
      }
      header = await resultHeader(result.run, result.progress);
    }
    this.#post({ type: "stored", instance, cell, ...(header ? { header } : {}) }, editor);
    if (result && (await result.lookForChanges(this.#models))) this.#tell(result);
  }

  /** A result that is open, or one that was stored and is read now. */
  async #find(id: string, notebook: vscode.NotebookDocument): Promise<ResultOfCell | undefined> {
    const open = this.#open.get(id);
    if (open) return open;
    const opening =
      this.#opening.get(id) ??
      this.#kept.open(id).then((opened) => {
        this.#opening.delete(id);
        if (!opened) return undefined;
        const { run, origin } = opened;
        const cell = cellOfResult(notebook, id);
        const options = { origin: () => origin, isStored: true };
        const result = new ResultOfCell(run, { notebook, cell }, options);
        this.#open.set(id, result);
        return result;
      });
    this.#opening.set(id, opening);
    return opening;
  }

  async #answer(
    message: Exclude<ToHost, { type: "stored" }>,
    editor: vscode.NotebookEditor,
  ): Promise<void> {
    const { runId } = message;
    // A cell that runs again shows its earlier result for a moment longer: that one is not opened again.
    const isOpen = this.#open.has(runId) || (await this.#kept.store.isReferred(runId));
    const result = isOpen ? await this.#find(runId, editor.notebook) : undefined;
    if (message.type === "run") {
      const isHere = result?.notebook === editor.notebook;
      const cell = (isHere ? result.cell : undefined) ?? cellOfResult(editor.notebook, runId);
      if (cell) await this.#runAgain(cell, message.anyway);
      return;
    }
    if (!result) {
      this.#post({ type: "gone", runId }, editor);
      return;
    }
    const { run, orders } = result;
    switch (message.type) {
      case "hello":
        this.#tell(result);
        break;
      case "window": {
        const { instance, request, view, from, count } = message;
        const order = await orders.order(instance, view);
        const rows = await run.table.window(from, count, order);
        const total = order?.length ?? run.table.length;
        this.#post({ type: "window", runId, instance, request, total, from, rows }, editor);
        break;
      }
      case "copy":
        await copyRows(run.table, await orders.order("clipboard", message.view), message);
        break;
      case "export":
        await (
          await import("./exportResult.ts")
        ).exportResult(run.table, result.notebook.uri, result.origin);
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
}

function isOurs({ notebookType }: vscode.NotebookDocument): boolean {
  return notebookType === notebooks.type;
}

/** The cell whose output holds a result: the one that ran, or a copy of it. */
function cellOfResult(
  notebook: vscode.NotebookDocument,
  runId: string,
): vscode.NotebookCell | undefined {
  return notebook
    .getCells()
    .find(({ outputs }) => outputs.some((one) => resultHeaderOf(one)?.runId === runId));
}
