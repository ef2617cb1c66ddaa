import * as vscode from "vscode";
import { isAppError } from "../../mindsdb/errors.ts";
import { notebooks } from "../../ids.ts";
import type { Log } from "../../shared/host/log.ts";
import { createCellKeys } from "../notebook/cellKeys.ts";
import type { ResultMetadata, RunOrigin } from "../result/resultMetadata.ts";
import { NotebookIndex } from "../result/notebookIndex.ts";
import { openResultTable } from "../result/openResultTable.ts";
import { ResultStore } from "../result/resultStore.ts";
import { readContent } from "./cellText.ts";
import { readResultHeader, readStoredKey } from "./resultHeader.ts";
import { createStoredResult, readOutcome, type OpenResult } from "../result/openResult.ts";
import { addRun, readHistory, writeHistory, type PastRun } from "../result/runHistory.ts";
import type { CellResult } from "./cellResult.ts";
import { notebookAddress, type NotebookPlace } from "./storedOutputs.ts";

/**
 * Milliseconds between closing one notebook and opening another in which the second may be the first, saved as a new
 * file.
 */
const saveAsMs = 10_000;

/** A notebook that a new one may have been saved from: VS Code may close the untitled one before it opens the new one. */
interface SaveAsCandidate {
  address: string;
  isUntitled: boolean;
  /** The keys of its cells as JSON. */
  keys: string;
}

/** The stored results of notebooks, found by the notebook's address and the content of its cells. */
export class NotebookResults {
  readonly store: ResultStore;
  readonly #index: NotebookIndex;
  readonly #place: NotebookPlace;
  readonly #worker: URL;
  readonly #log: Log;
  /** Results that were found, by the key in the cell's output: it stays the same when the cell is edited. */
  readonly #found = new WeakMap<vscode.NotebookDocument, Map<string, string>>();
  readonly #justClosed = new Set<SaveAsCandidate>();
  /** Notebooks that are taking over the results of another one. */
  readonly #adoptions = new WeakMap<vscode.NotebookDocument, Promise<void>>();
  /** Notebooks that VS Code opened before they had cells to compare. */
  readonly #openedEmpty = new WeakSet<vscode.NotebookDocument>();

  constructor(place: NotebookPlace, worker: URL, log: Log) {
    this.#place = place;
    this.#worker = worker;
    this.#log = log;
    this.#index = new NotebookIndex(place.folder);
    this.store = new ResultStore(place.folder, this.#index);
    void this.clean();
  }

  /** Deletes what is no longer needed. Never rejects. */
  async clean(): Promise<void> {
    await this.store.clean().catch((error: unknown) => {
      this.#log.error("Stored results could not be cleaned up.", error);
    });
  }

  /** Replaces a cell's earlier result in the index by one whose run begins. */
  begin(cell: vscode.NotebookCell, id: string): Promise<void> {
    const key = readCellKeys(cell.notebook).get(cell);
    if (key === undefined) return Promise.resolve();
    return this.#change(cell.notebook, (before) => ({ ...before, [key]: id }));
  }

  /** The last runs of a cell, from the results that it shows (`shown`) or had last. Never rejects. */
  async readHistory(cell: vscode.NotebookCell, shown: readonly CellResult[]): Promise<PastRun[]> {
    const known = shown.findLast(({ history }) => history.length > 0);
    if (known) return known.history;
    const key = readCellKeys(cell.notebook).get(cell);
    try {
      const index = await this.#index.read(this.#getAddress(cell.notebook));
      const id = key === undefined ? undefined : index[key];
      return id === undefined ? [] : await readHistory(this.store.folderOf(id));
    } catch {
      return [];
    }
  }

  /**
   * Stores the result of a run that is over; a run without one is removed from the notebook's index. Returns the last
   * runs of the cell: those of the `history`, then this one.
   */
  async end(
    run: OpenResult,
    origin: RunOrigin,
    notebook: vscode.NotebookDocument,
    history: readonly PastRun[],
  ): Promise<PastRun[]> {
    const outcome = readOutcome(run, history.length > 0);
    const isStored = outcome !== undefined && (await this.#store(run, origin, outcome));
    if (!isStored) {
      await this.#removeFromIndex(notebook, (_, id) => id === run.id);
      return [...history];
    }
    // Not awaited: it looks at the folders of all results, and the cell's execution waits for this method.
    void this.clean();
    try {
      const runs = await addRun(history, { origin, outcome }, run.table);
      await writeHistory(this.store.folderOf(run.id), runs);
      return runs;
    } catch (error) {
      this.#log.error("The runs of a cell could not be stored.", error);
      return [...history];
    }
  }

  /** The id of the result for a key in a cell's output. */
  async find(notebook: vscode.NotebookDocument, key: string): Promise<string | undefined> {
    await this.#adoptions.get(notebook);
    const found = this.#foundIn(notebook);
    const read = async () => (await this.#index.read(this.#getAddress(notebook)))[key];
    let id = (await read()) ?? found.get(key);
    if (id === undefined && this.#openedEmpty.delete(notebook)) {
      await this.adopt(notebook);
      id = await read();
    }
    if (id !== undefined) found.set(key, id);
    return id;
  }

  /** Whether a result is the stored one of a cell of this notebook. */
  async isOf(notebook: vscode.NotebookDocument, id: string): Promise<boolean> {
    const index = await this.#index.read(this.#getAddress(notebook));
    return Object.values(index).includes(id);
  }

  /** The cell with the text that the notebook's index has a result for. */
  async findCell(
    notebook: vscode.NotebookDocument,
    id: string,
  ): Promise<vscode.NotebookCell | undefined> {
    const index = await this.#index.read(this.#getAddress(notebook));
    return [...readCellKeys(notebook)].find(([, key]) => index[key] === id)?.[0];
  }

  /** Opens a stored result and marks it as used; undefined if it is gone or cannot be read. */
  async open(
    id: string,
  ): Promise<{ run: OpenResult; origin: RunOrigin; history: PastRun[] } | undefined> {
    const opened = await this.store.open(id);
    if (!opened) return undefined;
    const { folder, result } = opened;
    try {
      const table = await openResultTable(folder, result.rows, this.#worker);
      const history = await readHistory(folder);
      return { run: createStoredResult(id, result, table), origin: result.origin, history };
    } catch (error) {
      this.#log.error("A stored result could not be read.", error);
      await this.store.release(id);
      return undefined;
    }
  }

  /** Assigns the results that a saved notebook shows to the present texts of its cells. */
  updateIndex(notebook: vscode.NotebookDocument): Promise<void> {
    const found = this.#foundIn(notebook);
    return this.#change(notebook, (before) => {
      const cells: Record<string, string> = {};
      for (const [cell, key] of readCellKeys(notebook)) {
        const shownIds = cell.outputs.map((output) => {
          const stored = readStoredKey(output);
          if (stored !== undefined) return found.get(stored) ?? before[stored];
          return readResultHeader(output)?.runId;
        });
        const id = shownIds.find((one) => one !== undefined && this.store.has(one)) ?? before[key];
        if (id !== undefined) cells[key] = id;
      }
      return cells;
    });
  }

  /** Removes the result of a cell whose output was cleared. */
  removeResult(cell: vscode.NotebookCell): Promise<void> {
    const cleared = readCellKeys(cell.notebook).get(cell);
    return this.#removeFromIndex(cell.notebook, (key) => key === cleared);
  }

  /** Copies the results of the notebook that this one was just saved from, if there is one. */
  adopt(notebook: vscode.NotebookDocument): Promise<void> {
    if (notebook.cellCount === 0) this.#openedEmpty.add(notebook);
    const adoption = this.#adopt(notebook).catch((error: unknown) => {
      this.#log.error("Results could not be taken over.", error);
    });
    this.#adoptions.set(notebook, adoption);
    return adoption;
  }

  /** Keeps the results of notebooks when they or their folders are renamed. */
  async moveResults(from: vscode.Uri, to: vscode.Uri): Promise<void> {
    const before = from.toString();
    for (const { address, cells } of await this.#index.all()) {
      if (address !== before && !address.startsWith(`${before}/`)) continue;
      const after = to.toString() + address.slice(before.length);
      await this.#index.change(after, (present) => ({ ...present, ...cells }));
    }
  }

  /** Deletes the results of an untitled notebook that was closed, unless it was saved. */
  handleClose(notebook: vscode.NotebookDocument): void {
    const candidate = this.#describeNotebook(notebook);
    this.#justClosed.add(candidate);
    const end = async (): Promise<void> => {
      this.#justClosed.delete(candidate);
      if (!notebook.isUntitled) return;
      await this.#change(notebook, () => ({}));
      await this.clean();
    };
    setTimeout(() => void end(), saveAsMs).unref();
  }

  async #store(
    run: OpenResult,
    origin: RunOrigin,
    outcome: ResultMetadata["outcome"],
  ): Promise<boolean> {
    try {
      await this.store.create(run.id);
      const rows = await run.table.store();
      await this.store.keep(run.id, { origin, outcome, rows });
      return true;
    } catch (error) {
      if (!isAppError(error, "tooLarge")) this.#log.error("A result could not be stored.", error);
      return false;
    }
  }

  async #adopt(notebook: vscode.NotebookDocument): Promise<void> {
    const own = this.#describeNotebook(notebook);
    const open = vscode.workspace.notebookDocuments
      .filter(({ notebookType }) => notebookType === notebooks.type)
      .map((other) => this.#describeNotebook(other));
    for (const { address, isUntitled, keys } of [...this.#justClosed, ...open]) {
      if (address === own.address || keys !== own.keys) continue;
      if (!isUntitled && !(await isNewFile(notebook.uri))) continue;
      const cells = await this.#index.read(address);
      await this.#change(notebook, (before) => ({ ...cells, ...before }));
    }
  }

  #describeNotebook(notebook: vscode.NotebookDocument): SaveAsCandidate {
    const keys = JSON.stringify([...readCellKeys(notebook).values()]);
    return { address: this.#getAddress(notebook), isUntitled: notebook.isUntitled, keys };
  }

  #foundIn(notebook: vscode.NotebookDocument): Map<string, string> {
    const found = this.#found.get(notebook) ?? new Map<string, string>();
    this.#found.set(notebook, found);
    return found;
  }

  #getAddress({ uri }: vscode.NotebookDocument): string {
    return notebookAddress(uri, this.#place);
  }

  #removeFromIndex(
    notebook: vscode.NotebookDocument,
    isRemoved: (key: string, id: string) => boolean,
  ): Promise<void> {
    return this.#change(notebook, (before) =>
      Object.fromEntries(Object.entries(before).filter(([key, id]) => !isRemoved(key, id))),
    );
  }

  #change(
    notebook: vscode.NotebookDocument,
    change: Parameters<NotebookIndex["change"]>[1],
  ): Promise<void> {
    return this.#index.change(this.#getAddress(notebook), change).catch((error: unknown) => {
      this.#log.error("It could not be stored which results a notebook has.", error);
    });
  }
}

/** The code cells of a notebook with their keys, in order. */
function readCellKeys(notebook: vscode.NotebookDocument): Map<vscode.NotebookCell, string> {
  const cells = notebook.getCells().filter(({ kind }) => kind === vscode.NotebookCellKind.Code);
  const keys = createCellKeys(cells.map(readContent));
  return new Map(cells.map((cell, at) => [cell, keys[at]!]));
}

async function isNewFile(uri: vscode.Uri): Promise<boolean> {
  const stat = await vscode.workspace.fs.stat(uri).then(undefined, () => undefined);
  return stat !== undefined && Date.now() - stat.ctime < saveAsMs;
}

/** Gives a stored result to the cell that shows it, and to this notebook if its own is closed or was saved as it. */
export function adoptResult(
  result: CellResult,
  notebook: vscode.NotebookDocument,
  key: string,
): void {
  const hasLeft = result.notebook.isClosed || result.notebook.isUntitled;
  if (result.notebook !== notebook && hasLeft) result.notebook = notebook;
  if (result.notebook !== notebook) return;
  const [cell] = [...readCellKeys(notebook)].find(([, own]) => own === key) ?? [];
  result.cell = cell ?? result.cell;
}
