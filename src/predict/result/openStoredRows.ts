// The rows of a result that was stored, for reading.
import type { StoredRows } from "./keptResult.ts";
import { MemorySource, type ResultSource } from "./resultSource.ts";
import { RunTable } from "./runTable.ts";
import { readTable } from "./tableFile.ts";

/** Throws if the files in the folder are not what `rows` says. */
export async function openStoredRows(
  folder: string,
  rows: StoredRows,
  worker: URL,
): Promise<ResultSource> {
  if (rows.kind === "run") return RunTable.open({ folder, worker }, rows);
  return new MemorySource(await readTable(folder, rows.length));
}
