// The stored results of notebooks: kept when a run ends, found again by the notebook's address and the cell's content.
import * as vscode from "vscode";
import { isAppError } from "../../mindsdb/errors.ts";
import { notebooks } from "../../ids.ts";
import type { Log } from "../../shared/host/log.ts";
import { cellKeys, contentHash, type CellContent } from "../notebook/cellKeys.ts";
import type { RunProgress } from "../messages.ts";
import type { ResultMetadata, ResultOrigin } from "../result/resultMetadata.ts";
import { NotebookIndex } from "../result/notebookIndex.ts";
import { openResultTable } from "../result/openResultTable.ts";
import { ResultStore } from "../result/resultStore.ts";
import { resultHeaderOf, storedKeyOf } from "./resultHeader.ts";
import { StoredResult, type ResultAccess } from "../result/resultAccess.ts";
import { notebookAddress, type ResultPlace } from "./storedOutputs.ts";

/** A notebook is taken for one that was saved under a new name if the other one was closed, and its file made, so many ms ago. */
const saveAsMs = 10_000;

/** A notebook that is open, or was a moment ago: VS Code may close the untitled one before it opens the one it was saved as. */
interface FormerNotebook {
  address: string;
  isUntitled: boolean;
  /** The keys of its cells as one text. */
  keys: string;
}

export class NotebookResults {
  readonly store: ResultStore;
  readonly #index: NotebookIndex;
  readonly #place: ResultPlace;
  readonly #worker: URL;
  readonly #log: Log;
  /** Which results the outputs of a notebook stand for: a cell's output keeps its key when the cell is edited. */
  readonly #found = new WeakMap<vscode.NotebookDocument, Map<string, string>>();
  readonly #justClosed = new Set<FormerNotebook>();
  /** Notebooks that are being given the results of another one. */
  readonly #adoptions = new WeakMap<vscode.NotebookDocument, Promise<void>>();
  /** VS Code may open a notebook before it has cells that could be compared. */
  readonly #openedEmpty = new WeakSet<vscode.NotebookDocument>();

  constructor(place: ResultPlace, worker: URL, log: Log) {
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

  /** A cell's earlier result gives way to one that is being made. */
  begin(cell: vscode.NotebookCell, id: string): Promise<void> {
    const key = keysOf(cell.notebook).get(cell);
    if (key === undefined) return Promise.resolve();
    return this.#change(cell.notebook, (before) => ({ ...before, [key]: id }));
  }

  /** Stores the result of a run that is over; a run without one is removed from the notebook's index. */
  async end(
    run: ResultAccess,
    origin: ResultOrigin,
    notebook: vscode.NotebookDocument,
  ): Promise<void> {
    const outcome = outcomeOf(run);
    const isStored = outcome !== undefined && (await this.#store(run, origin, outcome));
    if (!isStored) {
      await this.#removeFromIndex(notebook, (_, id) => id === run.id);
      return;
    }
    // Not awaited: it looks at the folders of all results, and the cell's execution waits for this method.
    void this.clean();
  }

  /** The id of the result that the output of a cell stands for. */
  async find(notebook: vscode.NotebookDocument, key: string): Promise<string | undefined> {
    await this.#adoptions.get(notebook);
    const found = this.#foundIn(notebook);
    const read = async () => (await this.#index.read(this.#addressOf(notebook)))[key];
    let id = (await read()) ?? found.get(key);
    if (id === undefined && this.#openedEmpty.delete(notebook)) {
      await this.adopt(notebook);
      id = await read();
    }
    if (id !== undefined) found.set(key, id);
    return id;
  }

  /** A stored result, in use from now on; undefined if it is gone or cannot be read. */
  async open(id: string): Promise<{ run: ResultAccess; origin: ResultOrigin } | undefined> {
    const opened = await this.store.open(id);
    if (!opened) return undefined;
    const { folder, result } = opened;
    try {
      const table = await openResultTable(folder, result.rows, this.#worker);
      return { run: new StoredResult(id, result, table), origin: result.origin };
    } catch (error) {
      this.#log.error("A stored result could not be read.", error);
      await this.store.release(id);
      return undefined;
    }
  }

  /** What a notebook shows belongs to the texts that its cells have now. */
  saved(notebook: vscode.NotebookDocument): Promise<void> {
    const found = this.#foundIn(notebook);
    return this.#change(notebook, (before) => {
      const cells: Record<string, string> = {};
      for (const [cell, key] of keysOf(notebook)) {
        const shown = cell.outputs.map((output) => {
          const stored = storedKeyOf(output);
          if (stored !== undefined) return found.get(stored) ?? before[stored];
          return resultHeaderOf(output)?.runId;
        });
        const id = shown.find((one) => one !== undefined && this.store.has(one)) ?? before[key];
        if (id !== undefined) cells[key] = id;
      }
      return cells;
    });
  }

  /** The user has cleared a cell's output. */
  cleared(cell: vscode.NotebookCell): Promise<void> {
    const cleared = keysOf(cell.notebook).get(cell);
    return this.#removeFromIndex(cell.notebook, (key) => key === cleared);
  }

  /** A notebook that was just saved under a new name takes over the results of the one it was. */
  adopt(notebook: vscode.NotebookDocument): Promise<void> {
    if (notebook.cellCount === 0) this.#openedEmpty.add(notebook);
    const adoption = this.#adopt(notebook).catch((error: unknown) => {
      this.#log.error("Results could not be taken over.", error);
    });
    this.#adoptions.set(notebook, adoption);
    return adoption;
  }

  /** Results go along with a notebook that is renamed, or whose folder is. */
  async renamed(from: vscode.Uri, to: vscode.Uri): Promise<void> {
    const before = from.toString();
    for (const { address, cells } of await this.#index.all()) {
      if (address !== before && !address.startsWith(`${before}/`)) continue;
      const after = to.toString() + address.slice(before.length);
      await this.#index.change(after, (present) => ({ ...present, ...cells }));
    }
  }

  /** An untitled notebook that is closed cannot be opened again, unless it was saved. */
  closed(notebook: vscode.NotebookDocument): void {
    const former = this.#formerOf(notebook);
    this.#justClosed.add(former);
    const end = async (): Promise<void> => {
      this.#justClosed.delete(former);
      if (!notebook.isUntitled) return;
      await this.#change(notebook, () => ({}));
      await this.clean();
    };
    setTimeout(() => void end(), saveAsMs).unref();
  }

  async #store(
    run: ResultAccess,
    origin: ResultOrigin,
    outcome: ResultMetadata["outcome"],
  ): Promise<boolean> {
    try {
      const folder = await this.store.create(run.id);
      const rows = await run.table.store(folder);
      await this.store.keep(run.id, { origin, outcome, rows });
      return true;
    } catch (error) {
      if (!isAppError(error, "tooLarge")) this.#log.error("A result could not be stored.", error);
      return false;
    }
  }

  async #adopt(notebook: vscode.NotebookDocument): Promise<void> {
    const own = this.#formerOf(notebook);
    const open = vscode.workspace.notebookDocuments
      .filter(({ notebookType }) => notebookType === notebooks.type)
      .map((other) => this.#formerOf(other));
    for (const { address, isUntitled, keys } of [...this.#justClosed, ...open]) {
      if (address === own.address || keys !== own.keys) continue;
      if (!isUntitled && !(await isNewFile(notebook.uri))) continue;
      const cells = await this.#index.read(address);
      await this.#change(notebook, (before) => ({ ...cells, ...before }));
    }
  }

  #formerOf(notebook: vscode.NotebookDocument): FormerNotebook {
    const keys = JSON.stringify([...keysOf(notebook).values()]);
    return { address: this.#addressOf(notebook), isUntitled: notebook.isUntitled, keys };
  }

  #foundIn(notebook: vscode.NotebookDocument): Map<string, string> {
    const found = this.#found.get(notebook) ?? new Map<string, string>();
    this.#found.set(notebook, found);
    return found;
  }

  #addressOf({ uri }: vscode.NotebookDocument): string {
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
    return this.#index.change(this.#addressOf(notebook), change).catch((error: unknown) => {
      this.#log.error("It could not be stored which results a notebook has.", error);
    });
  }
}

export function contentOf({ document }: vscode.NotebookCell): CellContent {
  return { language: document.languageId, text: document.getText() };
}

/** Whether a cell says something else than the one that a result was made of. */
export function isOtherContent(cell: vscode.NotebookCell, origin: ResultOrigin): boolean {
  return contentHash(contentOf(cell)) !== origin.contentHash;
}

/** The code cells of a notebook with their keys, in order. */
function keysOf(notebook: vscode.NotebookDocument): Map<vscode.NotebookCell, string> {
  const cells = notebook.getCells().filter(({ kind }) => kind === vscode.NotebookCellKind.Code);
  const keys = cellKeys(cells.map(contentOf));
  return new Map(cells.map((cell, at) => [cell, keys[at]!]));
}

async function isNewFile(uri: vscode.Uri): Promise<boolean> {
  const stat = await vscode.workspace.fs.stat(uri).then(undefined, () => undefined);
  return stat !== undefined && Date.now() - stat.ctime < saveAsMs;
}

/** How a run ended; undefined for one that left nothing to show again. */
function outcomeOf({ progress, table }: ResultAccess): ResultMetadata["outcome"] | undefined {
  const { count, refused, notes, metrics, hasNoTable } = progress;
  const state = endOf(progress);
  if (!state || (state.kind !== "done" && table.columns.length === 0)) return undefined;
  return {
    state,
    count,
    refused,
    notes,
    ...(metrics ? { metrics } : {}),
    ...(hasNoTable ? { hasNoTable } : {}),
  };
}

/** The state of a run that is over, without the button that helped at the time. */
function endOf({ state }: RunProgress): ResultMetadata["outcome"]["state"] | undefined {
  if (state.kind === "done" || state.kind === "stopped") return { kind: state.kind };
  return state.kind === "failed" ? { kind: "failed", message: state.message } : undefined;
}
