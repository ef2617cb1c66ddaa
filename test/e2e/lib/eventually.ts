// Waits for a condition, and no longer than necessary.
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Retries `work` until it no longer throws, and returns its result; after `timeoutMs` throws the last error. Longer pauses
 * leave more time to what is measured meanwhile.
 */
export async function eventually<T>(
  work: () => T | Promise<T>,
  timeoutMs = 30_000,
  pauseMs = 50,
): Promise<Awaited<T>> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > end) throw error;
      await sleep(pauseMs);
    }
  }
}
