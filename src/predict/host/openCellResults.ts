import path from "node:path";
import * as vscode from "vscode";
import type { Log } from "../../shared/host/log.ts";
import type { ToPage } from "../messages.ts";
import type { ModelChanges } from "./changesSince.ts";
import type { NotebookResults } from "./notebookResults.ts";
import { CellResult } from "./cellResult.ts";
import { isPredictNotebook } from "./isPredictNotebook.ts";

interface OpenCellResultsOptions {
  stored: NotebookResults;
  models: ModelChanges;
  messaging: vscode.NotebookRendererMessaging;
  log: Log;
}

/** The results that notebooks of this window show. */
export class OpenCellResults {
  readonly #options: OpenCellResultsOptions;
  readonly #results = new Map<string, CellResult>();
  /** Stored results that are being opened. */
  readonly #opening = new Map<string, Promise<CellResult | undefined>>();
  /** The editors of predict notebooks in which results are shown. */
  readonly #editors = new Set<vscode.NotebookEditor>();
  /** The results that a notebook may show, by the ids of their runs: its messages about others are dropped. */
  readonly #granted = new WeakMap<vscode.NotebookDocument, Map<string, CellResult>>();

  constructor(options: OpenCellResultsOptions) {
    this.#options = options;
  }

  add(result: CellResult): void {
    this.#results.set(result.run.id, result);
  }

  filter(isWanted: (result: CellResult) => boolean): CellResult[] {
    return [...this.#results.values()].filter(isWanted);
  }

  /** The result with this id; opens it if it is stored. Undefined if there is none. */
  async find(id: string, notebook: vscode.NotebookDocument): Promise<CellResult | undefined> {
    const open = this.#results.get(id);
    if (open) return open;
    const opening = this.#opening.get(id) ?? this.#openStored(id, notebook);
    this.#opening.set(id, opening);
    return opening;
  }

  /**
   * The result in an output of this notebook: one that this window has open, or a stored one of this notebook. Undefined
   * for an id that only the output knows.
   */
  async findShown(id: string, notebook: vscode.NotebookDocument): Promise<CellResult | undefined> {
    const isKnown = this.#results.has(id) || (await this.#options.stored.isOf(notebook, id));
    return isKnown ? this.find(id, notebook) : this.findGranted(id, notebook);
  }

  /** Lets a notebook show a result, and send messages about it. */
  grant(result: CellResult, { notebook }: vscode.NotebookEditor): void {
    const granted = this.#granted.get(notebook) ?? new Map<string, CellResult>();
    this.#granted.set(notebook, granted.set(result.run.id, result));
  }

  /** The result as it was granted to a notebook. It may be closed by now. */
  granted(id: string, notebook: vscode.NotebookDocument): CellResult | undefined {
    return this.#granted.get(notebook)?.get(id);
  }

  /** A result that was granted to this notebook; opened again unless no notebook refers to it any more. */
  async findGranted(
    id: string,
    notebook: vscode.NotebookDocument,
  ): Promise<CellResult | undefined> {
    if (!this.granted(id, notebook)) return undefined;
    const isThere = this.#results.has(id) || (await this.#options.stored.store.isReferred(id));
    return isThere ? this.find(id, notebook) : undefined;
  }

  /** Adds the editors of predict notebooks, and tells their renderers that the host has started. */
  greet(editors: readonly vscode.NotebookEditor[]): void {
    for (const editor of editors) {
      if (!isPredictNotebook(editor.notebook) || this.#editors.has(editor)) continue;
      this.#editors.add(editor);
      this.post({ type: "began" }, editor);
    }
  }

  /** Closes results, and deletes those that no notebook refers to. */
  async close(results: readonly CellResult[]): Promise<void> {
    const { stored, log } = this.#options;
    for (const result of results) this.#results.delete(result.run.id);
    for (const result of results) {
      const { id } = result.run;
      try {
        await result.dispose();
        // If it is not deleted, a copy of the cell may still show it.
        if (await stored.store.release(id)) {
          this.#postToShown(id, { type: "gone", runId: id, canRun: true });
        }
      } catch (error) {
        log.error("A result could not be closed.", error);
      }
    }
  }

  /** Marks results whose rows or model have changed since. */
  checkForChanges(isWanted: (result: CellResult) => boolean = () => true): void {
    for (const result of this.filter(isWanted)) void this.checkResult(result);
  }

  async checkResult(result: CellResult): Promise<void> {
    if (await result.updateChanges(this.#options.models)) this.postProgress(result);
  }

  /** Checks the results whose rows come from this file. */
  rowsFileChanged(uri: vscode.Uri): void {
    // By name only: a result knows its file with symbolic links followed, and the event may not.
    const name = path.posix.basename(uri.path);
    this.checkForChanges(({ origin: { rowsFile } }) => {
      if (!rowsFile) return false;
      return path.posix.basename(vscode.Uri.parse(rowsFile.address).path) === name;
    });
  }

  postProgress({ run: { id: runId, table }, progress }: CellResult): void {
    this.#postToShown(runId, { type: "progress", runId, progress, columns: [...table.columns] });
  }

  /** Without an editor, VS Code would send the message to every notebook of the window. */
  post(message: ToPage, editor: vscode.NotebookEditor): void {
    void this.#options.messaging.postMessage(message, editor);
  }

  /** Posts to the editors of notebooks that show a result. */
  #postToShown(id: string, message: ToPage): void {
    for (const editor of this.#editors) {
      if (editor.notebook.isClosed) this.#editors.delete(editor);
      else if (this.granted(id, editor.notebook)) this.post(message, editor);
    }
  }

  /** Stops all runs without waiting for their end. */
  dispose(): void {
    for (const { run, orders } of this.#results.values()) {
      orders.dispose();
      run.stop();
    }
  }

  async #openStored(
    id: string,
    notebook: vscode.NotebookDocument,
  ): Promise<CellResult | undefined> {
    const opened = await this.#options.stored.open(id);
    this.#opening.delete(id);
    if (!opened) return undefined;
    const { run, origin, history } = opened;
    const cell = await this.#options.stored.findCell(notebook, id);
    const result = new CellResult(
      run,
      { notebook, cell },
      { origin: () => origin, isStored: true },
    );
    result.history = history;
    this.add(result);
    return result;
  }
}
