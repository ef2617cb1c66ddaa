// What is typed as a filter's value, read by the type of its column. Pages use it too.
import type { ColumnType } from "./messages.ts";

const numeral = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * The value that a filter compares with. Where a column's type is not known, or it has values of several types, what looks
 * like a number is one as long as it keeps every digit, and what stands in double quotes is a text.
 */
export function readFilterValue(typed: string, type: ColumnType | undefined): string | number {
  const number = Number(typed);
  if (type === "text") return typed;
  if (type === "number" && numeral.test(typed.trim())) return number;
  if (isQuoted(typed)) return typed.slice(1, -1);
  return Number.isFinite(number) && String(number) === typed.trim() ? number : typed;
}

/** A stored value as one types it, so that `readFilterValue` reads the same value. */
export function writeFilterValue(value: unknown, type: ColumnType | undefined): string {
  if (typeof value !== "string") return String(value);
  return readFilterValue(value, type) === value ? value : `"${value}"`;
}

/** Whether a column of this type has nothing to compare with what is typed. */
export function isWrongType(typed: string, type: ColumnType | undefined): boolean {
  return type === "number" && typed.trim() !== "" && !numeral.test(typed.trim());
}

function isQuoted(typed: string): boolean {
  return typed.length > 1 && typed.startsWith('"') && typed.endsWith('"');
}
