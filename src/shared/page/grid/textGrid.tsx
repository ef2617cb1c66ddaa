// A table of texts in a page around it. It takes the room that the page has, and the focus begins in it.
import * as l10n from "@vscode/l10n";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { TextTable } from "../../textTable.ts";
import { formatNumber } from "../l10n.ts";
import { TextTableGrid, type TextTableGridOptions } from "./textTableGrid.ts";

interface TextGridProps extends Pick<TextTableGridOptions, "hints" | "nullText"> {
  /** Where the columns stay the same, so do selection and scroll position. */
  table: TextTable;
  label: string;
  isNull?: TextTableGridOptions["isNull"];
  markOf?: TextTableGridOptions["markOf"];
  copyText: (text: string) => unknown;
  open?: (row: number, column: number) => unknown;
  grid?: { current: TextTableGrid | null };
}

export function TextGrid(props: TextGridProps) {
  const { table, isNull, markOf, copyText, open, grid, ...options } = props;
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef<{ grid: TextTableGrid; columns: string }>(null);
  const latest = useRef({ isNull, markOf, open });
  latest.current = { isNull, markOf, open };
  useLayoutEffect(() => {
    const columns = JSON.stringify([table.columns, options.hints]);
    if (shown.current?.columns === columns) {
      shown.current.grid.setTable(table);
      return;
    }
    const created = new TextTableGrid({
      ...options,
      table,
      help: l10n.t(
        "Arrow keys move, Shift selects, and Ctrl+C copies. In the header, Enter sorts.",
      ),
      isNull: (row, column) => latest.current.isNull?.(row, column) ?? false,
      markOf: (row, column) => latest.current.markOf?.(row, column),
      maxCellLength: 40,
      maxWidth: 320,
      fills: true,
      cellClass: "cell-text",
      formatCell: (title, row) => l10n.t("{0}, row {1}", title, formatNumber(row)),
      copyText: (text) => void copyText(text),
      open: open && ((row, column) => void latest.current.open?.(row, column)),
    });
    shown.current = { grid: created, columns };
    if (grid) grid.current = created;
    created.elements[0]?.toggleAttribute("data-first", true);
    place.current?.replaceChildren(...created.elements);
  }, [table]);
  return <div class="grid-place" ref={place} />;
}
