import type { SqlResult } from "../../mindsdb/sql/runSql.ts";
import { parseRows } from "../../predict/rows/readRows.ts";
import type { Row } from "../../predict/rows/row.ts";

/** Rows of a server as rows of a file; of columns with the same name the last one counts. */
export function toRows({ columns, rows }: SqlResult): Row[] {
  if (rows.length === 0 || columns.length === 0) return [];
  const objects = rows.map((cells) =>
    Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? null])),
  );
  return parseRows(Buffer.from(JSON.stringify(objects)));
}

/** A number that has lost digits on its way: JSON's numbers are read as JavaScript's. */
export function findInexactNumber(
  { columns, rows }: SqlResult,
  column: string,
): number | undefined {
  const at = columns.indexOf(column);
  const found = rows.find((row) => Number.isInteger(row[at]) && !Number.isSafeInteger(row[at]));
  return found?.[at] as number | undefined;
}
