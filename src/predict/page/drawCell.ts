import { cutOff } from "../../mindsdb/cutText.ts";
import { element } from "../../shared/page/dom.ts";
import type { ResultColumn, ResultRow } from "../messages.ts";
import { parseStringLiteral } from "../rows/jsonLiteral.ts";

/** Line ends, control characters and direction marks, which would affect neighboring cells. */
const controls = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The common scale of all interval bars of a result. */
export class IntervalScale {
  low = Infinity;
  high = -Infinity;

  include(columns: readonly ResultColumn[], rows: readonly ResultRow[]): void {
    const column = columns.findIndex(({ kind }) => kind === "interval");
    if (column < 0) return;
    for (const { values } of rows) {
      const interval = readInterval(values[column] ?? null);
      if (!interval) continue;
      this.low = Math.min(this.low, interval.lower);
      this.high = Math.max(this.high, interval.upper);
    }
  }

  /** The position of a number, in percent. */
  toPercent(value: number): number {
    const width = this.high - this.low;
    return width > 0 ? Math.min(100, Math.max(0, (100 * (value - this.low)) / width)) : 50;
  }
}

/** Longer texts do not fit into a cell. */
export const maxCellText = 24;

/** `[engine/model]: ` before an error: the same in every row. */
const enginePrefix = /^\[[^\]]*\]: (?=\S)/;

/** Draws a value into an empty cell. */
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
    // The reason takes the place of the prediction.
    if (column === 0) {
      cell.textContent = toOneLine(row.refused.replace(enginePrefix, ""));
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
  const text = toOneLine(parseStringLiteral(written));
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
  range.style.left = `${scale.toPercent(lower)}%`;
  range.style.width = `${scale.toPercent(upper) - scale.toPercent(lower)}%`;
  const bar = element("span", { class: "interval" }, element("span", { class: "line" }), range);
  if (value !== undefined) {
    const point = element("span", { class: "point" });
    point.style.left = `${scale.toPercent(value)}%`;
    bar.append(point);
  }
  return bar;
}

function toOneLine(text: string): string {
  return cutOff(text, 1_000).replace(controls, (character) =>
    /[\r\n\u2028\u2029]/.test(character) ? "⏎" : " ",
  );
}
