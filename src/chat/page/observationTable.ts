// What a tool or a query gave back as a grid, with the text of the cell one is at below it.
import type { StepPart } from "../../mindsdb/stream/stepEvents.ts";
import { formatMessage } from "../../shared/formatMessage.ts";
import { tsvLine } from "../../shared/tableText.ts";
import { element } from "../../shared/page/dom.ts";
import { Grid, type GridSelection } from "../../shared/page/grid/grid.ts";
import { readObservation } from "../tables/observationTables.ts";
import { isMissing, sortedRowIndexes, type TextTable } from "../tables/textTable.ts";
import type { PageContext } from "./pageContext.ts";

/** Of a longer text only the beginning is read: reading must not be felt. */
const maxText = 100_000;

/** A longer text does not fit its cell. */
const maxCellLength = 24;

const widest = 400;

/** A cell shows one line, and no more of it than can be seen. */
const maxDrawnLength = 500;

export interface PartTable {
  table: TextTable;
  /** Whether it holds all of the text's rows. */
  isWhole: boolean;
}

/** The table that an observation is; undefined if it is not clearly one. */
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
  /** Where the rows stand in the table, in the order that is shown. */
  #order: number[];
  #sorted: { column: number; descending: boolean } | undefined;

  constructor({ table, isWhole }: PartTable, context: PageContext) {
    const { texts } = context.words;
    this.isWhole = isWhole;
    this.#table = table;
    this.#context = context;
    this.#order = table.rows.map((_, place) => place);
    this.#grid = new Grid<string[]>({
      label: texts.table,
      help: texts.gridHelp,
      isFitted: true,
      // Not at once: the grid is drawing.
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
    // What was found is read first, where it is long.
    this.#showCell(0, Math.max(0, table.columns.indexOf("chunk_content")));
  }

  /** "12 rows". */
  get said(): string {
    const { texts } = this.#context.words;
    const count = this.#table.rows.length;
    const rows =
      count === 1 ? texts.oneRow : formatMessage(texts.rows, this.#context.words.count(count));
    return this.isWhole ? rows : formatMessage(texts.firstRows, rows);
  }

  /** Goes to a row, counted from 0 in the order that the result came in, and takes the focus. */
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
    const width = Math.min(widest, Math.max(64, 8 * longest + 24));
    return { title, class: numeric[column] ? "numbers" : "texts", width };
  }

  #giveRows(from: number, count: number): void {
    const places = this.#order.slice(from, from + count);
    this.#grid.setRows(
      from,
      places.map((place) => this.#table.rows[place] ?? []),
    );
  }

  /** Up, down, and as it came. */
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
    // One value is pasted as a value; more of them say what they are.
    if (lines.length > 1 || titles.length > 1) lines.unshift(tsvLine(titles));
    this.#context.post({ type: "copyText", text: lines.join("\n") });
  }

  /** All of a cell's text, where the cell has no room for it. */
  #showCell(row: number, column: number): void {
    const text = this.#table.rows[this.#order[row] ?? -1]?.[column] ?? "";
    this.#cell.hidden = text.length <= maxCellLength && !text.includes("\n");
    this.#cell.textContent = text;
    const title = this.#table.columns[column] ?? "";
    const place = this.#context.words.count(row + 1);
    this.#cell.setAttribute(
      "aria-label",
      formatMessage(this.#context.words.texts.cell, title, place),
    );
  }
}

function drawCell(cell: HTMLElement, text: string): void {
  if (isMissing(text)) cell.classList.add("null");
  const line = text.slice(0, maxDrawnLength).replace(/(?<!\s)\s*[\r\n]\s*/g, " ⏎ ");
  cell.textContent = line;
  if (text.length > maxCellLength) cell.title = text.slice(0, maxDrawnLength);
}
