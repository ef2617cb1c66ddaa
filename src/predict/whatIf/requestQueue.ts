type Task = () => Promise<void>;

/**
 * Runs one task at a time, and of those of a kind that wait only the last: MindsDB starts a second worker process for a
 * request that comes while another is answered, and all requests wait for it (seen on 26.1.0).
 */
export class RequestQueue {
  readonly #waiting = new Map<string, Task>();
  #isBusy = false;

  /** `task` must not reject. It never starts if another of its kind is added before. */
  add(kind: string, task: Task): void {
    this.#waiting.set(kind, task);
    if (!this.#isBusy) void this.#run();
  }

  /** Forgets the tasks that wait. */
  clear(): void {
    this.#waiting.clear();
  }

  async #run(): Promise<void> {
    this.#isBusy = true;
    for (let task = this.#take(); task; task = this.#take()) await task();
    this.#isBusy = false;
  }

  #take(): Task | undefined {
    const [kind] = this.#waiting.keys();
    if (kind === undefined) return undefined;
    const task = this.#waiting.get(kind);
    this.#waiting.delete(kind);
    return task;
  }
}
