// Values of a model's inputs: as JSON, which is what is sent, and as the text of a field. Also used by the page.
import { parseNumberLiteral, parseStringLiteral } from "../rows/jsonLiteral.ts";

/** How many values an input is varied over at most. */
export const maxVariations = 200;

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The text of a field for a value in JSON; "" for null. */
export function formatInputText(json: string): string {
  return json === "null" ? "" : parseStringLiteral(json);
}

/**
 * The value for a field's text as JSON, of the same kind as the `original` where the text allows that. Digits stay as they
 * are written.
 */
export function readInputText(text: string, original: string, isNumber: boolean): string {
  if (text === formatInputText(original)) return original;
  if (text === "") return "null";
  const trimmed = text.trim();
  const wasText = original.startsWith('"');
  if (jsonNumber.test(trimmed) && (isNumber || !wasText) && !(wasText && original !== '""')) {
    return trimmed;
  }
  if (/^(true|false)$/.test(trimmed) && /^(true|false)$/.test(original)) return trimmed;
  return JSON.stringify(text);
}

/** Whether the text is none that the number of the original can be. An empty field is no value. */
export function isWrongNumber(text: string, original: string, isNumber: boolean): boolean {
  if (!isNumber || text.trim() === "" || text === formatInputText(original)) return false;
  return !Number.isFinite(Number(text));
}

/** Numbers from one to another in even steps, as JSON; whole numbers if `isWhole`. */
export function spreadNumbers(from: number, to: number, count: number, isWhole: boolean): string[] {
  const steps = Math.min(maxVariations, Math.max(2, Math.floor(count))) - 1;
  const values = Array.from({ length: steps + 1 }, (_, at) => {
    const value = from + ((to - from) * at) / steps;
    return isWhole ? Math.round(value) : Number(value.toPrecision(12));
  });
  return [...new Set(values)].map(String);
}

/** The range or the values over which an input is varied. */
export type InputRange =
  | { kind: "numbers"; from: number; to: number; isWhole: boolean }
  /** As JSON. */
  | { kind: "values"; values: string[] };

/** Categories that are offered, and their length in characters: all of them are in the page's state. */
const maxCategories = 50;
const maxCategoryLength = 200;

/** Numbers of which each is in so many rows are few values, as of rooms, and no scale. */
const maxFewNumbers = 12;
const minRowsOfEach = 4;

/** The range of the values that an input has in rows, with its own value; as JSON. */
export function findRange(own: string, seen: readonly string[], isNumber: boolean): InputRange {
  const values = [...new Set([own, ...seen])].filter((json) => json !== "null" && json !== '""');
  const numbers = values.map(parseNumberLiteral);
  const areNumbers = numbers.length > 0 && numbers.every(Number.isFinite);
  if (isNumber || areNumbers) {
    const finite = numbers.filter(Number.isFinite);
    const isFew = finite.length <= maxFewNumbers && seen.length >= minRowsOfEach * finite.length;
    if (isFew && finite.length > 1 && finite.length === values.length) {
      const sorted = values.sort((a, b) => parseNumberLiteral(a) - parseNumberLiteral(b));
      return { kind: "values", values: sorted };
    }
    const from = finite.length > 0 ? Math.min(...finite) : 0;
    const to = finite.length > 0 ? Math.max(...finite) : 1;
    const isWhole = finite.length > 0 && finite.every(Number.isInteger);
    if (from < to) return { kind: "numbers", from, to, isWhole };
    // One value only: half of it below and above.
    const half = from === 0 ? 1 : Math.abs(from) / 2;
    const [low, high] = [from - half, from + half];
    return { kind: "numbers", from: low, to: high, isWhole: isWhole && Math.abs(from) >= 10 };
  }
  const categories = values.filter((json) => json === own || json.length <= maxCategoryLength);
  return { kind: "values", values: categories.slice(0, maxCategories) };
}
