import { AppError } from "../../mindsdb/errors.ts";
import type { SqlResult } from "../../mindsdb/sql/runSql.ts";
import { parseRows } from "../../predict/rows/readRows.ts";
import { uniqueNames } from "../../shared/uniqueNames.ts";
import { describeTooManyColumns, maxColumns, type Row } from "../../predict/rows/row.ts";

/**
 * Rows of a server as rows of a file; repeated column names get numbers. Numbers are written as JavaScript
 * does, so that an id is 7 whether the server writes 7 or 7.0.
 */
export function toRows({ columns, rows }: SqlResult): Row[] {
  if (rows.length === 0 || columns.length === 0) return [];
  if (columns.length > maxColumns) throw new AppError("refused", describeTooManyColumns());
  const names = uniqueNames(columns);
  const objects = rows.map((cells) =>
    Object.fromEntries(names.map((column, at) => [column, cells[at] ?? null])),
  );
  return parseRows(Buffer.from(JSON.stringify(objects)));
}
