// Reads the steps of an agent run from a streamed body.
import * as l10n from "@vscode/l10n";
import { AppError } from "../errors.ts";
import { InterruptibleReader } from "../http/interruptibleReader.ts";
import { createFrameParser } from "./frameParser.ts";
import { StepNormalizer } from "./stepNormalizer.ts";
import type { StepEvent } from "./stepEvents.ts";

const maxRunBytes = 256 * 1024 * 1024;

/** Maximum events of a run: small frames take much more memory as events. */
const maxRunEvents = 200_000;

export interface ReadOptions {
  signal?: AbortSignal;
  maxBytes?: number;
  /** How long to wait for more after the first end, in ms. */
  graceMs?: number;
  /** Called with each frame after its events were yielded. */
  onFrame?: ((frame: string) => void) | undefined;
}

/**
 * Yields what an agent does while the body comes in. Returns when the body closes after an end, or `graceMs` after
 * the first end (26.x sends two). Throws AppError "cutOff" when the body closes or fails without an end, "tooLarge"
 * for an event or a run over its limit, and the signal's reason when it aborts; after an end the answer is whole, and
 * it just returns. What came before a failure is yielded first. However it ends, the body's iterator is told to return
 * at once, also while a read is under way.
 */
export async function* readSteps(
  body: AsyncIterable<Uint8Array>,
  { signal, graceMs = 1000, maxBytes = maxRunBytes, onFrame }: ReadOptions = {},
): AsyncGenerator<StepEvent> {
  const parsed: { frame: string; events: StepEvent[] }[] = [];
  const normalizer = new StepNormalizer();
  let bytes = 0;
  let eventCount = 0;
  const frames = createFrameParser((frame) => {
    const events: StepEvent[] = [];
    parsed.push({ frame, events });
    for (const event of normalizer.read(frame)) {
      if (++eventCount > maxRunEvents) {
        throw tooMuch(`${maxRunEvents.toLocaleString("en-US")} steps`);
      }
      events.push(event);
    }
  });
  const reader = new InterruptibleReader(body);
  const interrupt = () => reader.interrupt();
  let grace: ReturnType<typeof setTimeout> | undefined;
  let hasEnded = false;
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
        bytes += chunk?.byteLength ?? 0;
        if (bytes > maxBytes) throw tooMuch(`${Math.round(maxBytes / 1024 / 1024)} MB`);
        if (chunk) frames.feed(chunk);
        else frames.finish();
      } catch (error) {
        failure = error;
        chunk = undefined;
      }
      for (const { frame, events } of parsed.splice(0)) {
        for (const event of events) {
          if (!hasEnded) signal?.throwIfAborted();
          if (event.type === "end") {
            hasEnded = true;
            grace = setTimeout(interrupt, graceMs);
          }
          yield event;
        }
        onFrame?.(frame);
      }
    } while (chunk);
    if (hasEnded) return;
    signal?.throwIfAborted();
    throw failure instanceof AppError ? failure : connectionClosed(failure);
  } finally {
    clearTimeout(grace);
    signal?.removeEventListener("abort", interrupt);
    reader.close();
  }
}

/** The error for a run over a limit. The server may continue the run. */
function tooMuch(limit: string): AppError {
  return new AppError(
    "tooLarge",
    l10n.t("The agent sent more than {0} for one question. The rest is left out.", limit),
  );
}

function connectionClosed(cause: unknown): AppError {
  const message = l10n.t("The connection closed before the answer was complete.");
  return new AppError("cutOff", message, { cause });
}
