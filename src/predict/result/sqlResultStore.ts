// The results of a workspace's SQL files on disk, which are there again after a reload of the window.
import path from "node:path";
import * as v from "valibot";
import { readJsonFile, writeJsonFile } from "./jsonFile.ts";
import { NotebookIndex } from "./notebookIndex.ts";
import { openResultTable } from "./openResultTable.ts";
import { createStoredResult, readOutcome, type OpenResult } from "./openResult.ts";
import type { RunOrigin } from "./resultMetadata.ts";
import { ResultStore } from "./resultStore.ts";

const detailsFile = "statement.json";
const maxDetailsBytes = 1024 ** 2;

const details = v.object({
  /** Without secrets. */
  statement: v.string(),
  /** Whether the statement can run again as it is: nothing in it is masked, cut off, or a parameter. */
  canRun: v.boolean(),
  /** The address of its file. */
  file: v.string(),
  /** The file, the connection and the default project, for the user. */
  place: v.string(),
  database: v.optional(v.string()),
  isPinned: v.boolean(),
});
export type SqlResultDetails = v.InferOutput<typeof details>;

export interface StoredSqlResult {
  run: OpenResult;
  origin: RunOrigin;
  details: SqlResultDetails;
}

export class SqlResultStore {
  readonly #index: NotebookIndex;
  readonly #store: ResultStore;
  readonly #worker: URL;
  /** Without one, results end with the window. */
  readonly #workspace: string | undefined;

  /** `root` is a folder that all windows share; `workspace` identifies this window's. */
  constructor(root: string, worker: URL, workspace: string | undefined) {
    this.#index = new NotebookIndex(root);
    this.#store = new ResultStore(root, this.#index);
    this.#worker = worker;
    this.#workspace = workspace;
  }

  /** Creates the folder for the rows of a run, and returns its path. */
  createFolder(runId: string): Promise<string> {
    return this.#store.create(runId);
  }

  /** Stores the result of a run that has ended; one that has no result to show again is not stored. */
  async keep({ run, origin, details }: StoredSqlResult): Promise<void> {
    const outcome = readOutcome(run, false);
    if (!outcome || this.#workspace === undefined) return;
    await this.#store.create(run.id);
    const rows = await run.table.store();
    await this.#writeDetails(run.id, details);
    await this.#store.keep(run.id, { origin, outcome, rows });
    await this.#index.change(this.#workspace, (ids) => ({ ...ids, [run.id]: run.id }));
  }

  /** Changes the details of a result that is stored. */
  async change(runId: string, change: Partial<SqlResultDetails>): Promise<void> {
    const before = await this.#readDetails(runId).catch(() => undefined);
    if (before) await this.#writeDetails(runId, { ...before, ...change });
  }

  /** Deletes a result, whose files are closed. */
  async remove(runId: string): Promise<void> {
    if (this.#workspace !== undefined) {
      await this.#index.change(this.#workspace, (ids) =>
        Object.fromEntries(Object.entries(ids).filter(([id]) => id !== runId)),
      );
    }
    await this.#store.release(runId);
  }

  /** Opens the results that the workspace had, the newest first, and deletes what no workspace refers to. */
  async restore(): Promise<StoredSqlResult[]> {
    const restored: StoredSqlResult[] = [];
    if (this.#workspace !== undefined) {
      for (const id of Object.values(await this.#index.read(this.#workspace))) {
        const result = await this.#open(id);
        if (result) restored.unshift(result);
        else await this.remove(id);
      }
    }
    await this.#store.clean();
    return restored;
  }

  /** Synchronous, because VS Code may be shutting down. */
  dispose(): void {
    this.#store.dispose();
  }

  async #open(id: string): Promise<StoredSqlResult | undefined> {
    const opened = await this.#store.open(id);
    if (!opened) return undefined;
    const { folder, result } = opened;
    try {
      const details = await this.#readDetails(id);
      const table = await openResultTable(folder, result.rows, this.#worker);
      return { run: createStoredResult(id, result, table), origin: result.origin, details };
    } catch {
      return undefined;
    }
  }

  async #readDetails(id: string): Promise<SqlResultDetails> {
    return v.parse(details, await readJsonFile(this.#detailsFile(id), maxDetailsBytes));
  }

  #writeDetails(id: string, content: SqlResultDetails): Promise<void> {
    return writeJsonFile(this.#detailsFile(id), content);
  }

  #detailsFile(id: string): string {
    return path.join(this.#store.folderOf(id), detailsFile);
  }
}
