// The column widths of a grid, in pixels, and which columns are visible.

const minWidth = 48;
/** Bounds of a column's initial width, which fits its title. */
const minFirstWidth = 80;
const maxFirstWidth = 280;
/** Columns this far beyond the edges are drawn, so that scrolling shows no gaps. */
const overscan = 200;
/** For row numbers: one digit, and the padding of both sides. */
const digitWidth = 8;
const numberPadding = 16;

export class GridWidths {
  /** Width of the row numbers; it only grows. */
  numbers: number;
  readonly #isNumbered: boolean;
  #columns: number[] = [];
  /** Columns that the user has resized. */
  readonly #resized = new Set<number>();
  /** The widths for the longest values so far. */
  readonly #wanted: number[] = [];

  constructor(isNumbered: boolean) {
    this.#isNumbered = isNumbered;
    this.numbers = isNumbered ? 3 * digitWidth + numberPadding : 0;
  }

  /** Sets the columns. Existing ones keep their width; new ones get `width`, or fit `length` characters. */
  setColumns(heads: readonly { length: number; width?: number }[]): void {
    this.#columns = heads.map(
      ({ length, width }, column) =>
        this.#columns[column] ??
        width ??
        Math.min(maxFirstWidth, Math.max(minFirstWidth, 8 * length + 32)),
    );
  }

  get total(): number {
    return this.numbers + this.of(0, this.#columns.length);
  }

  /** Returns the width of the columns up to `to`, exclusive; by default of one column. */
  of(from: number, to = from + 1): number {
    return this.#columns.slice(from, to).reduce((sum, one) => sum + one, 0);
  }

  resize(column: number, width: number): void {
    this.#columns[column] = Math.max(minWidth, width);
    this.#resized.add(column);
  }

  /** Sets the widths of all columns. */
  fit(widths: readonly number[]): void {
    this.#columns = [...widths];
  }

  /**
   * Widens columns to these widths, unless they are wider, and returns by how much those that begin before `start` have
   * grown. Others that end before `end` wait until later, and those that the user has resized stay.
   */
  widen(widths: readonly number[], start: number, end: number): number {
    let grown = 0;
    let left = this.numbers;
    for (const [column, width] of this.#columns.entries()) {
      const isBefore = left < start;
      left += width;
      const wanted = Math.max(this.#wanted[column] ?? 0, widths[column] ?? 0);
      this.#wanted[column] = wanted;
      const waits = !isBefore && left <= end;
      if (wanted <= width || waits || this.#resized.has(column)) continue;
      this.#columns[column] = wanted;
      if (isBefore) grown += wanted - width;
    }
    return grown;
  }

  makeRoomFor(number: number): void {
    if (!this.#isNumbered) return;
    this.numbers = Math.max(this.numbers, digitWidth * String(number).length + numberPadding);
  }

  /** Returns the visible and pinned columns, each with its left edge. */
  visible(scrollLeft: number, width: number, pinned: number): [column: number, left: number][] {
    const visible: [number, number][] = [];
    let left = this.numbers;
    for (const [column, own] of this.#columns.entries()) {
      const isSeen = left + own >= scrollLeft - overscan && left <= scrollLeft + width + overscan;
      if (isSeen || column < pinned) visible.push([column, left]);
      left += own;
    }
    return visible;
  }
}
