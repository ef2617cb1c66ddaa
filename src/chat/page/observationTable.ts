// An observation as a grid.
import type { StepPart } from "../../mindsdb/stream/stepEvents.ts";
import { formatMessage } from "../../shared/formatMessage.ts";
import { element } from "../../shared/page/dom.ts";
import { TextTableGrid } from "../../shared/page/grid/textTableGrid.ts";
import { readObservation } from "../tables/observationTables.ts";
import { isMissing, type TextTable } from "../../shared/textTable.ts";
import type { PageContext } from "./pageContext.ts";

/** Only the beginning of a longer text is parsed, to limit the time. */
const maxText = 100_000;

interface PartTable {
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

/** "12 rows", or "the first 12 rows" if the text is cut or the server may have had more. */
export function formatRowCount(
  { table, isWhole }: PartTable,
  { formatter }: PageContext,
  hasMore = !isWhole,
): string {
  const { texts } = formatter;
  const count = table.rows.length;
  const rows = count === 1 ? texts.oneRow : formatMessage(texts.rows, formatter.count(count));
  return hasMore ? formatMessage(texts.firstRows, rows) : rows;
}

/** Returns the grid, and the element that shows it. */
export function createGrid(
  table: TextTable,
  { formatter, post }: PageContext,
): { element: HTMLElement; grid: TextTableGrid } {
  const { texts } = formatter;
  const grid = new TextTableGrid({
    table,
    label: texts.table,
    help: texts.gridHelp,
    isNull: (row, column) => isMissing(table.rows[row]?.[column] ?? ""),
    maxCellLength: 24,
    maxWidth: 400,
    // Shows the content of a chunk first.
    firstColumn: Math.max(0, table.columns.indexOf("chunk_content")),
    cellClass: "cell-text prose",
    formatCell: (title, row) => formatMessage(texts.cell, title, formatter.count(row)),
    copyText: (text) => post({ type: "copyText", text }),
  });
  return { element: element("div", { class: "result" }, ...grid.elements), grid };
}
