// An observation as a grid.
import * as l10n from "@vscode/l10n";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { StepPart } from "../../mindsdb/stream/stepEvents.ts";
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
  const count = table.rows.length;
  if (count === 1 && hasMore) return l10n.t("the first row");
  const rows = count === 1 ? l10n.t("1 row") : l10n.t("{0} rows", formatter.count(count));
  return hasMore ? l10n.t("the first {0}", rows) : rows;
}

interface ObservationGridProps {
  table: TextTable;
  isHidden: boolean;
  context: PageContext;
  onGrid?: ((grid: TextTableGrid) => void) | undefined;
}

export function ObservationGrid({ table, isHidden, context, onGrid }: ObservationGridProps) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const grid = createGrid(table, context);
    place.current?.replaceChildren(...grid.elements);
    onGrid?.(grid);
  }, [table]);
  return <div class="result" hidden={isHidden} ref={place} />;
}

function createGrid(table: TextTable, { formatter, host }: PageContext): TextTableGrid {
  return new TextTableGrid({
    table,
    label: l10n.t("Table"),
    help: l10n.t("Arrow keys move, Shift selects, and Ctrl+C copies. In the header, Enter sorts."),
    isNull: (row, column) => isMissing(table.rows[row]?.[column] ?? ""),
    maxCellLength: 24,
    maxWidth: 400,
    // Shows the content of a chunk first.
    firstColumn: Math.max(0, table.columns.indexOf("chunk_content")),
    cellClass: "cell-text prose",
    formatCell: (title, row) => l10n.t("{0}, row {1}", title, formatter.count(row)),
    copyText: (text) => void host.copyText(text),
  });
}
