// An observation as a grid, with the text of the active cell below.
import type { StepPart } from "../../mindsdb/stream/stepEvents.ts";
import { formatMessage } from "../../shared/formatMessage.ts";
import { tsvLine } from "../../shared/tableText.ts";
import { element } from "../../shared/page/dom.ts";
import { Grid } from "../../shared/page/grid/grid.ts";
import type { GridSelection } from "../../shared/page/grid/gridSelection.ts";
import { readObservation } from "../tables/observationTables.ts";
import { isMissing, sortedRowIndexes, type TextTable } from "../tables/textTable.ts";
import type { PageContext } from "./pageContext.ts";

/** Only the beginning of a longer text is parsed, to limit the time. */
const maxText = 100_000;

/** Longer texts do not fit a cell, in characters. */
const maxCellLength = 24;

const widest = 400;

/** The most characters drawn in a cell. */
const maxDrawnLength = 500;

export interface PartTable {
  table: TextTable;
  /** Whether it has all rows of the text. */
  isWhole: boolean;
}

/** Parses an observation as a table; undefined if it is not clearly one. */
export function partTable({ kind, text, length }: StepPart): PartTable | undefined {
  if (kind !== "observation") return undefined;
  const isWhole = length === undefined && text.length <= maxText;
  const table = readObservation(text.slice(0, maxText), !isWhole);
  return table && { table, isWhole };
}

export class ObservationTable {
  readonly element: HTMLElement;
  readonly isWhole: boolean;
  readonly #table: TextTable;
  readonly #context: PageContext;
  readonly #grid: Grid<string[]>;
  readonly #cell = element("div", { class: "cell-text prose" });
  /** Indexes of the table's rows, in the shown order. */
  #order: number[];
  #sorted: { column: number; descending: boolean } | undefined;

  constructor({ table, isWhole }: PartTable, context: PageContext) {
    const { texts } = context.formatter;
    this.isWhole = isWhole;
    this.#table = table;
    this.#context = context;
    this.#order = table.rows.map((_, place) => place);
    this.#grid = new Grid<string[]>({
      label: texts.table,
      help: texts.gridHelp,
      isFitted: true,
      // Later, because the grid is drawing.
      fetch: (from, count) => queueMicrotask(() => this.#giveRows(from, count)),
      draw: (cell, row, column) => drawCell(cell, row[column] ?? ""),
      sort: (column) => this.#sort(column),
      copy: (selection) => this.#copy(selection),
      moved: (row, column) => this.#showCell(row, column),
    });
    this.#cell.tabIndex = 0;
    this.#cell.setAttribute("role", "group");
    this.element = element("div", { class: "result" }, this.#grid.element, this.#cell);
    this.#grid.setColumns(table.columns.map((title, column) => this.#gridColumn(title, column)));
    this.#grid.setTotal(table.rows.length);
    // Shows the content of a chunk first.
    this.#showCell(0, Math.max(0, table.columns.indexOf("chunk_content")));
  }

  /** "12 rows". */
  get tableStatus(): string {
    const { texts } = this.#context.formatter;
    const count = this.#table.rows.length;
    const rows =
      count === 1 ? texts.oneRow : formatMessage(texts.rows, this.#context.formatter.count(count));
    return this.isWhole ? rows : formatMessage(texts.firstRows, rows);
  }

  /** Moves to a row, by its index in the original order, and takes the focus. */
  goTo(row: number, column: number): void {
    this.#grid.goTo(this.#order.indexOf(row), column);
    this.#grid.element.focus();
  }

  #gridColumn(title: string, column: number): { title: string; class: string; width: number } {
    const { rows, numeric } = this.#table;
    const longest = Math.max(
      title.length,
      ...rows.slice(0, 50).map((row) => row[column]?.length ?? 0),
    );
    // A sorted title has an arrow beside it.
    const width = Math.min(widest, Math.max(64, 8 * longest + 24, 9 * title.length + 30));
    return { title, class: numeric[column] ? "numbers" : "texts", width };
  }

  #giveRows(from: number, count: number): void {
    const places = this.#order.slice(from, from + count);
    this.#grid.setRows(
      from,
      places.map((place) => this.#table.rows[place] ?? []),
    );
  }

  /** Cycles through ascending, descending and the original order. */
  #sort(column: number): void {
    const isThis = this.#sorted?.column === column;
    const next = { column, descending: isThis };
    this.#sorted = isThis && this.#sorted?.descending ? undefined : next;
    this.#order = this.#sorted
      ? sortedRowIndexes(this.#table, column, next.descending)
      : this.#table.rows.map((_, place) => place);
    this.#grid.clear();
    this.#grid.setSorted(this.#sorted);
  }

  #copy({ rows, columns }: GridSelection): void {
    const lines = this.#order
      .slice(rows.from, rows.to)
      .map((place) => tsvLine((this.#table.rows[place] ?? []).slice(columns.from, columns.to)));
    const titles = this.#table.columns.slice(columns.from, columns.to);
    // A single value is copied without its column's title.
    if (lines.length > 1 || titles.length > 1) lines.unshift(tsvLine(titles));
    this.#context.post({ type: "copyText", text: lines.join("\n") });
  }

  /** Shows the whole text of a cell that does not fit. */
  #showCell(row: number, column: number): void {
    const text = this.#table.rows[this.#order[row] ?? -1]?.[column] ?? "";
    this.#cell.hidden = text.length <= maxCellLength && !text.includes("\n");
    this.#cell.textContent = text;
    const title = this.#table.columns[column] ?? "";
    const place = this.#context.formatter.count(row + 1);
    this.#cell.setAttribute(
      "aria-label",
      formatMessage(this.#context.formatter.texts.cell, title, place),
    );
  }
}

function drawCell(cell: HTMLElement, text: string): void {
  if (isMissing(text)) cell.classList.add("null");
  const line = text.slice(0, maxDrawnLength).replace(/(?<!\s)\s*[\r\n]\s*/g, " ⏎ ");
  cell.textContent = line;
  if (text.length > maxCellLength) cell.title = text.slice(0, maxDrawnLength);
}
