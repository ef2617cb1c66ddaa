// The loaded rows of a grid, fetched in windows.

/** Rows per request. */
export const windowRows = 200;

export class GridRows<Row> {
  readonly #fetch: (from: number, count: number) => void;
  readonly #windows = new Map<number, readonly Row[]>();
  /** Requested windows. */
  readonly #asked = new Set<number>();
  /** Outdated windows, shown until newer ones arrive. */
  readonly #stale = new Set<number>();
  #total = 0;

  /** `fetch` requests rows, which come back through `set`. */
  constructor(fetch: (from: number, count: number) => void) {
    this.#fetch = fetch;
  }

  /** The number of rows, loaded or not. */
  get total(): number {
    return this.#total;
  }

  /** Sets the number of rows; keeps loaded rows. */
  setTotal(total: number): void {
    // The last window may have more rows now; shows the old ones until then.
    const last = findWindow(this.#total);
    this.#asked.delete(last);
    if (this.#windows.has(last)) this.#stale.add(last);
    this.#total = total;
  }

  /** Takes a requested window. */
  set(from: number, rows: readonly Row[]): void {
    const window = findWindow(from);
    this.#asked.delete(window);
    this.#stale.delete(window);
    this.#windows.set(window, rows);
  }

  /** Returns a row, or requests it and returns undefined. */
  at(index: number): Row | undefined {
    const window = findWindow(index);
    const row = this.#windows.get(window)?.[index - window * windowRows];
    if ((row === undefined || this.#stale.has(window)) && !this.#asked.has(window)) {
      this.#asked.add(window);
      this.#fetch(window * windowRows, windowRows);
    }
    return row;
  }

  /** Marks all rows as outdated; shows them until newer ones arrive. */
  renew(): void {
    this.#asked.clear();
    for (const window of this.#windows.keys()) this.#stale.add(window);
  }

  /** Removes all rows but keeps their number. */
  clear(): void {
    this.#windows.clear();
    this.#asked.clear();
    this.#stale.clear();
  }
}

function findWindow(index: number): number {
  return Math.floor(index / windowRows);
}
