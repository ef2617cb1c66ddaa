// The answers of the comparisons whose pages are open, redacted: one file each, so that they are there again after a reload
// of the window.
import fs from "node:fs/promises";
import path from "node:path";
import * as v from "valibot";
import { openStorageFolder, privateMode, removeLink } from "../../shared/node/privateFiles.ts";
import { checkStoredId, WriteQueue } from "../../shared/node/writeQueue.ts";
import { keptAnswer, type KeptAnswer } from "./comparison.ts";

/** For one comparison, in bytes: what comes after it is asked again. */
const maxFileBytes = 32_000_000;
/** Files of comparisons whose window ended without closing their pages: the oldest are deleted first. */
const maxFiles = 20;

export class ComparisonStore {
  readonly #folder: string;
  readonly #queue: WriteQueue;
  #hasPruned = false;

  /** `failed` gets write errors; the comparison continues. */
  constructor(folder: string, failed: (error: unknown) => void) {
    this.#folder = folder;
    this.#queue = new WriteQueue(failed);
  }

  /** Adds an answer; a later one to the same question takes its place. */
  add(id: string, answer: KeptAnswer): void {
    const file = this.#file(id);
    // As JSON it would be longer still, which takes seconds, or more than a text can hold.
    if (countCharacters(answer) > maxFileBytes) return;
    this.#queue.append(file, `${JSON.stringify(answer)}\n`, async (lines) => {
      openStorageFolder(this.#folder);
      if (!this.#hasPruned) await this.#prune();
      this.#hasPruned = true;
      removeLink(file);
      const { size } = await fs.stat(file).catch(() => ({ size: 0 }));
      if (size + lines.length > maxFileBytes) return;
      await fs.appendFile(file, lines, { mode: privateMode });
    });
  }

  /** The answers of a comparison, the oldest first; none if nothing is stored. */
  async read(id: string): Promise<KeptAnswer[]> {
    const text = await fs.readFile(this.#file(id), "utf8").catch(() => "");
    return text.split("\n").flatMap((line) => readLine(line) ?? []);
  }

  /** Forgets a comparison. */
  remove(id: string): void {
    const file = this.#file(id);
    this.#queue.take(file);
    this.#queue.enqueue(() => fs.rm(file, { force: true }));
  }

  /** Resolves when everything so far is on disk. */
  flush(): Promise<void> {
    return this.#queue.flush();
  }

  async #prune(): Promise<void> {
    const names = await fs.readdir(this.#folder);
    const files = await Promise.all(
      names.map(async (name) => {
        const file = path.join(this.#folder, name);
        // Another window may delete files too.
        const stat = await fs.stat(file).catch(() => undefined);
        return { file, changed: stat?.mtimeMs ?? 0 };
      }),
    );
    const oldest = files.sort((a, b) => b.changed - a.changed).slice(maxFiles);
    await Promise.all(oldest.map(({ file }) => fs.rm(file, { force: true })));
  }

  #file(id: string): string {
    return path.join(this.#folder, `${checkStoredId(id)}.jsonl`);
  }
}

/** The characters of all texts in a value. */
function countCharacters(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, item) => sum + countCharacters(item), 0);
}

/** Undefined for what is no answer: the last line may have been cut off. */
function readLine(line: string): KeptAnswer | undefined {
  try {
    const read = v.safeParse(keptAnswer, JSON.parse(line));
    return read.success ? read.output : undefined;
  } catch {
    return undefined;
  }
}
