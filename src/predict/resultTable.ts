// What a result is to those who show it: columns, and rows by their index.
import type { ResultColumns } from "./resultColumns.ts";
import { type AnsweredRow } from "./resultColumns.ts";
import type { ResultColumn, ResultRow } from "./messages.ts";

export interface ResultTable {
  readonly columns: readonly ResultColumn[];
  readonly length: number;
  /** As JSON writes it; undefined where the row has none. */
  valueOf(row: number, column: number): string | undefined;
  valuesOf(row: number): (string | undefined)[];
  /** Why the server refused a row; undefined if it did not. */
  refusedAt(row: number): string | undefined;
}

/** Rows with their replies, as they come. */
export class AnsweredTable implements ResultTable {
  #columns: ResultColumns | undefined;
  readonly #rows: AnsweredRow[] = [];

  get columns(): ResultColumn[] {
    return this.#columns?.columns ?? [];
  }

  get length(): number {
    return this.#rows.length;
  }

  /** The columns have to be known before the first row is shown. */
  setColumns(columns: ResultColumns): void {
    this.#columns = columns;
  }

  add(rows: readonly AnsweredRow[]): void {
    for (const row of rows) this.#rows.push(row);
  }

  valueOf(row: number, column: number): string | undefined {
    const answered = this.#rows[row];
    return answered && this.#columns?.valueOf(answered, column);
  }

  valuesOf(row: number): (string | undefined)[] {
    const answered = this.#rows[row];
    return (answered && this.#columns?.valuesOf(answered)) ?? [];
  }

  refusedAt(row: number): string | undefined {
    return this.#rows[row]?.refused;
  }
}

/** What a statement gave. */
export class SqlTable implements ResultTable {
  readonly columns: readonly ResultColumn[];
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
}

/** A value in a window is not longer than this; copying and exporting take all of it. */
const maxShown = 10_000;

/** A row as a window shows it. */
export function toResultRow(table: ResultTable, row: number): ResultRow {
  const refused = table.refusedAt(row);
  const values = table.valuesOf(row).map((value) => {
    if (value === undefined) return null;
    return value.length > maxShown ? value.slice(0, maxShown) : value;
  });
  return { number: row + 1, values, ...(refused === undefined ? {} : { refused }) };
}
