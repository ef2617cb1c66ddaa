import { setImmediate as pause } from "node:timers/promises";

/** Milliseconds of work before other tasks of the process may run. */
const maxBlockingMs = 10;

/** Splits long work, so that other tasks of the process do not have to wait. */
export class EventLoopYielder {
  #since = performance.now();

  /** Lets other tasks run if the work has taken too long. */
  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.#since < maxBlockingMs) return;
    await pause();
    this.#since = performance.now();
  }
}
