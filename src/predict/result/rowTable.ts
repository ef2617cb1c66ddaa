import type { ResultColumn, ResultRow } from "../messages.ts";
import { parseStringLiteral } from "../rows/jsonLiteral.ts";

/** The indices (from 0) of a view's rows in its order; undefined for all rows in their own order. */
export type RowOrder = Uint32Array | undefined;

/** A result whose rows can be sorted, searched and exported. */
export interface RowTable {
  readonly columns: readonly ResultColumn[];
  readonly length: number;
  /** How many rows the server refused. */
  readonly refused: number;
  /** A value as JSON; undefined if the row has none. */
  valueOf(row: number, column: number): string | undefined;
  valuesOf(row: number): (string | undefined)[];
  /** Why the server refused a row; undefined if it did not. */
  refusedAt(row: number): string | undefined;
}

/** Whether a value of a row, or the reason of its refusal, contains a lower-case text in any case. */
export function rowContains(table: RowTable, row: number, wanted: string): boolean {
  return (
    valueContains(table.refusedAt(row), wanted) ||
    table.valuesOf(row).some((value) => valueContains(value, wanted))
  );
}

/** Whether a value contains a lower-case text in any case. */
export function valueContains(json: string | undefined, wanted: string): boolean {
  return json !== undefined && parseStringLiteral(json).toLowerCase().includes(wanted);
}

/** Characters of a value in a window; copies and exports are complete. */
const maxShownLength = 10_000;

function truncateJson(json: string): string {
  if (json.length <= maxShownLength) return json;
  // A truncated string must be a string again.
  return json.startsWith('"')
    ? JSON.stringify(parseStringLiteral(json).slice(0, maxShownLength))
    : json.slice(0, maxShownLength);
}

/** A row of a window; `index` is counted from 0. */
export function toResultRow(
  index: number,
  values: readonly (string | undefined)[],
  refused: string | undefined,
): ResultRow {
  return {
    number: index + 1,
    values: values.map((value) => (value === undefined ? null : truncateJson(value))),
    // Posted to the page: rows that are not refused have no such key.
    ...(refused === undefined ? {} : { refused }),
  };
}
