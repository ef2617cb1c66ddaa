// Reads a body chunk by chunk; can be interrupted in the middle of a read.

export class InterruptibleReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #interrupted = false;
  #wake: (() => void) | undefined;

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#chunks = body[Symbol.asyncIterator]();
  }

  /**
   * The next chunk; undefined once the body has closed or the reader was interrupted. Not Promise.race with one
   * lasting promise: that would keep every chunk alive until the end.
   */
  next(): Promise<Uint8Array | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#interrupted) return resolve(undefined);
      this.#wake = () => resolve(undefined);
      this.#chunks.next().then(({ done, value }) => resolve(done ? undefined : value), reject);
    });
  }

  interrupt(): void {
    this.#interrupted = true;
    this.#wake?.();
  }

  /** Does not wait for a read in progress, which may never end. */
  close(): void {
    this.#chunks.return?.().catch(() => {
      // The failure was already reported.
    });
  }
}
