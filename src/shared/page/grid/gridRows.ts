// The rows that a grid has got: asked for a window at a time, and shown until newer ones have come.

/** Rows are asked for so many at a time. */
export const windowRows = 200;

export class GridRows<Row> {
  readonly #fetch: (from: number, count: number) => void;
  readonly #windows = new Map<number, readonly Row[]>();
  /** Windows that are on their way. */
  readonly #asked = new Set<number>();
  /** Windows that are shown until newer ones have come. */
  readonly #stale = new Set<number>();
  #total = 0;

  /** `fetch` asks for rows; they come back through `set`. */
  constructor(fetch: (from: number, count: number) => void) {
    this.#fetch = fetch;
  }

  /** How many rows there are, got or not. */
  get total(): number {
    return this.#total;
  }

  /** There is another number of rows. Those that are here stay. */
  setTotal(total: number): void {
    // The last window was not full and may be now; until it comes, what it had is shown.
    const last = windowOf(this.#total);
    this.#asked.delete(last);
    if (this.#windows.has(last)) this.#stale.add(last);
    this.#total = total;
  }

  /** Takes a window that was asked for. */
  set(from: number, rows: readonly Row[]): void {
    const window = windowOf(from);
    this.#asked.delete(window);
    this.#stale.delete(window);
    this.#windows.set(window, rows);
  }

  /** A row; undefined while it has not come. Asks for it where that has not been done. */
  at(index: number): Row | undefined {
    const window = windowOf(index);
    const row = this.#windows.get(window)?.[index - window * windowRows];
    if ((row === undefined || this.#stale.has(window)) && !this.#asked.has(window)) {
      this.#asked.add(window);
      this.#fetch(window * windowRows, windowRows);
    }
    return row;
  }

  /** All rows are to be asked for anew; those that are here are shown until then. */
  renew(): void {
    this.#asked.clear();
    for (const window of this.#windows.keys()) this.#stale.add(window);
  }

  /** Forgets all rows, not how many there are. */
  clear(): void {
    this.#windows.clear();
    this.#asked.clear();
    this.#stale.clear();
  }
}

function windowOf(index: number): number {
  return Math.floor(index / windowRows);
}
