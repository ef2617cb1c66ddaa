// One writer at a time of all windows: a file for each item that is being changed, with the id of the window's process.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { hasErrorCode } from "../shared/hasErrorCode.ts";
import { isWriterAlive } from "../predict/result/isWriterAlive.ts";
import { openStorageFolder, privateMode } from "../shared/node/privateFiles.ts";

export interface WriterTurn {
  /** The window that had the lock has closed: the server may still be storing what it sent. */
  isTakenOver: boolean;
  release(): void;
}

/** Milliseconds after which a window that takes a lock over must have crashed. */
const maxTakeOverMs = 10_000;

export class WriterLock {
  readonly #folder: string;
  readonly #processId: number;

  constructor(folder: string, processId = process.pid) {
    this.#folder = folder;
    this.#processId = processId;
  }

  /**
   * Takes the lock of an item; undefined while another window has it. Of a window that has closed it takes the lock over.
   */
  take(item: readonly string[]): WriterTurn | undefined {
    const name = createHash("sha256").update(JSON.stringify(item)).digest("hex");
    const file = path.join(this.#folder, name);
    openStorageFolder(this.#folder);
    const isFree = this.#create(file);
    if (!isFree && (this.#isTaken(file) || !this.#takeOver(file))) return undefined;
    return {
      isTakenOver: !isFree,
      release: () => {
        if (readOwner(file) === this.#processId) fs.rmSync(file, { force: true });
      },
    };
  }

  #isTaken(file: string): boolean {
    const owner = readOwner(file);
    // This window never asks twice, so its own id is that of an earlier process.
    return owner !== undefined && owner !== this.#processId && isWriterAlive(file, owner);
  }

  /** Puts this window in the place of one that has closed. Of several windows that try, one does it at a time. */
  #takeOver(file: string): boolean {
    const turn = `${file}.takeover`;
    if (!this.#create(turn)) {
      removeIfOld(turn);
      return false;
    }
    try {
      // Another window may have been faster.
      if (this.#isTaken(file)) return false;
      fs.writeFileSync(file, String(this.#processId), { mode: privateMode });
      return true;
    } finally {
      fs.rmSync(turn, { force: true });
    }
  }

  #create(file: string): boolean {
    try {
      fs.writeFileSync(file, String(this.#processId), { flag: "wx", mode: privateMode });
      return true;
    } catch (error) {
      if (hasErrorCode(error, "EEXIST")) return false;
      throw error;
    }
  }
}

/** Removes what a window left that has crashed: to take a lock over takes no time. */
function removeIfOld(file: string): void {
  const { mtimeMs } = fs.statSync(file, { throwIfNoEntry: false }) ?? {};
  const isOld = mtimeMs !== undefined && Date.now() - mtimeMs > maxTakeOverMs;
  if (isOld) fs.rmSync(file, { force: true });
}

/** The id in a lock's file; undefined if it is gone or damaged. */
function readOwner(file: string): number | undefined {
  try {
    const id = Number(fs.readFileSync(file, "utf8"));
    return Number.isSafeInteger(id) && id > 0 ? id : undefined;
  } catch {
    return undefined;
  }
}
