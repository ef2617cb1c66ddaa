import { DiskTable } from "./diskTable.ts";
import type { StoredRows } from "./resultMetadata.ts";
import { EmptyResultTable, type ResultTable } from "./resultTable.ts";

/** Opens the rows of a stored result. Throws if its files do not match `rows`. */
export async function openResultTable(
  folder: string,
  rows: StoredRows,
  worker: URL,
): Promise<ResultTable> {
  // A run without a table has no files of rows.
  if (rows.columns.sources.length === 0) return new EmptyResultTable();
  return DiskTable.open({ folder, worker }, rows);
}
