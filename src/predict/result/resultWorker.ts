// The worker thread of a run: sorts, searches and exports it, so that the extension host never waits.
import fs from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { exportLines, type ExportFormat } from "./exportLines.ts";
import type { ResultView } from "../messages.ts";
import { sortAndFilter } from "./sortAndFilter.ts";
import { temporaryFile } from "./replaceFile.ts";
import { ResultFileTable, type ResultFiles } from "./resultFileTable.ts";

/** What a worker is started for. */
export interface ResultTask {
  run: ResultFiles;
  task:
    { kind: "order"; view: ResultView } | { kind: "export"; format: ExportFormat; file: string };
}

/** What it answers: the rows' indices in the view's order, none if that is the file's. */
export interface ResultTaskResult {
  order?: Uint32Array<ArrayBuffer>;
}

/** Lines are written this many characters at a time. */
const pieceLength = 1024 * 1024;

async function work({ run, task }: ResultTask): Promise<ResultTaskResult> {
  const table = new ResultFileTable(run);
  try {
    if (task.kind === "export") {
      writeLines(task.file, exportLines(table, task.format));
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
      if (piece.length < pieceLength) continue;
      fs.writeFileSync(output, piece);
      piece = "";
    }
    fs.writeFileSync(output, piece);
  } finally {
    fs.closeSync(output);
  }
}

const result = await work(workerData as ResultTask);
parentPort?.postMessage(result, result.order ? [result.order.buffer] : []);
