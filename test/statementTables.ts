// Where tests keep the rows of statements.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { ListColumns } from "../src/predict/result/listColumns.ts";
import { DiskTable } from "../src/predict/result/diskTable.ts";

const worker = new URL("../src/predict/result/tableWorker.ts", import.meta.url);
const root = fs.mkdtempSync(path.join(os.tmpdir(), "statements-"));
process.once("exit", () => fs.rmSync(root, { recursive: true, force: true }));

export function createStatementTable(runId: string, columns: ListColumns): Promise<DiskTable> {
  return DiskTable.create({ folder: path.join(root, runId), worker, columns });
}
