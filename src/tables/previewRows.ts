// The first rows of a table as texts for the page.
import { typeOfValues } from "../mindsdb/tables.ts";
import type { SqlResult } from "../mindsdb/sql/runSql.ts";

/** How many rows the page of a table shows. */
export const maxPreviewRows = 100;

/** Longer values are cut, in characters. */
const maxValueLength = 10_000;

export interface PreviewRows {
  columns: { name: string; type?: string; isNumeric: boolean }[];
  /** One text for each column; null where the table has no value. */
  rows: (string | null)[][];
  /** The table has more rows. */
  hasMore: boolean;
}

/** Makes texts of the first rows of a table; `result` has one row more than are shown, if there are more. */
export function toPreviewRows({ columns, rows }: SqlResult): PreviewRows {
  const shown = rows.slice(0, maxPreviewRows);
  return {
    columns: columns.map((name, at) => {
      const type = typeOfValues(shown.map((row) => row[at]));
      return { name, ...(type === undefined ? {} : { type }), isNumeric: type === "number" };
    }),
    rows: shown.map((row) => columns.map((_, at) => toText(row[at]))),
    hasMore: rows.length > shown.length,
  };
}

function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}
