// Where a grid is scrolled to. A browser's elements end at some 33 million pixels: more rows than fit there are scrolled
// through on a shorter way, on which each pixel of the scrollbar stands for several of the rows.

/** No taller than this, in pixels; Firefox ends at 17.9 million, Chrome at 33.5. */
const maxHeight = 15_000_000;
/** So many rows beyond the edges are drawn, so that scrolling shows no gaps. */
const overscan = 6;
/** What browsers may round a position by. */
const rounding = 1.5;

export class GridScroll {
  readonly #rowHeight: number;
  #rows = 0;
  /** How much of the rows can be seen at a time, in pixels. */
  #view = 0;
  /** How far into the rows the view is, in their own pixels. */
  #offset = 0;

  constructor(rowHeight: number) {
    this.#rowHeight = rowHeight;
  }

  /** How tall the element with the rows is. */
  get height(): number {
    return Math.min(this.#fullHeight, maxHeight);
  }

  /** Whether the scrollbar's way is shorter than the rows'. */
  get isShortened(): boolean {
    return this.#fullHeight > maxHeight;
  }

  /** What the scroll position has to be. */
  get position(): number {
    const { way, fullWay } = this.#ways();
    return fullWay > 0 ? (this.#offset / fullWay) * way : 0;
  }

  /** There are so many rows, and so much room for them. The rows in view stay there. */
  resize(rows: number, view: number): void {
    this.#rows = rows;
    this.#view = Math.max(view, this.#rowHeight);
    this.#moveTo(this.#offset);
  }

  /** The browser has scrolled, unless that is where the grid itself went. */
  scrolledTo(position: number): void {
    if (this.isShortened && Math.abs(position - this.position) <= rounding) return;
    const { way, fullWay } = this.#ways();
    this.#moveTo(way > 0 ? (position / way) * fullWay : 0);
  }

  /** Whether there is anything left that way. */
  canMoveBy(pixels: number): boolean {
    return pixels < 0 ? this.#offset > 0 : pixels > 0 && this.#offset < this.#ways().fullWay - 1;
  }

  /** Goes on by so many pixels of the rows. */
  moveBy(pixels: number): void {
    this.#moveTo(this.#offset + pixels);
  }

  /** Goes as far as it takes to see all of a row. */
  show(row: number): void {
    const top = row * this.#rowHeight;
    const highest = top + this.#rowHeight - this.#view;
    this.#moveTo(Math.min(top, Math.max(highest, this.#offset)));
  }

  /** The rows to draw: from, to and not including. */
  get drawn(): { from: number; to: number } {
    const from = Math.floor(this.#offset / this.#rowHeight) - overscan;
    const to = Math.ceil((this.#offset + this.#view) / this.#rowHeight) + overscan;
    return { from: Math.max(0, from), to: Math.min(this.#rows, to) };
  }

  /** Where a row's upper edge is in the element with the rows, while that is scrolled to a position. */
  top(row: number, position: number): number {
    const top = row * this.#rowHeight;
    return this.isShortened ? top - this.#offset + position : top;
  }

  get #fullHeight(): number {
    return this.#rows * this.#rowHeight;
  }

  #ways(): { way: number; fullWay: number } {
    return {
      way: Math.max(0, this.height - this.#view),
      fullWay: Math.max(0, this.#fullHeight - this.#view),
    };
  }

  #moveTo(offset: number): void {
    this.#offset = Math.min(Math.max(0, offset), this.#ways().fullWay);
  }
}
