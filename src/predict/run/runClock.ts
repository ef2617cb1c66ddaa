/** Measures how long a run has worked; pauses do not count. */
export class RunClock {
  #startedAt = Date.now();
  #pausedAt: number | undefined;
  #pausedMs = 0;

  start(): void {
    this.#startedAt = Date.now();
  }

  /** Pauses or resumes the clock; does nothing if it already is in that state. */
  setPaused(isPaused: boolean): void {
    if (this.#pausedAt !== undefined) this.#pausedMs += Date.now() - this.#pausedAt;
    this.#pausedAt = isPaused ? Date.now() : undefined;
  }

  get seconds(): number {
    const end = this.#pausedAt ?? Date.now();
    return (end - this.#startedAt - this.#pausedMs) / 1_000;
  }
}
