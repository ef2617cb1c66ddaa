// A table of texts in a grid that sorts and copies, with the text of the active cell below if it does not fit.
import { sortedRowIndexes, type TextTable } from "../../textTable.ts";
import { tsvLine } from "../../spreadsheetText.ts";
import { element, icon } from "../dom.ts";
import { Grid } from "./grid.ts";
import type { GridSelection } from "./gridSelection.ts";

export interface TextTableGridOptions {
  table: TextTable;
  label: string;
  help: string;
  /** Texts below the column titles. */
  hints?: (string | undefined)[];
  /** Whether a cell is marked as missing a value. */
  isNull: (row: number, column: number) => boolean;
  /** Shown in such a cell instead of its text. */
  nullText?: string;
  /** An icon before the cell's text. */
  markOf?: (row: number, column: number) => string | undefined;
  /** Longer texts do not fit a cell, in characters. */
  maxCellLength: number;
  /** In pixels. */
  maxWidth: number;
  /** The column that is active first. */
  firstColumn?: number;
  /** Lets the grid take the room that the page has; by default, it is no wider than its columns. */
  fills?: boolean;
  /** The class of the text below the grid. */
  cellClass: string;
  /** The accessible name of that text; `row` is its place in the shown order, from 1. */
  formatCell: (title: string, row: number) => string;
  copyText: (text: string) => void;
  /** Enter on a cell, or a double click; `row` is its index in the original order. */
  open?: ((row: number, column: number) => void) | undefined;
}

/** The most characters drawn in a cell. */
const maxDrawnLength = 500;
/** In pixels. */
const minWidth = 64;
/** The rows that the widths of columns are chosen by. */
const measuredRows = 50;

export class TextTableGrid {
  /** The grid and the text of its active cell. */
  readonly elements: HTMLElement[];
  readonly #options: TextTableGridOptions;
  #table: TextTable;
  #active = { place: 0, column: 0 };
  /** Its rows are indexes of the table's rows. */
  readonly #grid: Grid<number>;
  readonly #cell: HTMLElement;
  /** Indexes of the table's rows, in the shown order. */
  #order: number[];
  #sorted: { column: number; descending: boolean } | undefined;

  constructor(options: TextTableGridOptions) {
    const { table, label, help, hints, cellClass, firstColumn = 0, fills = false } = options;
    this.#options = options;
    this.#table = table;
    this.#order = [...table.rows.keys()];
    this.#grid = new Grid<number>({
      label,
      help,
      isFitted: !fills,
      fills,
      // Later, because the grid is drawing.
      fetch: (from, count) =>
        queueMicrotask(() => this.#grid.setRows(from, this.#order.slice(from, from + count))),
      draw: (cell, row, column) => this.#drawCell(cell, row, column),
      sort: (column) => this.#sort(column),
      copy: (selection) => this.#copy(selection),
      moved: (place, column) => this.#showCell(place, column),
      open: options.open && ((place, column) => options.open?.(this.#order[place] ?? -1, column)),
    });
    this.#cell = element("div", { class: cellClass, role: "group" });
    this.#cell.tabIndex = 0;
    this.elements = [this.#grid.element, this.#cell];
    this.#grid.setColumns(
      table.columns.map((title, column) => {
        const hint = hints?.[column];
        return {
          title,
          hint,
          class: table.numeric[column] ? "numbers" : "texts",
          width: this.#chooseWidth(title, column),
        };
      }),
    );
    this.#grid.setTotal(table.rows.length);
    this.#showCell(0, firstColumn);
  }

  /** The active cell: the index of its row in the original order, and of its column. */
  get active(): { row: number; column: number } {
    const { place, column } = this.#active;
    return { row: this.#order[place] ?? -1, column };
  }

  /** Shows other rows in the same columns; selection and scroll position stay. */
  setTable(table: TextTable): void {
    this.#table = table;
    this.#sortRows();
    this.#grid.setTotal(table.rows.length);
    this.#grid.renew();
    this.#showCell(this.#active.place, this.#active.column);
  }

  /** Moves to a row, by its index in the original order, and takes the focus. */
  goTo(row: number, column: number): void {
    this.#grid.goTo(this.#order.indexOf(row), column);
    this.#grid.element.focus();
  }

  #chooseWidth(title: string, column: number): number {
    const table = this.#table;
    const { maxWidth } = this.#options;
    const lengths = table.rows.slice(0, measuredRows).map((row) => row[column]?.length ?? 0);
    const longest = Math.max(title.length, ...lengths);
    // A sorted title has an arrow beside it.
    return Math.min(maxWidth, Math.max(minWidth, 8 * longest + 24, 9 * title.length + 30));
  }

  #drawCell(cell: HTMLElement, row: number, column: number): void {
    const { isNull, nullText, markOf, maxCellLength } = this.#options;
    const text = this.#table.rows[row]?.[column] ?? "";
    const isMarked = isNull(row, column);
    if (isMarked) cell.classList.add("null");
    if (isMarked && nullText !== undefined) {
      cell.textContent = nullText;
      return;
    }
    cell.textContent = text.slice(0, maxDrawnLength).replace(/(?<!\s)\s*[\r\n]\s*/g, " ⏎ ");
    const mark = markOf?.(row, column);
    if (mark !== undefined) cell.prepend(icon(mark));
    if (text.length > maxCellLength) cell.title = text.slice(0, maxDrawnLength);
  }

  /** Cycles through ascending, descending and the original order. */
  #sort(column: number): void {
    const isThis = this.#sorted?.column === column;
    const next = { column, descending: isThis };
    this.#sorted = isThis && this.#sorted?.descending ? undefined : next;
    this.#sortRows();
    this.#grid.clear();
    this.#grid.setSorted(this.#sorted);
  }

  #sortRows(): void {
    const { column, descending } = this.#sorted ?? {};
    this.#order =
      column === undefined
        ? [...this.#table.rows.keys()]
        : sortedRowIndexes(this.#table, column, descending ?? false);
  }

  #copy({ rows, columns }: GridSelection): void {
    const table = this.#table;
    const { copyText } = this.#options;
    const lines = this.#order
      .slice(rows.from, rows.to)
      .map((row) => tsvLine((table.rows[row] ?? []).slice(columns.from, columns.to)));
    const titles = table.columns.slice(columns.from, columns.to);
    // A single value is copied without its column's title.
    if (lines.length > 1 || titles.length > 1) lines.unshift(tsvLine(titles));
    copyText(lines.join("\n"));
  }

  /** Shows the whole text of a cell that does not fit. */
  #showCell(place: number, column: number): void {
    const table = this.#table;
    const { maxCellLength, formatCell } = this.#options;
    this.#active = { place, column };
    const text = table.rows[this.#order[place] ?? -1]?.[column] ?? "";
    this.#cell.hidden = text.length <= maxCellLength && !text.includes("\n");
    this.#cell.textContent = text;
    this.#cell.setAttribute("aria-label", formatCell(table.columns[column] ?? "", place + 1));
  }
}
