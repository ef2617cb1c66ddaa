// The rows of a result that was stored, for reading.
import type { StoredRows } from "./resultMetadata.ts";
import { ResultInMemory, type ResultWindows } from "./resultWindows.ts";
import { ResultOnDisk } from "./resultOnDisk.ts";
import { readTable } from "./sqlTableFile.ts";

/** Throws if the files in the folder are not what `rows` says. */
export async function openResultTable(
  folder: string,
  rows: StoredRows,
  worker: URL,
): Promise<ResultWindows> {
  if (rows.kind === "run") return ResultOnDisk.open({ folder, worker }, rows);
  return new ResultInMemory(await readTable(folder, rows.length));
}
