import type { RunTexts } from "./runTexts.ts";

/** Milliseconds without a response before the user is told; sooner for the first one, with the reason for the delay. */
const maxSilenceMs = 10_000;
const maxFirstSilenceMs = 3_000;

/** Explains what a prediction run waits for when the server takes long. */
export class ResponseDelay {
  readonly #texts: RunTexts;
  #readingColumnsSince: number | undefined;
  #lastResponseAt: number | undefined;

  constructor(texts: RunTexts) {
    this.#texts = texts;
  }

  setReadingColumns(isReading: boolean): void {
    this.#readingColumnsSince = isReading ? Date.now() : undefined;
  }

  /** The server has responded, or the wait for a response starts anew. */
  restart(): void {
    this.#lastResponseAt = Date.now();
  }

  /** A sentence; undefined unless the server takes unusually long. */
  describe(hasRows: boolean): string | undefined {
    const texts = this.#texts;
    if (this.#readingColumnsSince !== undefined) {
      const seconds = secondsSince(this.#readingColumnsSince);
      return seconds === 0 ? undefined : texts.readingColumns(seconds);
    }
    if (this.#lastResponseAt === undefined) return undefined;
    const silenceMs = Date.now() - this.#lastResponseAt;
    const seconds = secondsSince(this.#lastResponseAt);
    if (!hasRows && silenceMs > maxFirstSilenceMs) return texts.noFirstResponse(seconds);
    return silenceMs > maxSilenceMs ? texts.noResponse(seconds) : undefined;
  }
}

/** Whole seconds since a time in ms. */
export function secondsSince(time: number): number {
  return Math.floor((Date.now() - time) / 1_000);
}
