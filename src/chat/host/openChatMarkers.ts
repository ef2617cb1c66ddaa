// Marks conversations that are open in a window, so that no window prunes them.
import { randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import * as v from "valibot";
import { openStorageFolder, privateMode } from "../../shared/node/privateFiles.ts";

/**
 * How long a marker counts, in ms: a closed window's tabs come back with it.
 */
const maxAge = 30 * 86_400_000;

const entry = v.array(v.string());

/** One file for each window, with the ids of its open conversations. */
export class OpenChatMarkers {
  readonly #folder: string;
  readonly #file: string;

  /** The folder need not exist. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#file = path.join(folder, `${randomUUID()}.json`);
  }

  /** Stores what this window has open. */
  async write(chatIds: readonly string[]): Promise<void> {
    if (chatIds.length === 0) {
      await fs.rm(this.#file, { force: true });
      return;
    }
    openStorageFolder(this.#folder);
    await fs.writeFile(this.#file, JSON.stringify(chatIds), { mode: privateMode });
  }

  /** Returns what any window has open, or had when it was closed. */
  async read(): Promise<Set<string>> {
    const names = await fs.readdir(this.#folder).catch(() => []);
    const lists = await Promise.all(names.map((name) => readEntry(path.join(this.#folder, name))));
    return new Set(lists.flat());
  }
}

/** Reads a marker; deletes it if it is too old. */
async function readEntry(file: string): Promise<string[]> {
  try {
    const { mtimeMs } = await fs.stat(file);
    if (Date.now() - mtimeMs <= maxAge) {
      return v.parse(entry, JSON.parse(await fs.readFile(file, "utf8")));
    }
    await fs.rm(file, { force: true });
  } catch {
    // Another window may have removed it, or be writing it.
  }
  return [];
}
