// An agent's answering body, as it comes, to what the agent does.
import { AppError } from "../errors.ts";
import { createFrameParser } from "./frames.ts";
import { Normaliser, type StepEvent } from "./steps.ts";

export interface ReadOptions {
  signal?: AbortSignal;
  /** How long the body may stay open after the first end, in ms. */
  graceMs?: number;
}

/**
 * Yields what an agent does while the body comes in. Returns when the body closes after an end, or `graceMs` after
 * the first end (26.x sends two). Throws AppError "cutOff" when the body closes or fails without an end, "tooLarge"
 * for an event over the limit, and the signal's reason when it aborts; after an end the answer is whole, and it just
 * returns. What came before a failure is yielded first. However it ends, the body's iterator is told to return at
 * once, also while a read is under way.
 */
export async function* readSteps(
  body: AsyncIterable<Uint8Array>,
  { signal, graceMs = 1000 }: ReadOptions = {},
): AsyncGenerator<StepEvent> {
  const events: StepEvent[] = [];
  const normaliser = new Normaliser();
  const frames = createFrameParser((frame) => {
    for (const event of normaliser.read(frame)) events.push(event);
  });
  const reader = new InterruptibleReader(body);
  const interrupt = () => reader.interrupt();
  let grace: ReturnType<typeof setTimeout> | undefined;
  let ended = false;
  let failure: unknown;

  signal?.addEventListener("abort", interrupt);
  try {
    signal?.throwIfAborted();
    let chunk: Uint8Array | undefined;
    do {
      chunk = undefined;
      try {
        chunk = await reader.next();
      } catch (error) {
        failure = error;
      }
      try {
        if (chunk) frames.feed(chunk);
        else frames.finish();
      } catch (error) {
        failure = error;
        chunk = undefined;
      }
      for (const event of events.splice(0)) {
        if (!ended) signal?.throwIfAborted();
        if (event.type === "end") {
          ended = true;
          grace = setTimeout(interrupt, graceMs);
        }
        yield event;
      }
    } while (chunk);
    if (ended) return;
    signal?.throwIfAborted();
    throw failure instanceof AppError ? failure : cutOff(failure);
  } finally {
    clearTimeout(grace);
    signal?.removeEventListener("abort", interrupt);
    reader.close();
  }
}

function cutOff(cause: unknown): AppError {
  const message = "The connection closed before the answer was whole.";
  return new AppError("cutOff", message, { cause });
}

/** Reads a body chunk by chunk until it closes or is interrupted. */
class InterruptibleReader {
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

  /** Does not wait: a body in the middle of a read may answer late or never. */
  close(): void {
    this.#chunks.return?.().catch(() => {
      // It has failed already, and that was told.
    });
  }
}
