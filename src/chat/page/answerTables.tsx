// The tables within an answer's text: each can be sorted as a grid, copied and exported.
import * as l10n from "@vscode/l10n";
import { render } from "preact";
import { element } from "../../shared/page/dom.ts";
import { IconButton } from "../../shared/page/parts.tsx";
import { tsvLine } from "../../shared/spreadsheetText.ts";
import { numericColumns, type TextTable } from "../../shared/textTable.ts";
import { formatRowCount, ObservationGrid } from "./observationTable.tsx";
import type { PageContext } from "./pageContext.ts";

/** Gives each table of the rendered Markdown a title with its buttons. */
export function addTableButtons(answer: HTMLElement, context: PageContext): void {
  for (const box of answer.querySelectorAll<HTMLElement>(".markdown .table")) {
    addButtons(box, readTable(box), context);
  }
}

function addButtons(box: HTMLElement, table: TextTable, context: PageContext): void {
  const block = element("section", { class: "part answer-table" });
  const head = element("div", { class: "part-head" });
  const grid = element("div");
  box.replaceWith(block);
  block.append(head, box, grid);
  const draw = (isGrid: boolean): void => {
    box.hidden = isGrid;
    render(<TableHead table={table} context={context} isGrid={isGrid} showGrid={draw} />, head);
    // Kept when it is hidden, with its order and its selection.
    if (isGrid || grid.hasChildNodes()) {
      render(<ObservationGrid table={table} isHidden={!isGrid} context={context} />, grid);
    }
  };
  draw(false);
}

interface TableHeadProps {
  table: TextTable;
  context: PageContext;
  isGrid: boolean;
  showGrid: (isGrid: boolean) => void;
}

function TableHead({ table, context, isGrid, showGrid }: TableHeadProps) {
  const { host } = context;
  const { columns, rows } = table;
  const count = formatRowCount({ table, isWhole: true }, context);
  const text = [columns, ...rows].map(tsvLine).join("\n");
  return (
    <>
      <span>{`${l10n.t("Table")} · ${count}`}</span>
      <div class="tools">
        <IconButton
          hasWords
          icon="table"
          label={l10n.t("Show as Grid")}
          isPressed={isGrid}
          press={() => showGrid(!isGrid)}
        />
        <IconButton hasWords icon="copy" label={l10n.t("Copy")} press={() => host.copyText(text)} />
        <IconButton
          hasWords
          icon="export"
          label={l10n.t("Export…")}
          press={() => host.exportTable(columns, rows)}
        />
      </div>
    </>
  );
}

/** Reads the shown cells; GitHub's Markdown gives each row as many as there are columns. */
function readTable(box: HTMLElement): TextTable {
  const [columns = [], ...rows] = Array.from(box.querySelectorAll("tr"), (row) =>
    Array.from(row.cells, (cell) => cell.textContent.trim()),
  );
  return { columns, rows, numeric: numericColumns(columns, rows) };
}
