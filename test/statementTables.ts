// Where tests keep the rows of statements.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { ListColumns } from "../src/predict/result/listColumns.ts";
import { ResultOnDisk } from "../src/predict/result/resultOnDisk.ts";

const worker = new URL("../src/predict/result/resultWorker.ts", import.meta.url);
const root = fs.mkdtempSync(path.join(os.tmpdir(), "statements-"));
process.once("exit", () => fs.rmSync(root, { recursive: true, force: true }));

export function createStatementTable(runId: string, columns: ListColumns): Promise<ResultOnDisk> {
  return ResultOnDisk.create({ folder: path.join(root, runId), worker, columns });
}
