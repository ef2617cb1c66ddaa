// Calls of functions that the server lacks or calculates otherwise than PostgreSQL where it calculates itself (26.1.0).
import type { ColumnType } from "./columnTypes.ts";

/** What to write instead of a call. */
export interface CallReplacement {
  fixed: string;
  /** Whether the server refuses the call. */
  isMissing?: boolean;
  /** It is only needed for a column of this type. */
  type?: ColumnType;
}

/** By the name of the function, in lower case: from the texts of the values. */
const replacements = new Map<string, (...values: string[]) => CallReplacement | undefined>([
  ["date", (value) => missing(`CAST(${value} AS date)`)],
  ["btrim", (...values) => missing(`trim(${values.join(", ")})`)],
  ["every", (value) => missing(`bool_and(${value})`)],
  ["div", (value, by) => missing(`trunc(${inParentheses(value)} / ${inParentheses(by)})`)],
  ["lpad", (text, length, ...others) => padded("lpad", text, length, others)],
  ["rpad", (text, length, ...others) => padded("rpad", text, length, others)],
  ["trunc", truncated],
  ["to_char", formatted],
  ["format", joined],
  // Half-way cases become the nearest even number in both.
  [
    "round",
    (value, ...digits) =>
      digits.length === 0 ? { fixed: `CAST(${value} AS bigint)`, type: "real" } : undefined,
  ],
]);

/** Undefined for a call that is the same everywhere, or that nothing is known of. `values` are the texts of what it gets. */
export function findCallReplacement(
  name: string,
  values: readonly string[],
): CallReplacement | undefined {
  return values.length === 0 ? undefined : replacements.get(name.toLowerCase())?.(...values);
}

/** `EXTRACT(part FROM value)`, whose value the server makes a time. `isSpan`: it is the difference of two times. */
export function findExtractReplacement(
  part: string,
  value: string,
  isSpan: boolean,
): CallReplacement | undefined {
  if (isSpan) return missing(`date_part('${part}', ${value})`);
  if (!/^seconds?$/i.test(part)) return undefined;
  return { fixed: `EXTRACT(microseconds FROM ${value}) / 1000000.0` };
}

/** `date_part('second', value)` is a whole number. */
export function findDatePartReplacement([part = "", value = ""]: readonly string[]):
  CallReplacement | undefined {
  if (!/^'seconds?'$/i.test(part)) return undefined;
  return { fixed: `date_part('microseconds', ${value}) / 1000000.0` };
}

function missing(fixed: string): CallReplacement {
  return { fixed, isMissing: true };
}

function padded(
  name: string,
  text = "",
  length = "",
  others: readonly string[],
): CallReplacement | undefined {
  return others.length === 0 ? missing(`${name}(${text}, ${length}, ' ')`) : undefined;
}

/** `trunc(value, 2)` */
function truncated(value: string, digits?: string): CallReplacement | undefined {
  if (digits === undefined || !/^[0-9]$/.test(digits)) return undefined;
  const factor = `1${"0".repeat(Number(digits))}`;
  return missing(`trunc(${inParentheses(value)} * ${factor}) / ${factor}`);
}

const dateParts: Record<string, string> = {
  YYYY: "%Y",
  MM: "%m",
  DD: "%d",
  HH24: "%H",
  MI: "%M",
  SS: "%S",
  Mon: "%b",
  Dy: "%a",
};
const datePart = /YYYY|MM|DD|HH24|MI|SS|Mon|Dy/g;

/** `to_char(date, 'YYYY-MM')` */
function formatted(value: string, format?: string): CallReplacement | undefined {
  if (format === undefined || format.length > 100) return undefined;
  if (!/^'[-/:.,_ ]*$/.test(format.replace(datePart, "").slice(0, -1))) return undefined;
  return missing(`strftime(${value}, ${format.replace(datePart, (part) => dateParts[part]!)})`);
}

/** `format('%s of %s', a, b)` */
function joined(format: string, ...values: string[]): CallReplacement | undefined {
  const texts = format.slice(1, -1).split("%s");
  if (!format.startsWith("'") || texts.length !== values.length + 1 || values.length === 0) {
    return undefined;
  }
  if (texts.some((text) => text.includes("%"))) return undefined;
  const parts = texts.flatMap((text, at) => [
    ...(text === "" ? [] : [`'${text}'`]),
    ...values.slice(at, at + 1),
  ]);
  return { fixed: `concat(${parts.join(", ")})` };
}

function inParentheses(text = ""): string {
  return /^[\w.]+$/.test(text) ? text : `(${text})`;
}
