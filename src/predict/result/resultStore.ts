import fs from "node:fs";
import path from "node:path";
import { isResultId, type NotebookIndex } from "./notebookIndex.ts";
import {
  readResultMetadata,
  resultMetadataFile,
  writeResultMetadata,
  type ResultMetadata,
} from "./resultMetadata.ts";
import { isWriterAlive } from "./isWriterAlive.ts";
import {
  makePrivateFolder,
  openStorageFolder,
  privateMode,
} from "../../shared/node/privateFiles.ts";

/** Limits for all results together. */
const maxBytes = 4 * 1024 ** 3;
const maxResults = 500;
const markPrefix = "in-use.";

export interface ResultStoreOptions {
  processId?: number;
  maxBytes?: number;
  maxResults?: number;
}

interface StoredFolder {
  id: string;
  bytes: number;
  /** When it was last stored or opened, in ms since 1970; undefined if it is incomplete. */
  usedAt: number | undefined;
  isInUse: boolean;
}

/**
 * Results on disk, a folder for each, shared by all windows. A result is kept while a notebook refers to it; the oldest
 * ones are deleted when all together are too large. Results in use are marked with a process id and never deleted.
 */
export class ResultStore {
  readonly #root: string;
  readonly #index: NotebookIndex;
  readonly #mark: string;
  readonly #maxBytes: number;
  readonly #maxResults: number;
  /** The number of uses of each result by this window: one that is being closed may be open again already. */
  readonly #uses = new Map<string, number>();
  #cleaning: Promise<void> = Promise.resolve();

  constructor(root: string, index: NotebookIndex, options: ResultStoreOptions = {}) {
    this.#root = root;
    this.#index = index;
    this.#mark = `${markPrefix}${options.processId ?? process.pid}`;
    this.#maxBytes = options.maxBytes ?? maxBytes;
    this.#maxResults = options.maxResults ?? maxResults;
  }

  /** Creates the folder of a new result, marked as in use, and returns its path. Further calls return the same path. */
  async create(id: string): Promise<string> {
    const folder = this.folderOf(id);
    if (this.#uses.has(id)) return folder;
    this.#uses.set(id, 1);
    // Renamed after it is marked, so that no other window deletes it as unused.
    const unmarked = path.join(this.#root, `new-${id}`);
    openStorageFolder(this.#root);
    makePrivateFolder(unmarked);
    await fs.promises.writeFile(path.join(unmarked, this.#mark), "", { mode: privateMode });
    await fs.promises.rename(unmarked, folder);
    return folder;
  }

  /** Stores the metadata of a complete result, which is then kept while a notebook refers to it. */
  async keep(id: string, result: ResultMetadata): Promise<void> {
    await writeResultMetadata(this.folderOf(id), result);
  }

  /** Opens a stored result and marks it as in use; undefined if it is missing or cannot be read. */
  async open(id: string): Promise<{ folder: string; result: ResultMetadata } | undefined> {
    if (!isResultId(id)) return undefined;
    const folder = this.folderOf(id);
    this.#uses.set(id, (this.#uses.get(id) ?? 0) + 1);
    try {
      openStorageFolder(this.#root);
      // Marked first, so that no other window deletes it meanwhile.
      await fs.promises.writeFile(path.join(folder, this.#mark), "", { mode: privateMode });
      const result = await readResultMetadata(folder);
      const now = new Date();
      const file = path.join(folder, resultMetadataFile);
      await fs.promises.utimes(file, now, now).catch(() => undefined);
      return { folder, result };
    } catch {
      await this.release(id);
      return undefined;
    }
  }

  /** The path of a result's folder, which may not exist. */
  folderOf(id: string): string {
    return path.join(this.#root, id);
  }

  /** Whether the result has a folder, complete or not. */
  has(id: string): boolean {
    return fs.existsSync(this.folderOf(id));
  }

  /** Whether a notebook refers to a result. */
  async isReferred(id: string): Promise<boolean> {
    return (await this.#referred()).has(id);
  }

  /** Ends one use of a result. Deletes it after the last one if no notebook refers to it; true if it was deleted. */
  async release(id: string): Promise<boolean> {
    const uses = (this.#uses.get(id) ?? 0) - 1;
    if (uses > 0) {
      this.#uses.set(id, uses);
      return false;
    }
    this.#uses.delete(id);
    const folder = this.folderOf(id);
    await fs.promises.rm(path.join(folder, this.#mark), { force: true }).catch(() => undefined);
    const isKept = fs.existsSync(path.join(folder, resultMetadataFile));
    if ((isKept && (await this.isReferred(id))) || this.#isInUse(folder)) return false;
    await remove(folder);
    return true;
  }

  /** Deletes results that are neither referred to nor in use, and the oldest ones beyond the limits. */
  clean(): Promise<void> {
    const cleaned = this.#cleaning.then(() => this.#clean());
    // One clean-up that fails must not fail those after it.
    this.#cleaning = cleaned.catch(() => undefined);
    return cleaned;
  }

  /** Ends the use of all results. Synchronous, because VS Code may be shutting down. */
  dispose(): void {
    for (const id of this.#uses.keys()) {
      const folder = this.folderOf(id);
      if (fs.existsSync(path.join(folder, resultMetadataFile))) {
        fs.rmSync(path.join(folder, this.#mark), { force: true });
      } else {
        fs.rmSync(folder, { recursive: true, force: true });
      }
    }
    this.#uses.clear();
  }

  async #clean(): Promise<void> {
    const folders = await this.#folders();
    const referred = await this.#referred();
    const kept: StoredFolder[] = [];
    for (const folder of folders) {
      const isWanted = folder.usedAt !== undefined && referred.has(folder.id);
      if (isWanted || folder.isInUse) kept.push(folder);
      else await remove(this.folderOf(folder.id));
    }
    let bytes = kept.reduce((sum, folder) => sum + folder.bytes, 0);
    let count = kept.length;
    const oldestFirst = kept
      .filter(({ isInUse }) => !isInUse)
      .sort((a, b) => (a.usedAt ?? 0) - (b.usedAt ?? 0));
    for (const folder of oldestFirst) {
      if (bytes <= this.#maxBytes && count <= this.#maxResults) return;
      await remove(this.folderOf(folder.id));
      bytes -= folder.bytes;
      count--;
    }
  }

  async #referred(): Promise<Set<string>> {
    const notebooks = await this.#index.all();
    return new Set(notebooks.flatMap(({ cells }) => Object.values(cells)));
  }

  async #folders(): Promise<StoredFolder[]> {
    const names = await fs.promises.readdir(this.#root).catch(() => []);
    const found: StoredFolder[] = [];
    for (const id of names.filter(isResultId)) {
      const folder = this.folderOf(id);
      const files = await fs.promises.readdir(folder).catch(() => []);
      let bytes = 0;
      let usedAt: number | undefined;
      for (const name of files) {
        const stat = await fs.promises.stat(path.join(folder, name)).catch(() => undefined);
        bytes += stat?.size ?? 0;
        if (name === resultMetadataFile) usedAt = stat?.mtimeMs;
      }
      // Checked last, because another window may have opened it meanwhile.
      found.push({ id, bytes, usedAt, isInUse: this.#isInUse(folder) });
    }
    return found;
  }

  #isInUse(folder: string): boolean {
    if (this.#uses.has(path.basename(folder))) return true;
    const marks = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
    return marks.some(
      (name) =>
        // A mark with this process id but without a use is from an earlier process with the same id.
        name.startsWith(markPrefix) &&
        name !== this.#mark &&
        isWriterAlive(path.join(folder, name), Number(name.slice(markPrefix.length))),
    );
  }
}

/** Deletes a folder. After a failure the next clean-up tries again. */
async function remove(folder: string): Promise<void> {
  await fs.promises.rm(folder, { recursive: true, force: true }).catch(() => undefined);
}
