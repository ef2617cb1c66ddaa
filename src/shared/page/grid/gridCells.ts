import { element } from "../dom.ts";
import type { GridSelection, SelectionModel } from "./gridSelection.ts";
import type { GridWidths } from "./gridWidths.ts";

export interface GridColumn {
  title: string;
  /** Shown below the title in small type. */
  hint?: string;
  /** Classes of the column's cells and header. */
  class?: string;
  /** The first width, in pixels; without it the column is as wide as its title needs. */
  width?: number;
  /** Stays visible at the left when the grid scrolls sideways. Applies to leading columns only. */
  isPinned?: boolean;
}

export interface GridCellOptions<Row> {
  draw: (cell: HTMLElement, row: Row, column: number) => void;
  /** How many columns a cell covers: 1, except for cells about the whole row. */
  spanOf?: (row: Row, column: number) => number;
  /** Row numbers, which stay visible at the start of each row; `label` is the title of their column. */
  numbers?: { label: string; of: (row: Row) => number };
}

export type SortOrder = { column: number; descending: boolean } | undefined;

export class GridCells<Row> {
  columns: readonly GridColumn[] = [];
  sorted: SortOrder;
  /** How many leading columns are pinned. */
  pinned = 0;
  readonly #id: string;
  readonly #options: GridCellOptions<Row>;
  readonly #widths: GridWidths;
  readonly #selection: SelectionModel;

  /** `id` is the prefix of the cells' ids. */
  constructor(
    id: string,
    options: GridCellOptions<Row>,
    widths: GridWidths,
    selection: SelectionModel,
  ) {
    this.#id = id;
    this.#options = options;
    this.#widths = widths;
    this.#selection = selection;
  }

  /** The `aria-colindex` of the first column; row numbers count as a column. */
  get firstIndex(): number {
    return this.#options.numbers ? 2 : 1;
  }

  idOf(row: number, column: number): string {
    return `${this.#id}-${row}-${column}`;
  }

  /** Creates the header's cells. `columns` has each visible column with its left edge. */
  createHeader(columns: readonly [column: number, left: number][]): HTMLElement[] {
    return [
      ...this.#createNumber("columnheader", ({ label }) => label),
      ...columns.map(([column, left]) => this.#createHeaderCell(column, left)),
    ];
  }

  /** Creates a row's element; a row without `data` is still being fetched. */
  createRow(
    index: number,
    data: Row | undefined,
    columns: readonly [column: number, left: number][],
    top: number,
  ): HTMLElement {
    const row = element("div", { class: "grid-row", role: "row" });
    row.setAttribute("aria-rowindex", String(index + 2));
    row.style.top = `${top}px`;
    for (const cell of this.#createNumber("rowheader", ({ of }) =>
      data ? String(of(data)) : "…",
    )) {
      cell.dataset["row"] = String(index);
      row.append(cell);
    }
    const { range, active } = this.#selection;
    const isSelectedRow = active.row >= 0 && isWithin(range.rows, index);
    let covered = -1;
    for (const [column, left] of columns) {
      if (column <= covered) continue;
      const cell = this.#createCell("gridcell", index, column, left);
      const isSelected = isSelectedRow && isWithin(range.columns, column);
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
      // A cell that extends beyond the pinned columns scrolls with the others.
      this.#pin(cell, column + span);
      row.append(cell);
    }
    return row;
  }

  /** Pins a cell if all of its columns, up to `end`, are pinned. */
  #pin(cell: HTMLElement, end: number): void {
    cell.classList.toggle("pinned", end <= this.pinned);
    cell.classList.toggle("last-pinned", end === this.pinned);
  }

  #createCell(role: string, row: number, column: number, left: number): HTMLElement {
    const cell = element("div", { class: `cell ${this.columns[column]?.class ?? ""}`, role });
    cell.id = this.idOf(row, column);
    cell.setAttribute("aria-colindex", String(column + this.firstIndex));
    cell.dataset["row"] = String(row);
    cell.dataset["column"] = String(column);
    cell.style.left = `${left}px`;
    cell.style.width = `${this.#widths.of(column)}px`;
    const { active } = this.#selection;
    cell.classList.toggle("active", active.row === row && active.column === column);
    return cell;
  }

  /** The cell before a row's first, if rows are numbered. */
  #createNumber(
    role: string,
    getText: (numbers: NonNullable<GridCellOptions<Row>["numbers"]>) => string,
  ): HTMLElement[] {
    const { numbers } = this.#options;
    if (!numbers) return [];
    const cell = element("div", { class: "number", role, text: getText(numbers) });
    cell.setAttribute("aria-colindex", "1");
    cell.style.width = `${this.#widths.numbers}px`;
    return [cell];
  }

  #createHeaderCell(column: number, left: number): HTMLElement {
    const { title, hint } = this.columns[column] ?? { title: "" };
    const cell = this.#createCell("columnheader", -1, column, left);
    this.#pin(cell, column + 1);
    cell.title = title;
    const isSorted = this.sorted?.column === column;
    const direction = this.sorted?.descending ? "descending" : "ascending";
    cell.setAttribute("aria-sort", isSorted ? direction : "none");
    cell.classList.toggle("sorted", isSorted);
    cell.append(element("span", { class: "title", text: title }));
    if (hint) cell.append(element("span", { class: "hint", text: hint }));
    if (isSorted) {
      const arrow = element("span", { class: "arrow", text: this.sorted?.descending ? "↓" : "↑" });
      arrow.setAttribute("aria-hidden", "true");
      cell.append(arrow);
    }
    cell.append(element("span", { class: "resize" }));
    return cell;
  }
}

function isWithin({ from, to }: GridSelection["rows"], index: number): boolean {
  return index >= from && index < to;
}
