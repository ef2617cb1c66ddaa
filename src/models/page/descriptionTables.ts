// The tables of a model page: importances as bars, columns, and attributes.
import { columnHeader, element } from "../../shared/page/dom.ts";
import { breakable, textTable } from "../../shared/page/documentParts.ts";
import type { AttributeTable, Column, Figure } from "../messages.ts";
import type { ModelTexts } from "../modelTexts.ts";

/** Longer names may break at `_`, in characters. */
const maxUnbrokenName = 40;

/** Returns a table with a bar for each importance, relative to the highest. */
export function createImportanceTable(
  importances: Figure[],
  texts: ModelTexts,
  locale: string,
): HTMLElement {
  const heaviest = Math.max(...importances.map(({ value }) => value), Number.MIN_VALUE);
  const table = element("table", { class: "importances" });
  table.setAttribute("aria-label", texts.importances);
  const heads = [texts.column, texts.importance].map(columnHeader);
  // Hidden from screen readers: the figure has the same information.
  const barHead = element("td");
  table.createTHead().append(element("tr", { class: "visually-hidden" }, ...heads, barHead));
  const format = createAlignedFormat(
    importances.map(({ value }) => value),
    locale,
  );
  const rows = importances.map(({ name, value }) => {
    const column = element("th", {}, ...(name.length > maxUnbrokenName ? breakable(name) : [name]));
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

/** Returns a format with as many decimals as the longest value has, at most four. */
function createAlignedFormat(values: number[], locale: string): Intl.NumberFormat {
  const decimals = values.map((value) => (String(value).split(".")[1] ?? "").length);
  const digits = Math.min(4, Math.max(...decimals));
  return new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** Returns a table of columns, with types and encoders if known. */
export function createColumnTable(name: string, columns: Column[], texts: ModelTexts): HTMLElement {
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

/** Returns an attribute's content: a table, one long text, a note that there is none, or the failure. */
export function createAttributeBody(
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
