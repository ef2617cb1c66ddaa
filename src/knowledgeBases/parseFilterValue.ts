// Converts filter values between typed text and values of the column's type. Used by host and page.
import type { ColumnType } from "../mindsdb/listItems.ts";

const numeral = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Returns the value that a filter compares with. If the column's type is unknown or mixed, text that looks like a number
 * is a number if no digit is lost, and text in double quotes is text.
 */
export function readFilterValue(typed: string, type: ColumnType | undefined): string | number {
  const number = Number(typed);
  if (type === "text") return typed;
  if (type === "number" && numeral.test(typed.trim())) return number;
  if (isQuoted(typed)) return typed.slice(1, -1);
  return Number.isFinite(number) && String(number) === typed.trim() ? number : typed;
}

/** Returns the text that `readFilterValue` reads as this value. */
export function writeFilterValue(value: unknown, type: ColumnType | undefined): string {
  if (typeof value !== "string") return String(value);
  return readFilterValue(value, type) === value ? value : `"${value}"`;
}

/** True if the typed text cannot be a value of this type. */
export function isWrongType(typed: string, type: ColumnType | undefined): boolean {
  return type === "number" && typed.trim() !== "" && !numeral.test(typed.trim());
}

function isQuoted(typed: string): boolean {
  return typed.length > 1 && typed.startsWith('"') && typed.endsWith('"');
}
