// The first rows of a table as texts for the page.
import type { CallOptions, Client } from "../mindsdb/http/client.ts";
import { asText } from "../mindsdb/json.ts";
import { mayEndEarly } from "../mindsdb/sql/earlyEnd.ts";
import { typeOfValues } from "../mindsdb/tables.ts";
import { truncate } from "../shared/oneLine.ts";
import type { RedactedResult } from "../mindsdb/redact/redactResult.ts";

export const maxPreviewRows = 100;

/** In characters. */
const maxValueLength = 10_000;

export interface PreviewRows {
  columns: { name: string; type?: string; isNumeric: boolean }[];
  /** One text for each column; null where the table has no value. */
  rows: (string | null)[][];
  hasMore: boolean;
  /** Whether all values are masked. */
  isMasked?: boolean;
  /** Whether there may be rows that the data source failed to send. */
  mayLackRows?: boolean;
}

/** Makes texts of the first `maxRows` rows of a result; longer values are cut to `maxLength` characters. */
export function toPreviewRows(
  { columns, rows, isMasked }: RedactedResult,
  maxRows = maxPreviewRows,
  maxLength = maxValueLength,
): PreviewRows {
  const shown = rows.slice(0, maxRows);
  return {
    columns: columns.map((name, at) => {
      const type = typeOfValues(shown.map((row) => row[at]));
      return { name, type, isNumeric: type === "number" };
    }),
    rows: shown.map((row) => columns.map((_, at) => toText(row[at], maxLength))),
    hasMore: rows.length > shown.length,
    ...(isMasked ? { isMasked } : {}),
  };
}

/** Finds out whether no rows of a statement can mean that the data source failed; see `mayEndEarly`. */
export async function checkNoRows(
  rows: PreviewRows,
  client: Client,
  statement: string,
  options: CallOptions & { database?: string | undefined },
): Promise<PreviewRows> {
  const isDoubtful = rows.rows.length === 0 && (await mayEndEarly(client, statement, 0, options));
  return isDoubtful ? { ...rows, mayLackRows: true } : rows;
}

function toText(value: unknown, maxLength: number): string | null {
  return value === null || value === undefined ? null : truncate(asText(value), maxLength);
}
