// A table of texts, parsed from a server's text.

export interface TextTable {
  columns: string[];
  /** Each row has as many cells as there are columns. */
  rows: string[][];
  /** Which columns contain only numbers. */
  numeric: boolean[];
}

/** True for the ways in which servers write a missing value. */
export function isMissing(cell: string): boolean {
  return /^(|None|NULL|null|NaN|nan|NaT|<NA>)$/.test(cell);
}

/** Returns which columns contain only numbers, and at least one. */
export function numericColumns(columns: string[], rows: string[][]): boolean[] {
  return columns.map((_, column) => {
    const values = rows.map((row) => row[column] ?? "").filter((cell) => !isMissing(cell));
    return values.length > 0 && values.every(isNumber);
  });
}

function isNumber(cell: string): boolean {
  return /^-?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(cell);
}

/** Returns row indexes sorted by a column: numbers by value, texts by natural order, missing values last. */
export function sortedRowIndexes(
  { rows, numeric }: TextTable,
  column: number,
  descending: boolean,
): number[] {
  const collator = new Intl.Collator(undefined, { numeric: true });
  const sign = descending ? -1 : 1;
  const cell = (place: number): string => rows[place]?.[column] ?? "";
  const compare = (a: string, b: string): number =>
    numeric[column] ? compareNumbers(a, b) : collator.compare(a, b);
  return rows
    .map((_, place) => place)
    .sort((a, b) => {
      const missing = Number(isMissing(cell(a))) - Number(isMissing(cell(b)));
      return missing || (isMissing(cell(a)) ? 0 : sign * compare(cell(a), cell(b))) || a - b;
    });
}

/** Compares numbers exactly, beyond the digits that JavaScript's numbers keep; those with an exponent as these. */
export function compareNumbers(a: string, b: string): number {
  const [one, other] = [Number(a), Number(b)];
  if (one < other) return -1;
  if (one > other) return 1;
  if (/e/i.test(a + b)) return 0;
  // Equal as JavaScript's numbers, so both have the same sign.
  const [left, right] = [splitDigits(a), splitDigits(b)];
  const length = Math.max(left.fraction.length, right.fraction.length);
  const byDigits =
    left.whole.length - right.whole.length ||
    compareTexts(left.whole, right.whole) ||
    compareTexts(left.fraction.padEnd(length, "0"), right.fraction.padEnd(length, "0"));
  return a.startsWith("-") ? -byDigits : byDigits;
}

function splitDigits(number: string): { whole: string; fraction: string } {
  const [whole = "", fraction = ""] = number.replace("-", "").split(".");
  const first = whole.search(/[^0]/);
  return { whole: first < 0 ? "" : whole.slice(first), fraction };
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
