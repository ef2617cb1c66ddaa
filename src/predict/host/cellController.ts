import * as v from "valibot";
import * as vscode from "vscode";
import type { Connection } from "../../shared/connection.ts";
import { isCancelled } from "../../mindsdb/errors.ts";
import { bindCommand } from "../../shared/host/commands.ts";
import { explainError } from "../../shared/host/errorMessages.ts";
import { withAbortSignal } from "../../shared/host/withAbortSignal.ts";
import { commands, sqlLanguage } from "../../ids.ts";
import { hashContent } from "../notebook/cellKeys.ts";
import { DrawSchedule } from "../run/drawSchedule.ts";
import { isRunSuccessful } from "../run/isRunSuccessful.ts";
import { toHost, type ToHost } from "../messages.ts";
import type { PastRun } from "../result/runHistory.ts";
import { answerResult } from "./answerResult.ts";
import { ModelChanges } from "./changesSince.ts";
import { compareRuns } from "./compareRuns.ts";
import { createCellRun, type CellSource } from "./createCellRun.ts";
import { defaultProjectOf, forgetDefaultProjects } from "./defaultProjects.ts";
import { checkTrust, NotebookConsent } from "./notebookConsent.ts";
import { isPredictNotebook } from "./isPredictNotebook.ts";
import { adoptResult, NotebookResults } from "./notebookResults.ts";
import type { PredictOptions } from "./predictOptions.ts";
import { OpenCellResults } from "./openCellResults.ts";
import { findCellToRun } from "./findCellToRun.ts";
import type { OwnTexts } from "./ownTexts.ts";
import { CellResult } from "./cellResult.ts";
import { readPageTexts } from "../../shared/host/builtPages.ts";
import { createResultHeader, createRunDrawing, errorOutput } from "./cellOutput.ts";
import { tableWorker } from "./tableWorkerUrl.ts";
import { SqlErrorMarks } from "./sqlErrorMarks.ts";
import { watchRowsFiles } from "./watchRowsFiles.ts";
import type { RowOfResult } from "./whatIfPages.ts";

interface CellControllerOptions extends Omit<PredictOptions, "state" | "pickModel"> {
  messaging: vscode.NotebookRendererMessaging;
  ownTexts: Pick<OwnTexts, "isOwn">;
  /** Opens the page that predicts a row with other values. */
  whatIf: (row: RowOfResult) => Promise<void>;
}

/** How a cell's execution ended, as VS Code takes it: true, false, or undefined if the user stopped or declined it. */
interface CellEnding {
  success: boolean | undefined;
  /** In ms since 1970, before the result is stored and drawn for the last time. Undefined if nothing ran. */
  endedAt: number | undefined;
}

/** Runs cells and answers the messages of their renderers. Imported with the first run. */
export class CellController implements vscode.Disposable {
  readonly #options: CellControllerOptions;
  readonly #stored: NotebookResults;
  readonly #results: OpenCellResults;
  /** Cells whose next run sends rows that lack columns. */
  readonly #sendIncomplete = new WeakSet<vscode.NotebookCell>();
  /** Settles when a cell's last execution is over. */
  readonly #executions = new WeakMap<vscode.NotebookCell, Promise<unknown>>();
  readonly #executing = new Set<vscode.NotebookCell>();
  readonly #consent: NotebookConsent;
  readonly #sqlErrors = new SqlErrorMarks();
  /** The translations for the renderer. */
  readonly #texts: Record<string, string>;
  readonly #subscriptions: vscode.Disposable[];
  #order = 0;

  constructor(options: CellControllerOptions) {
    const { servers, messaging, ownTexts, log } = options;
    this.#options = options;
    this.#texts = readPageTexts(options.extensionUri, "result");
    this.#consent = new NotebookConsent(servers, ownTexts);
    this.#stored = new NotebookResults(options, tableWorker, log);
    const models = new ModelChanges(servers);
    const results = new OpenCellResults({ stored: this.#stored, models, messaging, log });
    this.#results = results;
    this.#subscriptions = [
      vscode.workspace.onDidOpenNotebookDocument((notebook) => {
        if (isPredictNotebook(notebook)) void this.#stored.adopt(notebook);
      }),
      vscode.workspace.onDidSaveNotebookDocument((notebook) => {
        if (!isPredictNotebook(notebook)) return;
        void this.#stored.updateIndex(notebook);
        results.checkForChanges((result) => result.notebook === notebook);
      }),
      vscode.workspace.onDidChangeNotebookDocument((event) => this.#notebookChanged(event)),
      // Files outside of the workspace are not watched.
      vscode.workspace.onDidSaveTextDocument(({ uri }) => results.rowsFileChanged(uri)),
      watchRowsFiles((uri) => results.rowsFileChanged(uri)),
      vscode.window.onDidChangeActiveNotebookEditor((editor) => {
        if (editor) results.checkForChanges(({ notebook }) => notebook === editor.notebook);
      }),
      vscode.window.onDidChangeVisibleNotebookEditors((editors) => results.greet(editors)),
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) results.checkForChanges();
      }),
    ];
    results.greet(vscode.window.visibleNotebookEditors);
  }

  /** Runs cells one after the other. After one that fails the others do not run. */
  async execute(
    cells: readonly vscode.NotebookCell[],
    controller: vscode.NotebookController,
    connectionId: string,
  ): Promise<void> {
    if (!checkTrust()) return;
    const active = vscode.window.activeTextEditor?.document;
    // Suggestions would hide the result, and take the next Enter.
    if (cells.some(({ document }) => document === active)) {
      void vscode.commands.executeCommand("hideSuggestWidget");
    }
    const executions = cells.map((cell) => controller.createNotebookCellExecution(cell));
    let skipsOthers = false;
    for (const [at, execution] of executions.entries()) {
      if (skipsOthers || execution.token.isCancellationRequested) {
        execution.start();
        execution.end(undefined);
        continue;
      }
      const success = this.#executeToEnd(execution, connectionId, at < cells.length - 1);
      this.#executions.set(execution.cell, success);
      skipsOthers = !(await success);
    }
  }

  /**
   * Answers a renderer. The renderer is in every notebook of the window, and its outputs may be anybody's: messages from
   * other types of notebooks are dropped, and those about results that the host does not know.
   */
  async handleMessage(message: unknown, editor: vscode.NotebookEditor): Promise<void> {
    if (!isPredictNotebook(editor.notebook)) return;
    this.#results.greet([editor]);
    const parsed = v.safeParse(toHost, message);
    if (!parsed.success) {
      this.#options.log.info("Dropped a message that a result must not send");
      return;
    }
    try {
      if (parsed.output.type === "stored") await this.#sendStored(parsed.output, editor);
      else if (parsed.output.type === "hello") await this.#sendResult(parsed.output, editor);
      else await this.#handleResultMessage(parsed.output, editor);
    } catch (error) {
      if (!isCancelled(error)) this.#options.log.error("A result could not be shown.", error);
    }
  }

  /** Compares the last run of a cell with an earlier one. */
  async compareRuns(cell: vscode.NotebookCell): Promise<void> {
    const shown = this.#results.filter((result) => result.cell === cell);
    await compareRuns(await this.#stored.readHistory(cell, shown));
  }

  /** Closes the results of a notebook that was closed. Stored results stay on disk. */
  async closeNotebook(notebook: vscode.NotebookDocument): Promise<void> {
    forgetDefaultProjects(notebook);
    if (isPredictNotebook(notebook)) this.#stored.handleClose(notebook);
    await this.#results.close(this.#results.filter((result) => result.notebook === notebook));
  }

  /** Keeps the results of notebooks that are renamed, or whose folders are. */
  async moveResults(files: readonly { oldUri: vscode.Uri; newUri: vscode.Uri }[]): Promise<void> {
    for (const { oldUri, newUri } of files) await this.#stored.moveResults(oldUri, newUri);
  }

  stopAll(connectionId: string): void {
    const runs = this.#results.filter(({ origin }) => origin.connectionId === connectionId);
    for (const { run } of runs) run.stop();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#results.dispose();
    this.#stored.store.dispose();
    this.#consent.dispose();
    this.#sqlErrors.dispose();
  }

  /** Returns true if the run completed. Always ends the execution: VS Code does not run a cell again before. */
  async #executeToEnd(
    execution: vscode.NotebookCellExecution,
    connectionId: string,
    isFollowed: boolean,
  ): Promise<boolean> {
    const ending: CellEnding = { success: undefined, endedAt: undefined };
    this.#executing.add(execution.cell);
    execution.executionOrder = ++this.#order;
    execution.start(Date.now());
    try {
      await this.#execute(execution, { connectionId, isFollowed, ending });
    } catch (error) {
      if (!isCancelled(error)) {
        ending.success = false;
        this.#options.log.error("A cell could not be run.", error);
        const { message } = explainError(error);
        // Fails if the notebook was closed, which may be the error itself.
        await execution.appendOutput(errorOutput(message)).then(undefined, () => undefined);
      }
    } finally {
      this.#executing.delete(execution.cell);
      execution.end(ending.success, ending.endedAt ?? Date.now());
    }
    return ending.success === true;
  }

  async #execute(
    execution: vscode.NotebookCellExecution,
    {
      connectionId,
      isFollowed,
      ending,
    }: { connectionId: string; isFollowed: boolean; ending: CellEnding },
  ): Promise<void> {
    const { cell } = execution;
    const { document } = cell;
    const sendIncomplete = this.#sendIncomplete.delete(cell);
    // The user may edit the cell while a dialog waits for them.
    const text = document.getText();
    const { languageId: language } = document;
    const isSql = language === sqlLanguage;
    const connection = this.#options.servers.find(connectionId);
    // Another cell may choose another project while the question about this one waits.
    const database = defaultProjectOf(cell.notebook.uri, connectionId).name;
    let isRefused = false;
    if (isSql && connection) {
      const allowed = await withAbortSignal(execution.token, (signal) =>
        this.#consent.allowCell(cell, { text, database }, connection, signal),
      );
      if (allowed === "no") return;
      isRefused = allowed === "readOnly";
    }
    if (execution.token.isCancellationRequested) return;
    this.#sqlErrors.clear(document);

    const source = { isSql, text, database, sendIncomplete, isRefused, isFollowed };
    const { run, execute } = this.#createRun(cell, source, { connectionId, connection }, () =>
      schedule.update(),
    );
    const origin = {
      startedAt: Date.now(),
      connectionId,
      contentHash: hashContent({ language, text }),
    };
    const result = new CellResult(
      run,
      { notebook: cell.notebook, cell },
      { origin: () => ({ ...origin, ...run.madeOf }), isStored: false },
    );
    const { history, replace } = this.#replaceEarlier(cell, run.id);
    this.#results.add(result);
    const schedule = new DrawSchedule(
      run,
      createRunDrawing(execution, result, {
        texts: this.#texts,
        postProgress: () => this.#results.postProgress(result),
        onReplace: () => void replace(),
      }),
    );
    const subscriptions: vscode.Disposable[] = [
      schedule,
      execution.token.onCancellationRequested(() => run.stop()),
      // The user has signed in, or the server is back.
      this.#options.servers.onDidChange((id) => {
        if (id === connectionId) run.resumeIfSafe();
      }),
    ];
    try {
      result.ended = execute().then(async () => {
        ending.endedAt = run.endedAt;
        void replace();
        const { origin: madeFrom, notebook } = result;
        result.history = await this.#stored.end(run, madeFrom, notebook, await history);
      });
      await result.ended;
      if (isSql) await this.#sqlErrors.mark(document, { text, start: 0 }, run.error);
      await Promise.all([schedule.end(), replace()]);
    } finally {
      for (const subscription of subscriptions) subscription.dispose();
    }
    ending.success = isRunSuccessful(run.progress);
  }

  #createRun(
    cell: vscode.NotebookCell,
    source: Omit<CellSource, "notebook">,
    { connectionId, connection }: { connectionId: string; connection: Connection | undefined },
    onProgress: () => void,
  ): ReturnType<typeof createCellRun> {
    const { notebook } = cell;
    return createCellRun(
      { ...source, notebook: notebook.uri },
      {
        ...this.#options,
        connectionId,
        worker: tableWorker,
        allowFile: async (file) =>
          connection !== undefined && this.#consent.allowFile(notebook, file, connection),
        allowParams: async (options) =>
          connection !== undefined && this.#consent.allowParams(notebook, options, connection),
        allowRows: async (rows) =>
          connection !== undefined && this.#consent.allowRows(notebook, rows, connection),
        allowTable: async (planned) =>
          connection !== undefined && this.#consent.allowTable(planned, connection),
        createFolder: (runId) => this.#stored.store.create(runId),
        onProgress,
        offerModel: (name) => {
          const title = vscode.l10n.t("Change to {0}", JSON.stringify(name));
          return bindCommand(commands.predictChangeModel, title, cell, name);
        },
      },
    );
  }

  /** Reads the history of a cell; `replace` puts a run in place of the cell's earlier results, once, and closes those. */
  #replaceEarlier(
    cell: vscode.NotebookCell,
    runId: string,
  ): { history: Promise<PastRun[]>; replace: () => Promise<void> } {
    const earlier = this.#results.filter((result) => result.cell === cell);
    // Read before the results that hold it are closed.
    const history = this.#stored.readHistory(cell, earlier);
    let replacing: Promise<void> | undefined;
    const replace = (): Promise<void> =>
      (replacing ??= history
        .then(() => this.#stored.begin(cell, runId))
        .then(() => this.#results.close(earlier)));
    return { history, replace };
  }

  #notebookChanged({ notebook, cellChanges }: vscode.NotebookDocumentChangeEvent): void {
    if (!isPredictNotebook(notebook)) return;
    for (const { cell, document, outputs } of cellChanges) {
      const results = this.#results.filter((result) => result.cell === cell);
      if (document) for (const result of results) this.#results.postProgress(result);
      const isCleared = outputs?.length === 0 && cell.outputs.length === 0;
      if (!isCleared || this.#executing.has(cell)) continue;
      void this.#stored.removeResult(cell).then(() => this.#results.close(results));
    }
  }

  /** Sends a renderer the header of the stored result that a cell's output stands for. */
  async #sendStored(
    { instance, cell }: Extract<ToHost, { type: "stored" }>,
    editor: vscode.NotebookEditor,
  ): Promise<void> {
    const { notebook } = editor;
    const id = await this.#stored.find(notebook, cell);
    const result = id === undefined ? undefined : await this.#results.find(id, notebook);
    if (result) adoptResult(result, notebook, cell);
    if (result) this.#results.grant(result, editor);
    const header = result && (await createResultHeader(result.run, result.progress, this.#texts));
    this.#results.post({ type: "stored", instance, cell, header }, editor);
    if (result) await this.#results.checkResult(result);
  }

  /** Vouches for the result in an output, if it is one that the host knows. */
  async #sendResult(
    { instance, runId }: Extract<ToHost, { type: "hello" }>,
    editor: vscode.NotebookEditor,
  ): Promise<void> {
    const result = await this.#results.findShown(runId, editor.notebook);
    if (!result) {
      this.#postGone(runId, editor);
      return;
    }
    this.#results.grant(result, editor);
    const header = await createResultHeader(result.run, result.progress, this.#texts);
    this.#results.post({ type: "result", instance, header }, editor);
  }

  #postGone(runId: string, editor: vscode.NotebookEditor): void {
    const canRun = this.#results.granted(runId, editor.notebook) !== undefined;
    this.#results.post({ type: "gone", runId, canRun }, editor);
  }

  async #handleResultMessage(
    message: Exclude<ToHost, { type: "hello" | "stored" }>,
    editor: vscode.NotebookEditor,
  ): Promise<void> {
    const { runId } = message;
    const granted = this.#results.granted(runId, editor.notebook);
    if (!granted) return;
    // A cell that runs again shows its earlier result a moment longer; that one is not opened again.
    const result = await this.#results.findGranted(runId, editor.notebook);
    if (message.type === "run") {
      const cell = findCellToRun(result, granted, editor.notebook);
      if (cell) await this.#runAgain(cell, message.anyway);
      return;
    }
    if (!result) {
      this.#postGone(runId, editor);
      return;
    }
    await answerResult(message, result, editor, { ...this.#options, results: this.#results });
  }

  async #runAgain(cell: vscode.NotebookCell, sendIncomplete: boolean): Promise<void> {
    // The result shows its button a moment before the execution ends, and VS Code does not run a cell that runs.
    await this.#executions.get(cell);
    if (sendIncomplete) this.#sendIncomplete.add(cell);
    await vscode.commands.executeCommand("notebook.cell.execute", {
      ranges: [{ start: cell.index, end: cell.index + 1 }],
      document: cell.notebook.uri,
    });
  }
}
