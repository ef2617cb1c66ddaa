// The raw events of agent runs, redacted: one file for each run, stored as long as its conversation.
import { existsSync } from "node:fs";
import fs from "node:fs/promises";
import path from "node:path";
import { sliceText } from "../../mindsdb/cutText.ts";
import { formatFrame } from "../rawEvents.ts";
import { checkStoredId, WriteQueue } from "../../shared/node/writeQueue.ts";
import { openStorageFolder, privateMode, removeLink } from "../../shared/node/privateFiles.ts";

/** For one run, in characters: an editor opens this much at once. */
export const maxRunLength = 4_000_000;

/** For all runs, in bytes; the oldest files are deleted first. */
export const maxFolderSize = 64_000_000;

interface RawEventStoreOptions {
  /** The folder for the files; it need not exist. */
  folder: string;
  /** Whether a conversation is still stored: events of others are deleted. */
  isKept: (chatId: string) => Promise<boolean>;
  /** The last line of a run that was cut. */
  cutNotice: () => string;
  /** Gets write errors; the run continues. */
  failed: (error: unknown) => void;
}

export class RawEventStore {
  readonly #options: RawEventStoreOptions;
  /** Stored length by file, for the runs of this window. */
  readonly #lengths = new Map<string, number>();
  readonly #queue: WriteQueue;

  constructor(options: RawEventStoreOptions) {
    this.#options = options;
    this.#queue = new WriteQueue(options.failed);
  }

  /**
   * Appends an event's data to a run until the limit; `redacted` is not called beyond it. `at` is in ms since the run
   * started.
   */
  append(chatId: string, run: number, redacted: () => string, at: number): void {
    const file = this.#file(chatId, run);
    const length = this.#lengths.get(file) ?? 0;
    if (length >= maxRunLength) return;
    if (!this.#lengths.has(file)) this.#queue.enqueue(() => this.#prune());
    const text = formatFrame({ at, data: redacted() });
    this.#lengths.set(file, length + text.length);
    const isWhole = length + text.length < maxRunLength;
    const { folder, cutNotice } = this.#options;
    const stored = isWhole
      ? text
      : `${sliceText(text, maxRunLength - length)}\n\n: ${cutNotice()}\n`;
    this.#queue.append(file, stored, async (texts) => {
      openStorageFolder(folder);
      removeLink(file);
      await fs.appendFile(file, texts, { mode: privateMode });
    });
  }

  /** True if events of the run are stored, or about to be. */
  has(chatId: string, run: number): boolean {
    const file = this.#file(chatId, run);
    return this.#lengths.has(file) || existsSync(file);
  }

  /** Returns a run's events like the stream's body; undefined if none are stored. */
  async read(chatId: string, run: number): Promise<string | undefined> {
    await this.flush();
    try {
      return await fs.readFile(this.#file(chatId, run), "utf8");
    } catch {
      return undefined;
    }
  }

  /** Deletes the events of a conversation. */
  remove(chatId: string): void {
    this.#queue.enqueue(async () => {
      const files = (await this.#files()).filter((file) => file.chatId === chatId);
      await Promise.all(files.map(({ name }) => this.#delete(name)));
    });
  }

  /** Resolves when everything so far is on disk. */
  flush(): Promise<void> {
    return this.#queue.flush();
  }

  /** Deletes the events of deleted conversations, and the oldest ones beyond the limit. */
  async #prune(): Promise<void> {
    const isKept = new Map<string, boolean>();
    let size = 0;
    for (const { chatId, name, bytes } of await this.#files()) {
      if (!isKept.has(chatId)) isKept.set(chatId, await this.#options.isKept(chatId));
      size += bytes;
      if (!isKept.get(chatId) || size > maxFolderSize) await this.#delete(name);
    }
  }

  /** Returns all files, the most recently written first. */
  async #files(): Promise<{ name: string; chatId: string; bytes: number }[]> {
    const { folder } = this.#options;
    const names = await fs.readdir(folder).catch(() => []);
    const files = await Promise.all(
      names.map(async (name) => {
        const [, chatId] = /^([\w-]{1,64})\.\d+\.txt$/.exec(name) ?? [];
        // Another window may delete files too.
        const stat = await fs.stat(path.join(folder, name)).catch(() => undefined);
        if (chatId === undefined || !stat) return [];
        return [{ name, chatId, bytes: stat.size, changed: stat.mtimeMs }];
      }),
    );
    return files.flat().sort((a, b) => b.changed - a.changed);
  }

  async #delete(name: string): Promise<void> {
    await fs.rm(path.join(this.#options.folder, name), { force: true });
  }

  #file(chatId: string, run: number): string {
    const name = `${checkStoredId(chatId)}.${String(Math.trunc(run))}.txt`;
    return path.join(this.#options.folder, name);
  }
}
