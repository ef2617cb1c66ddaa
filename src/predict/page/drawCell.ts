// How a value looks in its cell.
import { element } from "../../shared/page/dom.ts";
import type { ResultColumn, ResultRow } from "../messages.ts";
import { parseStringLiteral } from "../rows/jsonLiteral.ts";

/** Line ends, controls and marks of direction: they would change how the cells around are read. */
const controls = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** From where to where the intervals of a result reach: all bars are drawn on one scale. */
export class IntervalScale {
  low = Infinity;
  high = -Infinity;

  take(columns: readonly ResultColumn[], rows: readonly ResultRow[]): void {
    const column = columns.findIndex(({ kind }) => kind === "interval");
    if (column < 0) return;
    for (const { values } of rows) {
      const interval = readInterval(values[column] ?? null);
      if (!interval) continue;
      this.low = Math.min(this.low, interval.lower);
      this.high = Math.max(this.high, interval.upper);
    }
  }

  /** Where a number stands, in percent. */
  at(value: number): number {
    const width = this.high - this.low;
    return width > 0 ? Math.min(100, Math.max(0, (100 * (value - this.low)) / width)) : 50;
  }
}

/** Longer texts do not fit their cell. */
export const maxCellText = 24;

/** Whose error it is, `[engine/model]: `: the same in every row, and in the way where there is little room. */
const engine = /^\[[^\]]*\]: (?=\S)/;

/** Fills an empty cell; nothing for a value that the row does not have. */
export function drawCell(
  cell: HTMLElement,
  row: ResultRow,
  column: number,
  columns: readonly ResultColumn[],
  scale: IntervalScale,
): void {
  const written = row.values[column] ?? null;
  const { kind, part } = columns[column] ?? {};
  if (row.refused !== undefined) {
    cell.classList.add("refused");
    cell.title = row.refused;
    // The reason stands where the prediction would.
    if (column === 0) {
      cell.textContent = plain(row.refused.replace(engine, ""));
      return;
    }
  }
  if (written === null) return;
  if (written === "null") {
    cell.classList.add("null");
    cell.textContent = "null";
    return;
  }
  const interval = kind === "interval" ? readInterval(written) : undefined;
  if (interval) {
    cell.append(intervalBar(interval, scale));
    cell.title = `${interval.lower} … ${interval.upper}`;
    cell.setAttribute("aria-label", cell.title);
    return;
  }
  const text = plain(parseStringLiteral(written));
  cell.textContent = text;
  if (text.length > maxCellText || part === "predicted") cell.title = text;
}

interface Interval {
  lower: number;
  value: number | undefined;
  upper: number;
}

function readInterval(written: string | null): Interval | undefined {
  if (written === null) return undefined;
  try {
    const [lower, value, upper] = JSON.parse(written) as unknown[];
    if (typeof lower !== "number" || typeof upper !== "number") return undefined;
    return { lower, upper, value: typeof value === "number" ? value : undefined };
  } catch {
    return undefined;
  }
}

function intervalBar({ lower, value, upper }: Interval, scale: IntervalScale): HTMLElement {
  const range = element("span", { class: "range" });
  range.style.left = `${scale.at(lower)}%`;
  range.style.width = `${scale.at(upper) - scale.at(lower)}%`;
  const bar = element("span", { class: "interval" }, element("span", { class: "line" }), range);
  if (value !== undefined) {
    const point = element("span", { class: "point" });
    point.style.left = `${scale.at(value)}%`;
    bar.append(point);
  }
  return bar;
}

/** One line, and at most as much of it as can be seen. */
function plain(text: string): string {
  const cut = text.length > 1_000 ? `${text.slice(0, 1_000)}…` : text;
  return cut.replace(controls, (character) => (/[\r\n\u2028\u2029]/.test(character) ? "⏎" : " "));
}
