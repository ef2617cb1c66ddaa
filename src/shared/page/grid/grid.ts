// A grid of any number of rows: draws the cells that can be seen, asks for the rows it has not got, and is used by mouse and
// keyboard alike. It knows nothing of what the cells mean.
import { element } from "../dom.ts";
import { positionAfterKey, type GridPosition } from "./gridKeys.ts";
import { GridRows } from "./gridRows.ts";
import { GridScroll } from "./gridScroll.ts";
import { GridWidths } from "./gridWidths.ts";

export interface GridColumn {
  title: string;
  /** Said below the title, in small. */
  hint?: string;
  /** Classes of its cells and its header. */
  class?: string;
  /** How wide it begins, in pixels; without it, as its title needs. */
  width?: number;
  /** Stays in sight at the left when the grid scrolls sideways. Counts for the leading columns only. */
  isPinned?: boolean;
}

export interface GridSelection {
  /** Both from 0, the end not included. */
  rows: { from: number; to: number };
  columns: { from: number; to: number };
}

export interface GridOptions<Row> {
  label: string;
  /** How the grid is used by keyboard; read by screen readers. */
  help: string;
  /** Asks for rows; they come back through `setRows`. */
  fetch: (from: number, count: number) => void;
  /** Fills an empty cell. */
  draw: (cell: HTMLElement, row: Row, column: number) => void;
  /** How many columns a cell covers: 1 but for those that say something of their whole row. */
  spanOf?: (row: Row, column: number) => number;
  /** A row's number stays in sight at its start; `label` is what the numbers are called. */
  numbers?: { label: string; of: (row: Row) => number };
  /** True for a grid that is no wider than its columns. */
  isFitted?: boolean;
  /** A header was clicked. */
  sort: (column: number) => void;
  copy: (selection: GridSelection) => void;
  /** Another cell is the active one. */
  moved?: (row: number, column: number) => void;
}

const rowHeight = 24;
const maxHeight = 420;
/** The most of the grid's width that pinned columns may take; in a narrower grid they scroll like the others. */
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
  #columns: readonly GridColumn[] = [];
  readonly #widths: GridWidths;
  #sorted: { column: number; descending: boolean } | undefined;
  /** How many leading columns are pinned at the present width. */
  #pinned = 0;
  #active: GridPosition = { row: 0, column: 0 };
  #anchor: GridPosition = { row: 0, column: 0 };
  /** Whether the user has selected a cell; before that the first cell is active. */
  #isSelected = false;

  constructor(options: GridOptions<Row>) {
    this.#options = options;
    this.#rows = new GridRows(options.fetch);
    this.#widths = new GridWidths(options.numbers !== undefined);
    const help = element("div", { class: "unseen", text: options.help });
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

  /** Takes effect for rows that come from now on; widths of columns that stay are kept. */
  setColumns(columns: readonly GridColumn[]): void {
    this.#columns = columns;
    this.#widths.setColumns(
      columns.map(({ title, hint = "", width }) => ({
        length: Math.max(title.length, hint.length),
        ...(width === undefined ? {} : { width }),
      })),
    );
    this.element.setAttribute("aria-colcount", String(columns.length + this.#firstIndex - 1));
    this.#update();
  }

  /** Gives each column another width, in pixels. */
  setWidths(widths: readonly number[]): void {
    for (const [column, width] of widths.entries()) this.#widths.resize(column, width);
    this.#update();
  }

  /** The order that the header shows. */
  setSorted(sorted: { column: number; descending: boolean } | undefined): void {
    this.#sorted = sorted;
    this.#draw();
  }

  /** How many rows there are. Those that are here stay. */
  setTotal(total: number): void {
    if (total === this.#rows.total) return;
    this.#rows.setTotal(total);
    this.#widths.makeRoomFor(total);
    this.element.setAttribute("aria-rowcount", String(total + 1));
    this.#update();
  }

  /** A window of rows that `fetch` was asked for. */
  setRows(from: number, rows: readonly Row[]): void {
    this.#rows.set(from, rows);
    const { numbers } = this.#options;
    if (numbers) for (const row of rows) this.#widths.makeRoomFor(numbers.of(row));
    this.#draw();
  }

  /** Asks for all rows anew, and shows those that are here until they come: the same view has others by now. */
  renew(): void {
    this.#rows.renew();
    this.#draw();
  }

  /** Forgets all rows: the order or what is shown is another one. */
  clear(): void {
    this.#rows.clear();
    this.#scroll.show(0);
    this.#follow();
    this.#draw();
  }

  /** Makes a cell the active one and brings it into view. */
  goTo(row: number, column: number): void {
    this.#go({ row, column }, false);
  }

  /** A row that is here; undefined while it has not come, or for the header. */
  rowAt(index: number): Row | undefined {
    return index < 0 ? undefined : this.#rows.at(index);
  }

  /** What Copy copies: the selection, or everything before the user selects a cell. */
  get copied(): GridSelection {
    if (this.#isSelected) return this.selection;
    return {
      rows: { from: 0, to: this.#rows.total },
      columns: { from: 0, to: this.#columns.length },
    };
  }

  get selection(): GridSelection {
    const span = (a: number, b: number) => ({
      from: Math.max(0, Math.min(a, b)),
      to: Math.max(a, b) + 1,
    });
    return {
      rows: span(this.#anchor.row, this.#active.row),
      columns: span(this.#anchor.column, this.#active.column),
    };
  }

  dispose(): void {
    this.#resized.disconnect();
  }

  #update(): void {
    this.#setWidth();
    this.element.style.setProperty("--header-height", `${String(this.#headerHeight)}px`);
    const rows = this.#rows.total * rowHeight;
    const wanted = this.#headerHeight + rows + this.#borders + this.#scrollbarHeight;
    this.element.style.height = `${Math.min(maxHeight, wanted)}px`;
    // Where all rows are in sight no scrollbar takes room beside them.
    this.element.style.overflowY = wanted > maxHeight ? "auto" : "hidden";
    if (this.#options.isFitted) {
      const width = this.#widths.total + this.#borders + this.#scrollbarWidth;
      this.element.style.maxWidth = `${String(width)}px`;
    }
    const height = this.element.clientHeight || Math.min(maxHeight, wanted);
    this.#scroll.resize(this.#rows.total, height - this.#headerHeight);
    this.#body.style.height = `${this.#scroll.height}px`;
    if (this.#scroll.isShortened) this.#follow();
    this.#draw();
  }

  #setWidth(): void {
    this.#body.style.width = this.#header.style.width = `${this.#widths.total}px`;
  }

  /** Of the scrollbar below the rows: 0 where there is none, or where it lies over them. */
  get #scrollbarHeight(): number {
    const { offsetHeight, clientHeight } = this.element;
    return Math.max(0, offsetHeight - clientHeight - this.#borders);
  }

  /** Those on two opposite sides together. */
  get #borders(): number {
    return 2 * this.element.clientTop;
  }

  /** Of the scrollbar beside the rows. */
  get #scrollbarWidth(): number {
    const { offsetWidth, clientWidth } = this.element;
    return Math.max(0, offsetWidth - clientWidth - this.#borders);
  }

  /** Two lines where a column has a hint, else one. */
  get #headerHeight(): number {
    return this.#columns.some(({ hint }) => hint) ? 40 : rowHeight;
  }

  /** Puts the scrollbar where the rows are. */
  #follow(): void {
    this.element.scrollTop = this.#scroll.position;
  }

  #draw(): void {
    this.#setWidth();
    const { scrollLeft, scrollTop, clientWidth } = this.element;
    const width = clientWidth || 800;
    this.#pinned = this.#countPinned(width);
    const columns = this.#widths.visible(scrollLeft, width, this.#pinned);
    this.#header.replaceChildren(
      ...this.#numberCell("columnheader", ({ label }) => label),
      ...columns.map(([column, left]) => this.#headerCell(column, left)),
    );
    const { from, to } = this.#scroll.drawn;
    const rows = Array.from({ length: Math.max(0, to - from) }, (_, at) =>
      this.#row(from + at, columns, this.#scroll.top(from + at, scrollTop)),
    );
    this.#body.replaceChildren(...rows);
    const { row, column } = this.#active;
    this.element.setAttribute("aria-activedescendant", this.#cellId(row, column));
  }

  /** The first column's number to screen readers; the rows' numbers are a column to them. */
  get #firstIndex(): number {
    return this.#options.numbers ? 2 : 1;
  }

  /** How many leading columns can be pinned in a grid of this width. */
  #countPinned(gridWidth: number): number {
    const firstLoose = this.#columns.findIndex(({ isPinned }) => !isPinned);
    // With every column pinned, nothing would be left to scroll.
    const count = Math.max(0, firstLoose);
    const width = this.#widths.numbers + this.#widths.of(0, count);
    return width <= maxPinnedShare * gridWidth ? count : 0;
  }

  /** Keeps a cell in sight if all of its columns, up to `end`, are pinned. */
  #pin(cell: HTMLElement, end: number): void {
    cell.classList.toggle("pinned", end <= this.#pinned);
    cell.classList.toggle("last-pinned", end === this.#pinned);
  }

  #cell(role: string, row: number, column: number, left: number): HTMLElement {
    const cell = element("div", { class: `cell ${this.#columns[column]?.class ?? ""}`, role });
    cell.id = this.#cellId(row, column);
    cell.setAttribute("aria-colindex", String(column + this.#firstIndex));
    cell.dataset["row"] = String(row);
    cell.dataset["column"] = String(column);
    cell.style.left = `${left}px`;
    cell.style.width = `${this.#widths.of(column)}px`;
    const isActive = this.#active.row === row && this.#active.column === column;
    cell.classList.toggle("active", isActive);
    return cell;
  }

  /** The cell before a row's first, if rows are numbered. */
  #numberCell(
    role: string,
    textOf: (numbers: NonNullable<GridOptions<Row>["numbers"]>) => string,
  ): HTMLElement[] {
    const { numbers } = this.#options;
    if (!numbers) return [];
    const cell = element("div", { class: "number", role, text: textOf(numbers) });
    cell.setAttribute("aria-colindex", "1");
    cell.style.width = `${this.#widths.numbers}px`;
    return [cell];
  }

  #headerCell(column: number, left: number): HTMLElement {
    const { title, hint } = this.#columns[column] ?? { title: "" };
    const cell = this.#cell("columnheader", -1, column, left);
    this.#pin(cell, column + 1);
    cell.title = title;
    const isSorted = this.#sorted?.column === column;
    const direction = this.#sorted?.descending ? "descending" : "ascending";
    cell.setAttribute("aria-sort", isSorted ? direction : "none");
    cell.classList.toggle("sorted", isSorted);
    cell.append(element("span", { class: "title", text: title }));
    if (hint) cell.append(element("span", { class: "hint", text: hint }));
    if (isSorted) {
      const arrow = element("span", { class: "arrow", text: this.#sorted?.descending ? "↓" : "↑" });
      arrow.setAttribute("aria-hidden", "true");
      cell.append(arrow);
    }
    cell.append(element("span", { class: "resize" }));
    return cell;
  }

  #row(index: number, columns: readonly [number, number][], top: number): HTMLElement {
    const row = element("div", { class: "grid-row", role: "row" });
    row.setAttribute("aria-rowindex", String(index + 2));
    row.style.top = `${top}px`;
    const data = this.#rows.at(index);
    for (const cell of this.#numberCell("rowheader", ({ of }) => (data ? String(of(data)) : ""))) {
      cell.dataset["row"] = String(index);
      row.append(cell);
    }
    const { rows, columns: selected } = this.selection;
    const isSelectedRow = this.#active.row >= 0 && index >= rows.from && index < rows.to;
    let covered = -1;
    for (const [column, left] of columns) {
      if (column <= covered) continue;
      const cell = this.#cell("gridcell", index, column, left);
      const isSelected = isSelectedRow && column >= selected.from && column < selected.to;
      cell.classList.toggle("selected", isSelected);
      cell.setAttribute("aria-selected", String(isSelected));
      if (data === undefined) cell.classList.add("coming");
      else this.#options.draw(cell, data, column);
      const span = data === undefined ? 1 : (this.#options.spanOf?.(data, column) ?? 1);
      if (span > 1) {
        covered = column + span - 1;
        cell.style.width = `${this.#widths.of(column, column + span)}px`;
        cell.setAttribute("aria-colspan", String(span));
      }
      // A cell that reaches beyond the pinned columns scrolls with the others.
      this.#pin(cell, column + span);
      row.append(cell);
    }
    return row;
  }

  #cellId(row: number, column: number): string {
    return `${this.#id}-${row}-${column}`;
  }

  #listen(): void {
    const grid = this.element;
    grid.addEventListener("keydown", (event) => this.#key(event));
    grid.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    grid.addEventListener("pointerdown", (event) => this.#press(event));
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

  /** In a notebook the page around would scroll as well, as long as this one still can. */
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
    // The browser would move the scrollbar as far as the rows are meant to move, and the rows much farther.
    event.preventDefault();
    this.#scroll.moveBy(deltaY);
    this.element.scrollLeft += deltaX;
    this.#follow();
    this.#draw();
  }

  #key(event: KeyboardEvent): void {
    const { row, column } = this.#active;
    const page = Math.max(
      1,
      Math.floor((this.element.clientHeight - this.#headerHeight) / rowHeight) - 1,
    );
    const isCommand = event.ctrlKey || event.metaKey;
    const last = this.#columns.length - 1;
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
    if (isCommand && event.key.toLowerCase() === "c") {
      this.#options.copy(this.copied);
      this.#handled(event);
      return;
    }
    if (isCommand && event.key.toLowerCase() === "a") {
      this.#isSelected = true;
      this.#anchor = { row: 0, column: 0 };
      this.#active = { row: this.#rows.total - 1, column: last };
      this.#draw();
      this.#handled(event);
      return;
    }
    const to = positionAfterKey(event, this.#active, {
      rows: this.#rows.total,
      columns: last + 1,
      page,
    });
    if (!to) return;
    this.#go(to, event.shiftKey);
    this.#handled(event);
  }

  /** A notebook has the same keys for its cells. */
  #handled(event: KeyboardEvent): void {
    event.preventDefault();
    event.stopPropagation();
  }

  #go({ row, column }: GridPosition, extend: boolean): void {
    this.#isSelected = true;
    this.#active = {
      row: Math.min(Math.max(row, extend ? 0 : -1), this.#rows.total - 1),
      column: Math.min(Math.max(column, 0), this.#columns.length - 1),
    };
    if (!extend) this.#anchor = this.#active;
    if (this.#active.row >= 0) {
      this.#scroll.scrolledTo(this.element.scrollTop);
      this.#scroll.show(this.#active.row);
      this.#follow();
    }
    this.#showColumn(this.#active.column);
    this.#draw();
    this.#options.moved?.(this.#active.row, this.#active.column);
  }

  #showColumn(column: number): void {
    const pinned = this.#pinned;
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
      this.#go(at, event.shiftKey);
      this.#dragSelection(event);
    }
    event.preventDefault();
  }

  #selectRow(row: number, event: PointerEvent): void {
    this.element.focus({ preventScroll: true });
    this.#isSelected = true;
    if (!event.shiftKey) this.#anchor = { row, column: 0 };
    this.#active = { row, column: this.#columns.length - 1 };
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
