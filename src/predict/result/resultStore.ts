// Results on disk, shared by all windows: a folder for each. A result stays while a notebook refers to it, the oldest ones
// only until their room is needed; what a window uses is marked with the number of its process and never deleted.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import {
  formatResultMetadata,
  parseResultMetadata,
  type ResultMetadata,
} from "./resultMetadata.ts";
import { isResultId, type NotebookIndex } from "./notebookIndex.ts";
import { replaceFile, temporaryFile } from "./replaceFile.ts";

/** All results together may be this large on disk, and be so many. */
const maxBytes = 4 * 1024 ** 3;
const maxResults = 500;
/** The notes and columns of a result; a larger file is none of ours. */
const maxDescriptionBytes = 32 * 1024 ** 2;

const descriptionFile = "result.json";
const markPrefix = "in-use.";

export interface ResultStoreOptions {
  processId?: number;
  maxBytes?: number;
  maxResults?: number;
}

interface StoredFolder {
  id: string;
  bytes: number;
  /** When it was kept or shown last, in ms since 1970; undefined for one that is not kept. */
  usedAt: number | undefined;
  isInUse: boolean;
}

export class ResultStore {
  readonly #root: string;
  readonly #index: NotebookIndex;
  readonly #mark: string;
  readonly #maxBytes: number;
  readonly #maxResults: number;
  /** How often this window uses each result: one that is closed may have been opened again already. */
  readonly #uses = new Map<string, number>();
  #cleaning: Promise<void> = Promise.resolve();

  constructor(root: string, index: NotebookIndex, options: ResultStoreOptions = {}) {
    this.#root = root;
    this.#index = index;
    this.#mark = `${markPrefix}${options.processId ?? process.pid}`;
    this.#maxBytes = options.maxBytes ?? maxBytes;
    this.#maxResults = options.maxResults ?? maxResults;
  }

  /** The folder of a result that this window makes; the same one every time. */
  async create(id: string): Promise<string> {
    const folder = path.join(this.#root, id);
    if (this.#uses.has(id)) return folder;
    this.#uses.set(id, 1);
    // Under another name until it is marked, so that no other window takes it for a leftover.
    const unmarked = path.join(this.#root, `new-${id}`);
    await fs.promises.mkdir(unmarked, { recursive: true, mode: 0o700 });
    await fs.promises.writeFile(path.join(unmarked, this.#mark), "");
    await fs.promises.rename(unmarked, folder);
    return folder;
  }

  /** Stores what describes a result; from now on it stays as long as a notebook refers to it. */
  async keep(id: string, result: ResultMetadata): Promise<void> {
    const file = path.join(this.#root, id, descriptionFile);
    const text = formatResultMetadata(result);
    await replaceFile(file, (part) => fs.promises.writeFile(part, text, temporaryFile));
  }

  /** A result that was kept, in use by this window from now on; undefined if there is none, or none that can be read. */
  async open(id: string): Promise<{ folder: string; result: ResultMetadata } | undefined> {
    if (!isResultId(id)) return undefined;
    const folder = path.join(this.#root, id);
    const file = path.join(folder, descriptionFile);
    this.#uses.set(id, (this.#uses.get(id) ?? 0) + 1);
    try {
      // Marked first, so that no other window deletes what is read here.
      await fs.promises.writeFile(path.join(folder, this.#mark), "");
      const { size } = await fs.promises.stat(file);
      if (size > maxDescriptionBytes) throw new Error("The description is too large.");
      const result = parseResultMetadata(await fs.promises.readFile(file, "utf8"));
      if (!result) throw new Error("The description cannot be read.");
      const now = new Date();
      await fs.promises.utimes(file, now, now).catch(() => undefined);
      return { folder, result };
    } catch {
      await this.release(id);
      return undefined;
    }
  }

  /** Whether there is anything of a result, finished or not. */
  has(id: string): boolean {
    return fs.existsSync(path.join(this.#root, id));
  }

  /** Whether a notebook refers to a result. */
  async isReferred(id: string): Promise<boolean> {
    return (await this.#referred()).has(id);
  }

  /** Ends one use of a result. Deletes it with the last one, if no notebook refers to it; says whether it did. */
  async release(id: string): Promise<boolean> {
    const uses = (this.#uses.get(id) ?? 0) - 1;
    if (uses > 0) {
      this.#uses.set(id, uses);
      return false;
    }
    this.#uses.delete(id);
    const folder = path.join(this.#root, id);
    await fs.promises.rm(path.join(folder, this.#mark), { force: true }).catch(() => undefined);
    const isKept = fs.existsSync(path.join(folder, descriptionFile));
    if ((isKept && (await this.isReferred(id))) || this.#isInUse(folder)) return false;
    await remove(folder);
    return true;
  }

  /** Deletes what nobody refers to or uses, and the oldest results that are too many or too large together. */
  clean(): Promise<void> {
    return (this.#cleaning = this.#cleaning.then(() => this.#clean()));
  }

  /** Ends the use of all results. Does not wait: there is no time left when VS Code shuts down. */
  dispose(): void {
    for (const id of this.#uses.keys()) {
      const folder = path.join(this.#root, id);
      if (fs.existsSync(path.join(folder, descriptionFile))) {
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
      else await remove(path.join(this.#root, folder.id));
    }
    let bytes = kept.reduce((sum, folder) => sum + folder.bytes, 0);
    let count = kept.length;
    const oldestFirst = kept
      .filter(({ isInUse }) => !isInUse)
      .sort((a, b) => (a.usedAt ?? 0) - (b.usedAt ?? 0));
    for (const folder of oldestFirst) {
      if (bytes <= this.#maxBytes && count <= this.#maxResults) return;
      await remove(path.join(this.#root, folder.id));
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
      const folder = path.join(this.#root, id);
      const files = await fs.promises.readdir(folder).catch(() => []);
      let bytes = 0;
      let usedAt: number | undefined;
      for (const name of files) {
        const stat = await fs.promises.stat(path.join(folder, name)).catch(() => undefined);
        bytes += stat?.size ?? 0;
        if (name === descriptionFile) usedAt = stat?.mtimeMs;
      }
      // Asked last: another window may have begun to use it meanwhile.
      found.push({ id, bytes, usedAt, isInUse: this.#isInUse(folder) });
    }
    return found;
  }

  #isInUse(folder: string): boolean {
    if (this.#uses.has(path.basename(folder))) return true;
    const marks = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
    return marks.some(
      (name) =>
        // A mark of this process's number that it does not know of is one of a process before it.
        name.startsWith(markPrefix) && name !== this.#mark && isAlive(path.join(folder, name)),
    );
  }
}

/** Whether the process that made a mark is alive, and was when the mark was made. */
function isAlive(mark: string): boolean {
  const startedAt = Date.now() - 1_000 * os.uptime();
  try {
    process.kill(Number(path.basename(mark).slice(markPrefix.length)), 0);
    return fs.statSync(mark).mtimeMs > startedAt;
  } catch (error) {
    // Somebody else's process is one, too.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** What cannot be deleted now is tried again the next time. */
async function remove(folder: string): Promise<void> {
  await fs.promises.rm(folder, { recursive: true, force: true }).catch(() => undefined);
}
