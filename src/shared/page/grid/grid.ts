// A virtual grid: draws the visible cells, fetches missing rows, and handles mouse and keyboard.
import { element } from "../dom.ts";
import { GridCells, type GridCellOptions, type GridColumn, type SortOrder } from "./gridCells.ts";
import { positionAfterKey, type GridPosition } from "./gridKeys.ts";
import { GridRows } from "./gridRows.ts";
import { GridScroll } from "./gridScroll.ts";
import { SelectionModel, type GridSelection } from "./gridSelection.ts";
import { GridWidths } from "./gridWidths.ts";

interface GridOptions<Row> extends GridCellOptions<Row> {
  label: string;
  /** Keyboard help for screen readers. */
  help: string;
  /** Requests rows, which come back through `setRows`. */
  fetch: (from: number, count: number) => void;
  /** Makes the grid no wider than its columns. */
  isFitted?: boolean;
  /** Lets the layout of the page limit the height. By default, a grid scrolls beyond 420 px. */
  fills?: boolean;
  sort: (column: number) => void;
  copy: (selection: GridSelection) => void;
  moved?: (row: number, column: number) => void;
  /** Enter on a cell, or a double click. */
  open?: ((row: number, column: number) => void) | undefined;
}

const rowHeight = 24;
const maxHeight = 420;
/** Higher than any window; the layout of the page makes it lower. */
const maxFillingHeight = 10_000;
/** Between the two clicks of a double click. */
const doubleClickMs = 500;
/** The largest share of the width for pinned columns; in a narrower grid they scroll like the others. */
const maxPinnedShare = 0.6;

export class Grid<Row> {
  readonly element: HTMLElement;
  readonly #options: GridOptions<Row>;
  readonly #header = element("div", { class: "grid-header", role: "row" });
  readonly #body = element("div", { class: "grid-body", role: "rowgroup" });
  readonly #scroll = new GridScroll(rowHeight);
  readonly #resized = new ResizeObserver(() => this.#update());
  readonly #rows: GridRows<Row>;
  readonly #id = `grid-${Math.random().toString(36).slice(2)}`;
  readonly #widths: GridWidths;
  readonly #cells: GridCells<Row>;
  readonly #selection = new SelectionModel();
  /** The time of the last click on a cell, as events have it. */
  #pressedAt = -Infinity;
  /** Of the pointer while it is over the grid. */
  #pointerX = -Infinity;

  constructor(options: GridOptions<Row>) {
    this.#options = options;
    this.#rows = new GridRows(options.fetch);
    this.#widths = new GridWidths(options.numbers !== undefined);
    this.#cells = new GridCells(this.#id, options, this.#widths, this.#selection);
    const help = element("div", { class: "visually-hidden", text: options.help });
    help.id = `${this.#id}-help`;
    const headers = element("div", { class: "grid-head", role: "rowgroup" }, this.#header);
    const content = element("div", { role: "presentation" }, headers, this.#body);
    this.element = element("div", { class: "grid", role: "grid", label: options.label }, content);
    this.element.tabIndex = 0;
    this.element.setAttribute("aria-multiselectable", "true");
    this.element.setAttribute("aria-describedby", help.id);
    this.element.append(help);
    this.#header.setAttribute("aria-rowindex", "1");
    this.#resized.observe(this.element);
    this.#listen();
  }

  /** Sets the columns; columns that stay keep their width. */
  setColumns(columns: readonly GridColumn[]): void {
    this.#cells.columns = columns;
    this.#widths.setColumns(
      columns.map(({ title, hint = "", width }) => ({
        length: Math.max(title.length, hint.length),
        width,
      })),
    );
    this.element.setAttribute("aria-colcount", String(columns.length + this.#cells.firstIndex - 1));
    this.#update();
  }

  /** Sets each column's width, in pixels. */
  setWidths(widths: readonly number[]): void {
    this.#widths.fit(widths);
    this.#update();
  }

  /** Widens columns for rows that come later. Those before the column under the pointer wait until it has left the grid. */
  widen(widths: readonly number[]): void {
    const { scrollLeft } = this.element;
    const pointer = this.#pointerX - this.element.getBoundingClientRect().left;
    const start = scrollLeft + this.#widths.numbers;
    const grown = this.#widths.widen(widths, start, scrollLeft + pointer);
    this.#update();
    // What was scrolled to stays in its place.
    this.element.scrollLeft += grown;
  }

  /** Sets the sort order that the header shows. */
  setSorted(sorted: SortOrder): void {
    this.#cells.sorted = sorted;
    this.#draw();
  }

  /** Sets the number of rows; keeps loaded rows. */
  setTotal(total: number): void {
    if (total === this.#rows.total) return;
    this.#rows.setTotal(total);
    this.#widths.makeRoomFor(total);
    this.element.setAttribute("aria-rowcount", String(total + 1));
    this.#update();
  }

  /** Takes a window of rows that `fetch` requested. */
  setRows(from: number, rows: readonly Row[]): void {
    this.#rows.set(from, rows);
    const { numbers } = this.#options;
    if (numbers) for (const row of rows) this.#widths.makeRoomFor(numbers.of(row));
    this.#draw();
  }

  /** Requests all rows again; shows the old ones until then. */
  renew(): void {
    this.#rows.renew();
    this.#draw();
  }

  /** Removes all rows, for another order or view. */
  clear(): void {
    this.#rows.clear();
    this.#scroll.show(0);
    this.#follow();
    this.#draw();
  }

  /** Makes a cell active and scrolls to it. */
  goTo(row: number, column: number): void {
    this.#go({ row, column }, false);
  }

  /** Returns a row; undefined if it is not loaded, or for the header. */
  rowAt(index: number): Row | undefined {
    return index < 0 ? undefined : this.#rows.at(index);
  }

  /** The range for Copy: the selection, or everything before the user selects a cell. */
  get copied(): GridSelection {
    return this.#selection.copied(this.#size);
  }

  dispose(): void {
    this.#resized.disconnect();
  }

  get #size(): { rows: number; columns: number } {
    return { rows: this.#rows.total, columns: this.#cells.columns.length };
  }

  #update(): void {
    this.#setWidth();
    this.element.style.setProperty("--header-height", `${String(this.#headerHeight)}px`);
    const rows = this.#rows.total * rowHeight;
    const wanted = this.#headerHeight + rows + this.#borders + this.#scrollbarHeight;
    const limit = this.#options.fills ? maxFillingHeight : maxHeight;
    this.element.style.height = `${Math.min(limit, wanted)}px`;
    // So much stays of it in a low window, but a short one is no higher than its rows.
    if (this.#options.fills) this.element.style.minHeight = `min(${wanted}px, 160px, 60vh)`;
    const height = this.element.offsetHeight || Math.min(limit, wanted);
    // No scrollbar if all rows are visible.
    this.element.style.overflowY = wanted > height ? "auto" : "hidden";
    if (this.#options.isFitted) {
      const width = this.#widths.total + this.#borders + this.#scrollbarWidth;
      this.element.style.maxWidth = `${String(width)}px`;
    }
    const inner = this.element.clientHeight || height;
    this.#scroll.resize(this.#rows.total, inner - this.#headerHeight);
    this.#body.style.height = `${this.#scroll.height}px`;
    if (this.#scroll.isShortened) this.#follow();
    this.#draw();
  }

  #setWidth(): void {
    this.#body.style.width = this.#header.style.width = `${this.#widths.total}px`;
  }

  /** Height of the horizontal scrollbar; 0 if there is none or it is an overlay. */
  get #scrollbarHeight(): number {
    const { offsetHeight, clientHeight } = this.element;
    return Math.max(0, offsetHeight - clientHeight - this.#borders);
  }

  /** Width of two opposite borders. */
  get #borders(): number {
    return 2 * this.element.clientTop;
  }

  get #scrollbarWidth(): number {
    const { offsetWidth, clientWidth } = this.element;
    return Math.max(0, offsetWidth - clientWidth - this.#borders);
  }

  /** Two lines if a column has a hint, else one. */
  get #headerHeight(): number {
    return this.#cells.columns.some(({ hint }) => hint) ? 40 : rowHeight;
  }

  /** Moves the scrollbar to the position of the rows. */
  #follow(): void {
    this.element.scrollTop = this.#scroll.position;
  }

  #draw(): void {
    this.#setWidth();
    const { scrollLeft, scrollTop, clientWidth } = this.element;
    const width = clientWidth || 800;
    const cells = this.#cells;
    cells.pinned = this.#countPinned(width);
    const columns = this.#widths.visible(scrollLeft, width, cells.pinned);
    this.#header.replaceChildren(...cells.createHeader(columns));
    const { from, to } = this.#scroll.drawn;
    const rows = Array.from({ length: Math.max(0, to - from) }, (_, at) => {
      const index = from + at;
      const top = this.#scroll.top(index, scrollTop);
      return cells.createRow(index, this.#rows.at(index), columns, top);
    });
    this.#body.replaceChildren(...rows);
    const { row, column } = this.#selection.active;
    // Without rows, the header has the only cells.
    const activeRow = this.#rows.total === 0 ? -1 : row;
    this.element.setAttribute("aria-activedescendant", cells.idOf(activeRow, column));
  }

  /** Returns how many leading columns fit as pinned ones. */
  #countPinned(gridWidth: number): number {
    const firstLoose = this.#cells.columns.findIndex(({ isPinned }) => !isPinned);
    // At least one column must scroll.
    const count = Math.max(0, firstLoose);
    const width = this.#widths.numbers + this.#widths.of(0, count);
    return width <= maxPinnedShare * gridWidth ? count : 0;
  }

  #listen(): void {
    const grid = this.element;
    grid.addEventListener("keydown", (event) => this.#key(event));
    grid.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    grid.addEventListener("pointerdown", (event) => this.#press(event));
    grid.addEventListener("pointermove", ({ clientX }) => (this.#pointerX = clientX));
    grid.addEventListener("pointerleave", () => {
      this.#pointerX = -Infinity;
      this.widen([]);
    });
    grid.addEventListener("copy", (event) => {
      event.preventDefault();
      this.#options.copy(this.copied);
    });
    grid.addEventListener("wheel", (event) => this.#wheel(event));
  }

  #scrolled(): void {
    this.#scroll.scrolledTo(this.element.scrollTop);
    this.#draw();
  }

  /** Keeps the notebook around from scrolling while the grid can scroll. */
  #wheel(event: WheelEvent): void {
    const { scrollTop, scrollLeft, scrollWidth, clientWidth } = this.element;
    const { deltaX } = event;
    const deltaY = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? rowHeight : 1);
    const canRight = scrollLeft + clientWidth < scrollWidth - 1;
    this.#scroll.scrolledTo(scrollTop);
    const vertical = this.#scroll.canMoveBy(deltaY);
    const horizontal = deltaX > 0 ? canRight : deltaX < 0 && scrollLeft > 0;
    if (vertical || horizontal) event.stopPropagation();
    if (!vertical || !this.#scroll.isShortened || event.ctrlKey || event.shiftKey) return;
    // On a shortened scrollbar, the browser would move the rows too far.
    event.preventDefault();
    this.#scroll.moveBy(deltaY);
    this.element.scrollLeft += deltaX;
    this.#follow();
    this.#draw();
  }

  #key(event: KeyboardEvent): void {
    const { row, column } = this.#selection.active;
    const page = Math.max(
      1,
      Math.floor((this.element.clientHeight - this.#headerHeight) / rowHeight) - 1,
    );
    const isCommand = event.ctrlKey || event.metaKey;
    if (event.altKey && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      this.#resize(column, this.#widths.of(column) + (event.key === "ArrowRight" ? 16 : -16));
      this.#handled(event);
      return;
    }
    if (event.key === "Enter" && row === -1) {
      this.#options.sort(column);
      this.#handled(event);
      return;
    }
    if (event.key === "Enter" && this.#options.open) {
      this.#options.open(row, column);
      this.#handled(event);
      return;
    }
    if (isCommand && event.key.toLowerCase() === "c") {
      this.#options.copy(this.copied);
      this.#handled(event);
      return;
    }
    if (isCommand && event.key.toLowerCase() === "a") {
      this.#selection.selectAll(this.#size);
      this.#draw();
      this.#handled(event);
      return;
    }
    const to = positionAfterKey(event, this.#selection.active, { ...this.#size, page });
    if (!to) return;
    this.#go(to, event.shiftKey);
    this.#handled(event);
  }

  /** Keeps the key from the notebook, which uses the same keys for its cells. */
  #handled(event: KeyboardEvent): void {
    event.preventDefault();
    event.stopPropagation();
  }

  #go(to: GridPosition, extend: boolean): void {
    this.#selection.moveTo(to, extend, this.#size);
    const { row, column } = this.#selection.active;
    if (row >= 0) {
      this.#scroll.scrolledTo(this.element.scrollTop);
      this.#scroll.show(row);
      this.#follow();
    }
    this.#showColumn(column);
    this.#draw();
    this.#options.moved?.(row, column);
  }

  #showColumn(column: number): void {
    const { pinned } = this.#cells;
    if (column < pinned) return;
    const left = this.#widths.of(pinned, column);
    const right = left + this.#widths.of(column);
    const { scrollLeft, clientWidth } = this.element;
    const room = clientWidth - this.#widths.numbers - this.#widths.of(0, pinned);
    if (left < scrollLeft) this.element.scrollLeft = left;
    else if (right > scrollLeft + room) this.element.scrollLeft = right - room;
  }

  #press(event: PointerEvent): void {
    const target = event.target as HTMLElement;
    if (event.button !== 0) return;
    const number = target.closest<HTMLElement>(".grid-row .number");
    if (number) this.#selectRow(Number(number.dataset["row"]), event);
    const cell = target.closest<HTMLElement>(".cell");
    if (!cell) return;
    const at = { row: Number(cell.dataset["row"]), column: Number(cell.dataset["column"]) };
    this.element.focus({ preventScroll: true });
    if (target.classList.contains("resize")) this.#dragWidth(event, at.column);
    else if (at.row === -1) this.#options.sort(at.column);
    else {
      const { row, column } = this.#selection.active;
      const isAgain = row === at.row && column === at.column;
      this.#go(at, event.shiftKey);
      this.#dragSelection(event);
      // No double click comes from cells that are drawn again.
      if (isAgain && event.timeStamp - this.#pressedAt < doubleClickMs) {
        this.#options.open?.(at.row, at.column);
      }
      this.#pressedAt = event.timeStamp;
    }
    event.preventDefault();
  }

  #selectRow(row: number, event: PointerEvent): void {
    this.element.focus({ preventScroll: true });
    this.#selection.selectRow(row, event.shiftKey, this.#size);
    this.#draw();
    event.preventDefault();
  }

  #dragWidth(event: PointerEvent, column: number): void {
    const start = this.#widths.of(column) - event.clientX;
    this.#drag(event, ({ clientX }) => this.#resize(column, start + clientX));
  }

  #dragSelection(event: PointerEvent): void {
    this.#drag(event, ({ clientX, clientY }) => {
      const root = this.element.getRootNode() as Document | ShadowRoot;
      const over = root.elementFromPoint(clientX, clientY)?.closest<HTMLElement>(".cell");
      const row = Number(over?.dataset["row"] ?? NaN);
      if (row >= 0) this.#go({ row, column: Number(over?.dataset["column"]) }, true);
    });
  }

  #drag(event: PointerEvent, move: (event: PointerEvent) => void): void {
    const stop = (): void => {
      this.element.removeEventListener("pointermove", move);
      this.element.removeEventListener("lostpointercapture", stop);
    };
    this.element.setPointerCapture(event.pointerId);
    this.element.addEventListener("pointermove", move);
    this.element.addEventListener("lostpointercapture", stop);
  }

  #resize(column: number, width: number): void {
    this.#widths.resize(column, width);
    this.#update();
  }
}
