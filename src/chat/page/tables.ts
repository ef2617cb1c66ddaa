// A table of plain cells: what a server sent stays text, whatever it looks like.
import { element } from "../../shared/page/dom.ts";
import { scrollBox } from "../../shared/page/markdown.ts";
import { parsePipeTable } from "../pipeTable.ts";
import type { TextTable } from "../textTable.ts";

/** A longer table is shown in its beginning: laying out a table takes a time that grows with all its cells. */
const mostCells = 1_500;

/**
 * The table that a server's table text holds, in a box that scrolls sideways; undefined if the text is not clearly a
 * table. `cut` says that the text is only a beginning. `label` names the box for screen readers.
 */
export function tableView(
  text: string,
  cut: boolean,
  label: string,
): { view: HTMLElement; whole: boolean } | undefined {
  const table = parsePipeTable(text, cut);
  if (!table) return undefined;
  const { columns, rows } = table;
  const shown = rows.slice(0, Math.max(1, Math.floor(mostCells / columns.length)));
  const view = element(
    "table",
    {},
    element("thead", {}, row(columns, "th", table)),
    element("tbody", {}, ...shown.map((cells) => row(cells, "td", table))),
  );
  return {
    view: scrollBox(view, label),
    whole: shown.length === rows.length && !cut,
  };
}

function row(cells: string[], tag: "th" | "td", { numeric }: TextTable): HTMLElement {
  const views = cells.map((text, column) =>
    element(tag, numeric[column] ? { class: "align-right", text } : { text }),
  );
  return element("tr", {}, ...views);
}
