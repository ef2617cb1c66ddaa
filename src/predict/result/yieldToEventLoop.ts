// Long work in short turns, so that nothing else in the process waits for it.
import { setImmediate as pause } from "node:timers/promises";

/** Others go first after so many ms. */
const maxBlockingMs = 10;

export class EventLoopYielder {
  #since = performance.now();

  /** Lets others go first if it is their turn. */
  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.#since < maxBlockingMs) return;
    await pause();
    this.#since = performance.now();
  }
}
