// Common parts of stores that append to files: ids as file names, and a queue of writes.

/** Returns the id. Throws if it could leave a folder: it can come from a page's saved state. */
export function checkStoredId(id: string): string {
  if (!/^[\w-]{1,64}$/.test(id)) throw new Error("This is no id of what is stored");
  return id;
}

/** Works on files one after the other, in the background. */
export class WriteQueue {
  readonly #failed: (error: unknown) => void;
  /** Texts that are not written yet, by file. */
  readonly #waiting = new Map<string, string[]>();
  #working: Promise<void> = Promise.resolve();

  /** `failed` gets the errors; the work after it continues. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  enqueue(work: () => Promise<void> | void): void {
    this.#working = this.#working.then(work).catch(this.#failed);
  }

  /** Has a text written. Texts for a file that arrive before its turn go out together, with the first one's `write`. */
  append(file: string, text: string, write: (texts: string) => Promise<void>): void {
    const waiting = this.#waiting.get(file);
    if (waiting) {
      waiting.push(text);
      return;
    }
    this.#waiting.set(file, [text]);
    this.enqueue(() => write(this.take(file)));
  }

  /** Returns the texts for a file that are not written yet, and forgets them. */
  take(file: string): string {
    const texts = this.#waiting.get(file) ?? [];
    this.#waiting.delete(file);
    return texts.join("");
  }

  /** Resolves when everything so far is done. */
  flush(): Promise<void> {
    return this.#working;
  }
}
