import { ResultOnDisk } from "./resultOnDisk.ts";
import type { StoredRows } from "./resultMetadata.ts";
import { EmptyResult, type ResultWindows } from "./resultWindows.ts";

/** Opens the rows of a stored result. Throws if its files do not match `rows`. */
export async function openResultTable(
  folder: string,
  rows: StoredRows,
  worker: URL,
): Promise<ResultWindows> {
  // A run without a table has no files of rows.
  if (rows.columns.sources.length === 0) return new EmptyResult();
  return ResultOnDisk.open({ folder, worker }, rows);
}
