import type { StoredRows } from "./resultMetadata.ts";
import { ResultInMemory, type ResultWindows } from "./resultWindows.ts";
import { ResultOnDisk } from "./resultOnDisk.ts";
import { readTable } from "./sqlTableFile.ts";

/** Opens the rows of a stored result. Throws if its files do not match `rows`. */
export async function openResultTable(
  folder: string,
  rows: StoredRows,
  worker: URL,
): Promise<ResultWindows> {
  if (rows.kind === "run") return ResultOnDisk.open({ folder, worker }, rows);
  return new ResultInMemory(await readTable(folder, rows.length));
}
