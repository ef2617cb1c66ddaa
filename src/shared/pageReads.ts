// Reads of an open page. An answer can arrive after the user has chosen something else, or closed the page.

interface OnEnd<Answer> {
  show: (answer: Answer) => void | Promise<void>;
  fail: (error: unknown) => void;
}

/** One part of a page, which is read again and again. Only the last read counts; the one before it is aborted. */
class LatestRead {
  readonly #isPageOpen: () => boolean;
  #reading: AbortController | undefined;

  constructor(isPageOpen: () => boolean) {
    this.#isPageOpen = isPageOpen;
  }

  /**
   * Calls `show` with what was read, or `fail`: neither if another read has begun meanwhile, this one was aborted, or the
   * page is closed. What `read` shows along the way it shows after `throwIfAborted` of its signal. True if it was shown.
   */
  async run<Answer>(
    read: (signal: AbortSignal) => Promise<Answer>,
    { show, fail }: OnEnd<Answer>,
  ): Promise<boolean> {
    this.abort();
    if (!this.#isPageOpen()) return false;
    const reading = new AbortController();
    this.#reading = reading;
    const { signal } = reading;
    const end = await read(signal).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    );
    if (signal.aborted) return false;
    this.#reading = undefined;
    if ("error" in end) fail(end.error);
    else await show(end.answer);
    return "answer" in end;
  }

  /** Drops the read that is under way. */
  abort(): void {
    this.#reading?.abort();
    this.#reading = undefined;
  }
}
export type { LatestRead };

/** All reads of a page, which end with it. */
export class PageReads {
  readonly #all: LatestRead[] = [];
  #isOpen = true;

  create(): LatestRead {
    const read = new LatestRead(() => this.#isOpen);
    this.#all.push(read);
    return read;
  }

  /** Aborts all reads; later ones do not begin. */
  close(): void {
    this.#isOpen = false;
    for (const read of this.#all) read.abort();
  }

  /** The page is shown again. */
  reopen(): void {
    this.#isOpen = true;
  }
}
