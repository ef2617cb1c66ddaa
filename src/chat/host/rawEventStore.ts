// The raw events of agent runs, redacted: one file for each run, stored as long as its conversation.
import fs from "node:fs/promises";
import path from "node:path";
import { formatFrame } from "../rawEvents.ts";

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
  /** Text that is not written yet, by file. */
  readonly #waiting = new Map<string, string[]>();
  #writing: Promise<void> = Promise.resolve();

  constructor(options: RawEventStoreOptions) {
    this.#options = options;
  }

  /**
   * Appends an event's data to a run until the limit; `redacted` is not called beyond it. `at` is in ms since the run
   * started.
   */
  append(chatId: string, run: number, redacted: () => string, at: number): void {
    const file = this.#file(chatId, run);
    const length = this.#lengths.get(file) ?? 0;
    if (length >= maxRunLength) return;
    if (!this.#lengths.has(file)) this.#enqueue(() => this.#prune());
    const text = formatFrame({ at, data: redacted() });
    this.#lengths.set(file, length + text.length);
    const isWhole = length + text.length < maxRunLength;
    const beginning = text.slice(0, maxRunLength - length);
    // Cuts no surrogate pair.
    const kept = isWhole ? text : beginning.replace(/[\uD800-\uDBFF]$/, "");
    this.#write(file, isWhole ? kept : `${kept}\n\n: ${this.#options.cutNotice()}\n`);
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
    this.#enqueue(async () => {
      const files = (await this.#files()).filter((file) => file.chatId === chatId);
      await Promise.all(files.map(({ name }) => this.#delete(name)));
    });
  }

  /** Resolves when everything so far is on disk. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  #write(file: string, text: string): void {
    const waiting = this.#waiting.get(file);
    if (waiting) {
      waiting.push(text);
      return;
    }
    this.#waiting.set(file, [text]);
    this.#enqueue(async () => {
      const texts = this.#waiting.get(file) ?? [];
      this.#waiting.delete(file);
      await fs.mkdir(this.#options.folder, { recursive: true });
      await fs.appendFile(file, texts.join(""));
    });
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

  #enqueue(work: () => Promise<void>): void {
    this.#writing = this.#writing.then(work).catch(this.#options.failed);
  }

  /** The id can come from a page's saved state, so it must not leave the folder. */
  #file(chatId: string, run: number): string {
    if (!/^[\w-]{1,64}$/.test(chatId)) throw new Error("This is no conversation's id");
    return path.join(this.#options.folder, `${chatId}.${String(Math.trunc(run))}.txt`);
  }
}
