import { formatMessage } from "../../shared/formatMessage.ts";
import { element } from "../../shared/page/dom.ts";
import { TextTableGrid } from "../../shared/page/grid/textTableGrid.ts";
import type { TableTexts } from "../tableTexts.ts";
import type { PreviewRows } from "../previewRows.ts";

export function createPreviewGrid(
  { columns, rows }: PreviewRows,
  texts: TableTexts,
  locale: string,
  copyText: (text: string) => void,
): HTMLElement {
  const grid = new TextTableGrid({
    table: {
      columns: columns.map(({ name }) => name),
      rows: rows.map((row) => row.map((value) => value ?? "")),
      numeric: columns.map(({ isNumeric }) => isNumeric),
    },
    label: texts.grid,
    help: texts.gridHelp,
    hints: columns.map(({ type }) => type),
    isNull: (row, column) => (rows[row]?.[column] ?? null) === null,
    nullText: "null",
    maxCellLength: 40,
    maxWidth: 320,
    cellClass: "cell-text",
    formatCell: (title, row) => formatMessage(texts.cell, title, row.toLocaleString(locale)),
    copyText,
  });
  return element("div", {}, ...grid.elements);
}
