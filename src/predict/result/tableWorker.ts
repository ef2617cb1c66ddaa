// The worker thread that sorts, searches and exports a result, so that the extension host stays responsive.
import fs from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { exportLines } from "./exportLines.ts";
import type { ExportFormat } from "../../shared/exportFormat.ts";
import type { ResultView } from "../messages.ts";
import { sortAndFilter } from "./sortAndFilter.ts";
import { temporaryFile } from "../../shared/files/replaceFile.ts";
import type { RowOrder } from "./rowTable.ts";
import { FileRowTable, type RowFiles } from "./fileRowTable.ts";

/** The data that a worker is started with. */
export interface TableTask {
  run: RowFiles;
  task:
    | { kind: "order"; view: ResultView }
    | { kind: "export"; format: ExportFormat; file: string; order: RowOrder };
}

/** The worker's answer: the indices of the view's rows in its order, absent for all rows in their own order. */
export interface TableTaskReply {
  order?: Uint32Array<ArrayBuffer>;
}

/** Characters that are written at a time. */
const maxPieceLength = 1024 * 1024;

async function work({ run, task }: TableTask): Promise<TableTaskReply> {
  const table = new FileRowTable(run);
  try {
    if (task.kind === "export") {
      writeLines(task.file, exportLines(table, task.format, task.order));
      return {};
    }
    const order = await sortAndFilter(table, task.view);
    return order ? { order: new Uint32Array(order) } : {};
  } finally {
    table.close();
  }
}

function writeLines(file: string, lines: Iterable<string>): void {
  const output = fs.openSync(file, temporaryFile.flag, temporaryFile.mode);
  try {
    let piece = "";
    for (const line of lines) {
      piece += line;
      if (piece.length < maxPieceLength) continue;
      fs.writeFileSync(output, piece);
      piece = "";
    }
    fs.writeFileSync(output, piece);
  } finally {
    fs.closeSync(output);
  }
}

const result = await work(workerData as TableTask);
parentPort?.postMessage(result, result.order ? [result.order.buffer] : []);
