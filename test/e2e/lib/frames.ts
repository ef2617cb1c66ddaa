// The frames of a window, which VS Code makes and takes away with every tab.
import { setTimeout as sleep } from "node:timers/promises";

/** A frame that is there answers within so many ms, on a busy machine too. */
const patience = 5_000;

/** What a frame answers, or `otherwise`: one that comes or goes while it is asked throws, or never answers. */
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
