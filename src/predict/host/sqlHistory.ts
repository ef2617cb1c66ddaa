// Every statement that was run from SQL files, without secrets, in files that all windows share.
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import * as v from "valibot";
import { tryParseJson } from "../../mindsdb/json.ts";
import { hasErrorCode } from "../../shared/hasErrorCode.ts";
import { openStorageFolder, privateMode, removeLink } from "../../shared/node/privateFiles.ts";

/** Statements that are listed. */
export const maxEntries = 1_000;
/** Bytes after which another file begins, so that old ones can be deleted. */
const maxFileSize = 1_000_000;
/** Characters of a statement that are kept. Longer ones are not. */
export const maxKeptLength = 100_000;

const historyEntry = v.object({
  /** Epoch ms. */
  at: v.number(),
  connectionId: v.string(),
  database: v.optional(v.string()),
  text: v.string(),
  /** Secrets are masked in the text: it cannot run again as it is. */
  isRedacted: v.optional(v.boolean()),
  /** The run has failed. Added again with this: the statement is listed as soon as it runs. */
  isFailed: v.optional(v.boolean()),
});
export type HistoryEntry = v.InferOutput<typeof historyEntry>;

const fileName = "statements.jsonl";
/** Full files have the time of their last statement in their names, in epoch ms. */
const fullFileName = /^statements-\d+-[\da-f]+\.jsonl$/;

export class SqlHistory {
  readonly #folder: string;

  /** The folder need not exist. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  add(entry: HistoryEntry): void {
    if (entry.text.length > maxKeptLength) return;
    openStorageFolder(this.#folder);
    const file = path.join(this.#folder, fileName);
    removeLink(file);
    // Windows add lines side by side: an appended line is written at once.
    fs.appendFileSync(file, `${JSON.stringify(entry)}\n`, { mode: privateMode });
    const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size > maxFileSize) this.#beginFile(file);
  }

  /** The newest first; of statements that were run again, the last run. */
  list(): HistoryEntry[] {
    const entries: HistoryEntry[] = [];
    for (const file of this.#files()) {
      if (entries.length >= maxEntries) break;
      for (const line of readLines(file).reverse()) {
        const { success, output } = v.safeParse(historyEntry, tryParseJson(line));
        if (success) entries.push(output);
      }
    }
    const seen = new Set<string>();
    return entries.slice(0, maxEntries).filter(({ connectionId, database, text }) => {
      const key = JSON.stringify([connectionId, database, text]);
      return !seen.has(key) && seen.add(key);
    });
  }

  clear(): void {
    for (const file of this.#files()) fs.rmSync(file, { force: true });
  }

  /**
   * Renames the full file and deletes those that only have older statements than are listed. No file is written again: a
   * line that another window adds meanwhile would be lost.
   */
  #beginFile(file: string): void {
    const name = `statements-${String(Date.now())}-${randomBytes(4).toString("hex")}.jsonl`;
    try {
      fs.renameSync(file, path.join(this.#folder, name));
    } catch (error) {
      // Another window has renamed it.
      if (!hasErrorCode(error, "ENOENT")) throw error;
    }
    let newer = 0;
    for (const one of this.#files()) {
      if (newer >= maxEntries) fs.rmSync(one, { force: true });
      else newer += readLines(one).length;
    }
  }

  /** The files with the newest statements first. */
  #files(): string[] {
    const full = fs.existsSync(this.#folder)
      ? fs.readdirSync(this.#folder).filter((name) => fullFileName.test(name))
      : [];
    return [fileName, ...full.sort().reverse()].map((name) => path.join(this.#folder, name));
  }
}

/** Another window may have deleted or renamed the file. */
function readLines(file: string): string[] {
  try {
    return fs.readFileSync(file, "utf8").split("\n").filter(Boolean);
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return [];
    throw error;
  }
}
