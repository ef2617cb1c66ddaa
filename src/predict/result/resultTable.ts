// What a result is to those who sort, search and export it: columns, and rows by their index.
import type { ResultColumn, ResultRow } from "../messages.ts";
import { parseStringLiteral } from "../rows/jsonLiteral.ts";

export interface ResultTable {
  readonly columns: readonly ResultColumn[];
  readonly length: number;
  /** How many rows the server refused. */
  readonly refused: number;
  /** As JSON writes it; undefined where the row has none. */
  valueOf(row: number, column: number): string | undefined;
  valuesOf(row: number): (string | undefined)[];
  /** Why the server refused a row; undefined if it did not. */
  refusedAt(row: number): string | undefined;
  /** Whether a value of a row, or the reason of its refusal, holds a text in small letters, whatever its own case. */
  holds(row: number, wanted: string): boolean;
}

/** Whether a value holds a text in small letters. */
export function valueContains(written: string | undefined, wanted: string): boolean {
  return written !== undefined && parseStringLiteral(written).toLowerCase().includes(wanted);
}

/** What a statement gave. */
export class SqlTable implements ResultTable {
  readonly columns: readonly ResultColumn[];
  readonly refused = 0;
  readonly #rows: readonly unknown[][];

  constructor({ columns, rows }: { columns: readonly string[]; rows: readonly unknown[][] }) {
    this.#rows = rows;
    this.columns = columns.map((name, index) => {
      const values = rows
        .slice(0, 200)
        .map((row) => row[index])
        .filter((value) => value !== null);
      const isNumber = values.length > 0 && values.every((value) => typeof value === "number");
      return { name, part: "input", kind: isNumber ? "number" : "text" };
    });
  }

  get length(): number {
    return this.#rows.length;
  }

  valueOf(row: number, column: number): string | undefined {
    const value = this.#rows[row]?.[column];
    return value === undefined ? undefined : JSON.stringify(value);
  }

  valuesOf(row: number): (string | undefined)[] {
    return this.columns.map((_, column) => this.valueOf(row, column));
  }

  refusedAt(): undefined {
    return undefined;
  }

  holds(row: number, wanted: string): boolean {
    return this.valuesOf(row).some((value) => valueContains(value, wanted));
  }
}

/** Of a value that is longer a window shows so much; copying and exporting take all of it. */
const maxShown = 10_000;

function cut(written: string): string {
  if (written.length <= maxShown) return written;
  // What is left of a text is one again.
  return written.startsWith('"')
    ? JSON.stringify(parseStringLiteral(written).slice(0, maxShown))
    : written.slice(0, maxShown);
}

/** A row as a window shows it; `index` is counted from 0. */
export function toResultRow(
  index: number,
  values: readonly (string | undefined)[],
  refused: string | undefined,
): ResultRow {
  return {
    number: index + 1,
    values: values.map((value) => (value === undefined ? null : cut(value))),
    ...(refused === undefined ? {} : { refused }),
  };
}
