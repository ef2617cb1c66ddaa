// The tables within an answer's text: each can be sorted as a grid, copied and exported.
import { element, iconButton } from "../../shared/page/dom.ts";
import { tsvLine } from "../../shared/spreadsheetText.ts";
import { numericColumns, type TextTable } from "../../shared/textTable.ts";
import { createGrid, formatRowCount } from "./observationTable.ts";
import type { PageContext } from "./pageContext.ts";

/** Gives each table of the rendered Markdown a title with its buttons. */
export function addTableButtons(answer: HTMLElement, context: PageContext): void {
  for (const box of answer.querySelectorAll<HTMLElement>(".markdown .table")) {
    addButtons(box, readTable(box), context);
  }
}

function addButtons(box: HTMLElement, table: TextTable, context: PageContext): void {
  const { formatter, post } = context;
  const { texts } = formatter;
  const { columns, rows } = table;
  const block = element("section", { class: "part answer-table" });
  box.replaceWith(block);
  let grid: HTMLElement | undefined;
  const switchButton = iconButton("table", texts.showAsGrid, () => {
    if (!grid) block.append((grid = createGrid(table, context).element));
    grid.hidden = box.hidden;
    box.hidden = !box.hidden;
    switchButton.setAttribute("aria-pressed", String(box.hidden));
  });
  switchButton.setAttribute("aria-pressed", "false");
  const text = [columns, ...rows].map(tsvLine).join("\n");
  const tools = element(
    "div",
    { class: "tools" },
    switchButton,
    iconButton("copy", texts.copy, () => post({ type: "copyText", text })),
    iconButton("export", texts.export, () => post({ type: "exportTable", columns, rows })),
  );
  const count = formatRowCount({ table, isWhole: true }, context);
  const title = element("span", { text: `${texts.table} · ${count}` });
  const head = element("div", { class: "part-head" }, title, tools);
  block.append(head, box);
}

/** Reads the shown cells; GitHub's Markdown gives each row as many as there are columns. */
function readTable(box: HTMLElement): TextTable {
  const [columns = [], ...rows] = Array.from(box.querySelectorAll("tr"), (row) =>
    Array.from(row.cells, (cell) => cell.textContent.trim()),
  );
  return { columns, rows, numeric: numericColumns(columns, rows) };
}
