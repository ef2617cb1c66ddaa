// The tables of a model page: importances as bars, columns, and what else an engine tells.
import { element } from "../../shared/page/dom.ts";
import { breakable, textTable } from "../../shared/page/documentParts.ts";
import type { AttributeTable, Column, Figure, ModelTexts } from "../messages.ts";

/** Names up to this length stay on one line. */
const shortName = 40;

/** Bars as long as the importances relative to the heaviest, each with its figure. */
export function importanceTable(
  importances: Figure[],
  texts: ModelTexts,
  locale: string,
): HTMLElement {
  const heaviest = Math.max(...importances.map(({ value }) => value), Number.MIN_VALUE);
  const table = element("table", { class: "importances" });
  table.setAttribute("aria-label", texts.importances);
  const heads = [texts.column, texts.importance].map((text) => {
    const cell = element("th", { text });
    cell.scope = "col";
    return cell;
  });
  // The bar says to the eye what the figure says to everybody.
  const barHead = element("td");
  table.createTHead().append(element("tr", { class: "unseen" }, ...heads, barHead));
  const format = alignedFormat(
    importances.map(({ value }) => value),
    locale,
  );
  const rows = importances.map(({ name, value }) => {
    const column = element("th", {}, ...(name.length > shortName ? breakable(name) : [name]));
    column.scope = "row";
    const figure = element("td", { class: "figure", text: format.format(value) });
    figure.title = String(value);
    const bar = element("div", { class: "importance-bar" });
    bar.style.width = `${String(Math.max(0, (value / heaviest) * 100))}%`;
    const track = element("td", { class: "track" }, bar);
    track.setAttribute("aria-hidden", "true");
    return element("tr", {}, column, figure, track);
  });
  table.createTBody().append(...rows);
  return table;
}

/** All with as many decimals as the longest has, four at most. */
function alignedFormat(values: number[], locale: string): Intl.NumberFormat {
  const decimals = values.map((value) => (String(value).split(".")[1] ?? "").length);
  const digits = Math.min(4, Math.max(...decimals));
  return new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** Columns with as much as the engine tells of them. */
export function columnTable(name: string, columns: Column[], texts: ModelTexts): HTMLElement {
  const hasTypes = columns.some(({ type }) => type !== undefined);
  const hasEncoders = columns.some(({ encoder }) => encoder !== undefined);
  const head = [texts.column];
  if (hasTypes) head.push(texts.type);
  if (hasEncoders) head.push(texts.encoder);
  const rows = columns.map(({ name: column, type = "", encoder = "" }) => {
    return [column, ...(hasTypes ? [type] : []), ...(hasEncoders ? [encoder] : [])];
  });
  return textTable(name, head, rows);
}

/** What came for an attribute: a table, one long text, nothing, or why it could not be had. */
export function attributeBody(
  { name, table, failure }: { name: string; table?: AttributeTable; failure?: string },
  texts: ModelTexts,
): HTMLElement {
  if (!table) return element("p", { class: "hint", text: failure ?? "" });
  const [row] = table.rows;
  if (!row) return element("p", { class: "hint", text: texts.noRows });
  const isOneText = table.rows.length === 1 && row.length === 1;
  if (!isOneText) return textTable(name, table.columns, table.rows);
  const text = element("div", { class: "code block", text: row[0] ?? "", role: "region" });
  text.setAttribute("aria-label", name);
  text.tabIndex = 0;
  return text;
}
