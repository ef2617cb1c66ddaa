// How wide the columns of a grid are, and which of them can be seen. All widths are in pixels.

const minWidth = 48;
/** A column begins as wide as its title, within these bounds. */
const minFirstWidth = 80;
const maxFirstWidth = 280;
/** Columns count as seen this far beyond the edges, so that scrolling shows no gaps. */
const overscan = 200;
/** A digit of a row's number, and what is left and right of all of them. */
const digitWidth = 8;
const numberPadding = 16;

export class GridWidths {
  /** Of the rows' numbers, which stand before the first column; it only grows. */
  numbers: number;
  readonly #isNumbered: boolean;
  #columns: number[] = [];

  constructor(isNumbered: boolean) {
    this.#isNumbered = isNumbered;
    this.numbers = isNumbered ? 3 * digitWidth + numberPadding : 0;
  }

  /** Columns that stay keep their width; new ones get the given one, or one that fits a head of so many characters. */
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

  /** Of some columns together, the last one not included; of one alone without `to`. */
  of(from: number, to = from + 1): number {
    return this.#columns.slice(from, to).reduce((sum, one) => sum + one, 0);
  }

  resize(column: number, width: number): void {
    this.#columns[column] = Math.max(minWidth, width);
  }

  makeRoomFor(number: number): void {
    if (!this.#isNumbered) return;
    this.numbers = Math.max(this.numbers, digitWidth * String(number).length + numberPadding);
  }

  /** The columns in sight, each with where it starts; the pinned ones always are. */
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
