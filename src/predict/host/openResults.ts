import path from "node:path";
import * as vscode from "vscode";
import type { Log } from "../../shared/host/log.ts";
import type { ToPage } from "../messages.ts";
import type { ModelChanges } from "./changesSince.ts";
import type { NotebookResults } from "./notebookResults.ts";
import { ResultOfCell } from "./resultOfCell.ts";
import { readResultHeader } from "./resultHeader.ts";

interface OpenResultsOptions {
  stored: NotebookResults;
  models: ModelChanges;
  messaging: vscode.NotebookRendererMessaging;
  log: Log;
}

/** The results that notebooks of this window show. */
export class OpenResults {
  readonly #options: OpenResultsOptions;
  readonly #results = new Map<string, ResultOfCell>();
  /** Stored results that are being opened. */
  readonly #opening = new Map<string, Promise<ResultOfCell | undefined>>();

  constructor(options: OpenResultsOptions) {
    this.#options = options;
  }

  add(result: ResultOfCell): void {
    this.#results.set(result.run.id, result);
  }

  filter(isWanted: (result: ResultOfCell) => boolean): ResultOfCell[] {
    return [...this.#results.values()].filter(isWanted);
  }

  /** The result with this id; opens it if it is stored. Undefined if there is none. */
  async find(id: string, notebook: vscode.NotebookDocument): Promise<ResultOfCell | undefined> {
    const open = this.#results.get(id);
    if (open) return open;
    const opening = this.#opening.get(id) ?? this.#openStored(id, notebook);
    this.#opening.set(id, opening);
    return opening;
  }

  /** As `find`, but does not open a result that no notebook refers to any more. */
  async findReferred(
    id: string,
    notebook: vscode.NotebookDocument,
  ): Promise<ResultOfCell | undefined> {
    const isThere = this.#results.has(id) || (await this.#options.stored.store.isReferred(id));
    return isThere ? this.find(id, notebook) : undefined;
  }

  /** Closes results, and deletes those that no notebook refers to. */
  async close(results: readonly ResultOfCell[]): Promise<void> {
    const { stored, log } = this.#options;
    for (const result of results) this.#results.delete(result.run.id);
    for (const result of results) {
      const { id } = result.run;
      try {
        await result.dispose();
        // If it is not deleted, a copy of the cell may still show it.
        if (await stored.store.release(id)) this.post({ type: "gone", runId: id });
      } catch (error) {
        log.error("A result could not be closed.", error);
      }
    }
  }

  /** Marks results whose rows or model have changed since. */
  checkForChanges(isWanted: (result: ResultOfCell) => boolean = () => true): void {
    for (const result of this.filter(isWanted)) void this.checkResult(result);
  }

  async checkResult(result: ResultOfCell): Promise<void> {
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

  postProgress({ run: { id: runId, table }, progress }: ResultOfCell): void {
    this.post({ type: "progress", runId, progress, columns: [...table.columns] });
  }

  post(message: ToPage, editor?: vscode.NotebookEditor): void {
    void this.#options.messaging.postMessage(message, editor);
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
  ): Promise<ResultOfCell | undefined> {
    const opened = await this.#options.stored.open(id);
    this.#opening.delete(id);
    if (!opened) return undefined;
    const { run, origin, history } = opened;
    const cell = findCellOfResult(notebook, id);
    const result = new ResultOfCell(
      run,
      { notebook, cell },
      { origin: () => origin, isStored: true },
    );
    result.history = history;
    this.add(result);
    return result;
  }
}

/** The cell whose output holds a result: the one that ran, or a copy of it. */
export function findCellOfResult(
  notebook: vscode.NotebookDocument,
  runId: string,
): vscode.NotebookCell | undefined {
  return notebook
    .getCells()
    .find(({ outputs }) => outputs.some((output) => readResultHeader(output)?.runId === runId));
}
