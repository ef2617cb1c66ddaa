// The first rows of a table in a grid, with the text of the active cell below if it does not fit.
import { sortedRowIndexes, type TextTable } from "../../chat/tables/textTable.ts";
import { formatMessage } from "../../shared/formatMessage.ts";
import { element } from "../../shared/page/dom.ts";
import { Grid } from "../../shared/page/grid/grid.ts";
import type { GridSelection } from "../../shared/page/grid/gridSelection.ts";
import { tsvLine } from "../../shared/tableText.ts";
import type { TableTexts } from "../messages.ts";
import type { PreviewRows } from "../previewRows.ts";

type Row = (string | null)[];

/** Longer texts do not fit a cell, in characters. */
const maxCellLength = 40;
/** The most characters drawn in a cell. */
const maxDrawnLength = 500;
const minWidth = 64;
const maxWidth = 320;

export class PreviewGrid {
  readonly element: HTMLElement;
  readonly #preview: PreviewRows;
  readonly #texts: TableTexts;
  readonly #locale: string;
  readonly #copyText: (text: string) => void;
  readonly #sortable: TextTable;
  readonly #grid: Grid<Row>;
  readonly #cell = element("div", { class: "cell-text", role: "group" });
  /** Indexes of the rows, in the shown order. */
  #order: number[];
  #sorted: { column: number; descending: boolean } | undefined;

  constructor(
    preview: PreviewRows,
    texts: TableTexts,
    locale: string,
    copyText: (text: string) => void,
  ) {
    const { columns, rows } = preview;
    this.#preview = preview;
    this.#texts = texts;
    this.#locale = locale;
    this.#copyText = copyText;
    this.#sortable = {
      columns: columns.map(({ name }) => name),
      rows: rows.map((row) => row.map((value) => value ?? "")),
      numeric: columns.map(({ isNumeric }) => isNumeric),
    };
    this.#order = rows.map((_, at) => at);
    this.#grid = new Grid<Row>({
      label: texts.grid,
      help: texts.gridHelp,
      isFitted: true,
      // Later, because the grid is drawing.
      fetch: (from, count) => queueMicrotask(() => this.#giveRows(from, count)),
      draw: (cell, row, column) => drawCell(cell, row[column] ?? null),
      sort: (column) => this.#sort(column),
      copy: (selection) => this.#copy(selection),
      moved: (row, column) => this.#showCell(row, column),
    });
    this.#cell.tabIndex = 0;
    this.element = element("div", {}, this.#grid.element, this.#cell);
    this.#grid.setColumns(
      columns.map(({ name, type, isNumeric }, at) => ({
        title: name,
        ...(type === undefined ? {} : { hint: type }),
        class: isNumeric ? "numbers" : "texts",
        width: this.#widthOf(name, at),
      })),
    );
    this.#grid.setTotal(rows.length);
    this.#showCell(0, 0);
  }

  #widthOf(name: string, column: number): number {
    const lengths = this.#preview.rows.slice(0, 50).map((row) => row[column]?.length ?? 4);
    const longest = Math.max(name.length, ...lengths);
    // A sorted title has an arrow beside it.
    return Math.min(maxWidth, Math.max(minWidth, 8 * longest + 24, 9 * name.length + 30));
  }

  #giveRows(from: number, count: number): void {
    const rows = this.#order.slice(from, from + count).map((at) => this.#preview.rows[at] ?? []);
    this.#grid.setRows(from, rows);
  }

  /** Cycles through ascending, descending and the original order. */
  #sort(column: number): void {
    const isThis = this.#sorted?.column === column;
    const next = { column, descending: isThis };
    this.#sorted = isThis && this.#sorted?.descending ? undefined : next;
    this.#order = this.#sorted
      ? sortedRowIndexes(this.#sortable, column, next.descending)
      : this.#preview.rows.map((_, at) => at);
    this.#grid.clear();
    this.#grid.setSorted(this.#sorted);
  }

  #copy({ rows, columns }: GridSelection): void {
    const { columns: titles, rows: texts } = this.#sortable;
    const lines = this.#order
      .slice(rows.from, rows.to)
      .map((at) => tsvLine((texts[at] ?? []).slice(columns.from, columns.to)));
    const title = titles.slice(columns.from, columns.to);
    // A single value is copied without its column's title.
    if (lines.length > 1 || title.length > 1) lines.unshift(tsvLine(title));
    this.#copyText(lines.join("\n"));
  }

  #showCell(row: number, column: number): void {
    const text = this.#preview.rows[this.#order[row] ?? -1]?.[column] ?? "";
    this.#cell.hidden = text.length <= maxCellLength && !text.includes("\n");
    this.#cell.textContent = text;
    const title = this.#preview.columns[column]?.name ?? "";
    const place = (row + 1).toLocaleString(this.#locale);
    this.#cell.setAttribute("aria-label", formatMessage(this.#texts.cell, title, place));
  }
}

function drawCell(cell: HTMLElement, value: string | null): void {
  if (value === null) {
    cell.classList.add("null");
    cell.textContent = "null";
    return;
  }
  cell.textContent = value.slice(0, maxDrawnLength).replace(/(?<!\s)\s*[\r\n]\s*/g, " ⏎ ");
  if (value.length > maxCellLength) cell.title = value.slice(0, maxDrawnLength);
}
