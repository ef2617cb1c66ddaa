// The vertical scroll position of a grid. Browsers limit an element's height, so very long grids use a shortened
// scrollbar, on which one pixel means several pixels of rows.

/** In pixels; Firefox's limit is 17.9 million, Chrome's 33.5. */
const maxHeight = 15_000_000;
/** Rows drawn beyond the edges, so that scrolling shows no gaps. */
const overscan = 6;
/** Browsers may round positions by this much, in pixels. */
const rounding = 1.5;

export class GridScroll {
  readonly #rowHeight: number;
  #rows = 0;
  /** Height of the visible rows, in pixels. */
  #view = 0;
  /** Position of the view in the rows, in their own pixels. */
  #offset = 0;

  constructor(rowHeight: number) {
    this.#rowHeight = rowHeight;
  }

  /** Height of the element with the rows. */
  get height(): number {
    return Math.min(this.#fullHeight, maxHeight);
  }

  /** True if the scrollbar is shorter than the rows. */
  get isShortened(): boolean {
    return this.#fullHeight > maxHeight;
  }

  /** The scroll position of the element. */
  get position(): number {
    const { way, fullWay } = this.#ways();
    return fullWay > 0 ? (this.#offset / fullWay) * way : 0;
  }

  /** Sets the number of rows and the visible height; the visible rows stay. */
  resize(rows: number, view: number): void {
    this.#rows = rows;
    this.#view = Math.max(view, this.#rowHeight);
    this.#moveTo(this.#offset);
  }

  /** Takes the browser's scroll position, unless the grid itself has set it. */
  scrolledTo(position: number): void {
    if (this.isShortened && Math.abs(position - this.position) <= rounding) return;
    const { way, fullWay } = this.#ways();
    this.#moveTo(way > 0 ? (position / way) * fullWay : 0);
  }

  /** True if the view can move in this direction. */
  canMoveBy(pixels: number): boolean {
    return pixels < 0 ? this.#offset > 0 : pixels > 0 && this.#offset < this.#ways().fullWay - 1;
  }

  /** Moves the view by so many pixels of rows. */
  moveBy(pixels: number): void {
    this.#moveTo(this.#offset + pixels);
  }

  show(row: number): void {
    const top = row * this.#rowHeight;
    const highest = top + this.#rowHeight - this.#view;
    this.#moveTo(Math.min(top, Math.max(highest, this.#offset)));
  }

  /** The rows to draw; `to` is exclusive. */
  get drawn(): { from: number; to: number } {
    const from = Math.floor(this.#offset / this.#rowHeight) - overscan;
    const to = Math.ceil((this.#offset + this.#view) / this.#rowHeight) + overscan;
    return { from: Math.max(0, from), to: Math.min(this.#rows, to) };
  }

  /** Returns a row's top in the element while that is scrolled to `position`. */
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
