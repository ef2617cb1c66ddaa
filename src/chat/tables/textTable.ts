// A table of texts, as read from what a server wrote.

export interface TextTable {
  columns: string[];
  /** Each with as many cells as there are columns. */
  rows: string[][];
  /** Which columns hold nothing but numbers. */
  numeric: boolean[];
}

/** How servers write that there is no value. */
export function isMissing(cell: string): boolean {
  return /^(|None|NULL|null|NaN|nan|NaT|<NA>)$/.test(cell);
}

/** Which columns hold nothing but numbers, and at least one. */
export function numericColumns(columns: string[], rows: string[][]): boolean[] {
  return columns.map((_, column) => {
    const values = rows.map((row) => row[column] ?? "").filter((cell) => !isMissing(cell));
    return values.length > 0 && values.every(isNumber);
  });
}

function isNumber(cell: string): boolean {
  return /^-?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(cell);
}

/** The rows' places in the order of a column: numbers by value, texts as people sort them, what is missing last. */
export function sortedRowIndexes(
  { rows, numeric }: TextTable,
  column: number,
  descending: boolean,
): number[] {
  const collator = new Intl.Collator(undefined, { numeric: true });
  const sign = descending ? -1 : 1;
  const cell = (place: number): string => rows[place]?.[column] ?? "";
  const compare = (a: string, b: string): number =>
    numeric[column] ? Number(a) - Number(b) : collator.compare(a, b);
  return rows
    .map((_, place) => place)
    .sort((a, b) => {
      const missing = Number(isMissing(cell(a))) - Number(isMissing(cell(b)));
      return missing || (isMissing(cell(a)) ? 0 : sign * compare(cell(a), cell(b))) || a - b;
    });
}
