// Waiting for what a user waits for: until it is so, and no longer.
import { setTimeout as sleep } from "node:timers/promises";

/** Tries again until `work` no longer throws, and gives what it gives; after `timeoutMs` throws what it threw last. */
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
