// The frames of a window, which VS Code creates and removes with every tab.
import { setTimeout as sleep } from "node:timers/promises";

/** A live frame responds within this many ms, even on a busy machine. */
const patience = 5_000;

/** Returns what a frame evaluates to, or `otherwise`, as a frame that comes or goes throws or never responds. */
export async function answerOf<T>(asked: Promise<T>, otherwise: T): Promise<T> {
  const patient = new AbortController();
  try {
    const late = sleep(patience, otherwise, { signal: patient.signal });
    late.catch(() => undefined);
    return await Promise.race([asked.catch(() => otherwise), late]);
  } finally {
    patient.abort();
  }
}
