// Waits for a condition, and no longer than necessary.
import { setTimeout as sleep } from "node:timers/promises";

/** Retries `work` until it no longer throws, and returns its result; after `timeoutMs` throws the last error. */
export async function eventually<T>(
  work: () => T | Promise<T>,
  timeoutMs = 30_000,
): Promise<Awaited<T>> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > end) throw error;
      await sleep(50);
    }
  }
}
