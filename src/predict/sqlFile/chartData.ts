// The points of a chart of a result: the rows whose value is a number, over a column of numbers or of texts.
import type { ResultColumn, ResultRow } from "../messages.ts";
import { parseNumberLiteral, parseStringLiteral } from "../rows/jsonLiteral.ts";

export const chartKinds = ["bar", "line", "scatter"] as const;
export type ChartKind = (typeof chartKinds)[number];

/** Rows that a chart shows: the first ones. */
export const maxChartRows = 1_000;

export interface ChartPoint {
  /** As the table says it. */
  label: string;
  value: number;
  /** The value as the result has it, with all digits. */
  text: string;
  /** From 0 to 1. */
  across: number;
}

export interface ChartData {
  points: ChartPoint[];
  /** The values that the axis goes up from and to. */
  low: number;
  high: number;
  /** Whether the points are at their numbers, and not beside each other. */
  isScale: boolean;
}

/** The columns that values can be of. */
export function numberColumns(columns: readonly ResultColumn[]): number[] {
  return columns.flatMap(({ kind }, index) => (kind === "number" ? [index] : []));
}

/** `x` and `y` are the indexes of columns. Rows without a number are left out. */
export function readChartData(
  kind: ChartKind,
  rows: readonly ResultRow[],
  x: number,
  y: number,
): ChartData {
  const read = rows.flatMap(({ values }) => {
    const value = parseNumberLiteral(values[y] ?? "");
    const json = values[x] ?? "null";
    const text = parseStringLiteral(values[y] ?? "");
    return Number.isFinite(value) ? [{ json, value, text, at: parseNumberLiteral(json) }] : [];
  });
  const isScale = kind !== "bar" && read.every(({ at }) => Number.isFinite(at));
  // A line goes from left to right, in whatever order the rows are.
  if (isScale && kind === "line") read.sort((a, b) => a.at - b.at);
  const from = read.reduce((low, { at }) => Math.min(low, at), Infinity);
  const to = read.reduce((high, { at }) => Math.max(high, at), -Infinity);
  const across = (at: number, index: number): number => {
    if (!isScale) return (index + 0.5) / read.length;
    return shareOf(at, from, to);
  };
  const values = read.map(({ value }) => value);
  // Bars begin at 0.
  const limits = kind === "bar" || values.length === 0 ? [...values, 0] : values;
  return {
    points: read.map(({ json, value, text, at }, index) => {
      return { label: parseStringLiteral(json), value, text, across: across(at, index) };
    }),
    low: limits.reduce((low, value) => Math.min(low, value), Infinity),
    high: limits.reduce((high, value) => Math.max(high, value), -Infinity),
    isScale,
  };
}

/** Where a value is between the lowest and the highest, from 0 to 1. */
export function heightOf({ low, high }: ChartData, value: number): number {
  return shareOf(value, low, high);
}

function shareOf(value: number, low: number, high: number): number {
  if (high <= low) return 0.5;
  // The distance of two numbers can be larger than any number.
  const scale = Number.isFinite(high - low) ? 1 : 0.5;
  return (value * scale - low * scale) / (high * scale - low * scale);
}
