import type { SqlResult } from "../../mindsdb/sql/runSql.ts";

/** A number that has lost digits on its way: JSON's numbers are read as JavaScript's. */
export function findInexactNumber(
  { columns, rows }: SqlResult,
  column: string,
): number | undefined {
  const at = columns.indexOf(column);
  const found = rows.find((row) => Number.isInteger(row[at]) && !Number.isSafeInteger(row[at]));
  return found?.[at] as number | undefined;
}
