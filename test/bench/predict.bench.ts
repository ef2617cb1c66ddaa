// Rows from a file through a model and onto disk, against the loop that a user would write by hand; and what memory it
// takes. Run it by itself: node test/bench/predict.bench.ts
import { fork } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import Papa from "papaparse";
import { request } from "undici";
import { parseAddress } from "../../src/mindsdb/http/serverAddress.ts";
import type { Client } from "../../src/mindsdb/http/client.ts";
import { predict } from "../../src/mindsdb/predict.ts";
import { createTransport } from "../../src/mindsdb/http/transport.ts";
import { AdaptiveConcurrency } from "../../src/predict/run/adaptiveConcurrency.ts";
import { BatchSender } from "../../src/predict/run/batchSender.ts";
import { RowChecker } from "../../src/predict/run/rowChecker.ts";
import { detectRowsFormat, readRows, type RowsFormat } from "../../src/predict/rows/readRows.ts";
import type { Row } from "../../src/predict/rows/row.ts";
import { checkedRows, inBatches } from "../../src/predict/run/rowBatches.ts";
import { DiskTable } from "../../src/predict/result/diskTable.ts";
import { EventLoopYielder } from "../../src/mindsdb/yieldToEventLoop.ts";
import { median, printRows, type BenchRow } from "./bench.ts";
import { startPredictServer, type PredictServer } from "./predictServer.ts";
import { clientOver } from "../clientOver.ts";

const rowCount = 100_000;
const batchRows = 1_000;
const concurrency = 2;
const rounds = 5;
const worker = new URL("../../src/predict/result/tableWorker.ts", import.meta.url);

const inputs = [
  { name: "number_of_rooms", type: "integer" },
  { name: "number_of_bathrooms", type: "integer" },
  { name: "sqft", type: "float" },
  { name: "location", type: "categorical" },
  { name: "neighborhood", type: "categorical" },
  { name: "days_on_market", type: "integer" },
];

/** The same rows each time. */
function homes(count: number): Record<string, string>[] {
  let seed = 1;
  const pick = <T>(values: readonly T[]): T => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return values[seed % values.length]!;
  };
  const numbers = Array.from({ length: 1_000 }, (_, n) => String(n));
  return Array.from({ length: count }, () => ({
    number_of_rooms: pick(numbers.slice(0, 4)),
    number_of_bathrooms: pick(numbers.slice(1, 3)),
    sqft: pick(numbers),
    location: pick(["great", "good", "poor"]),
    neighborhood: pick(["downtown", "westbrae", "berkeley_hills"]),
    days_on_market: pick(numbers.slice(0, 90)),
  }));
}

function asLines(rows: unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

function writeFiles(folder: string): string[] {
  const rows = homes(rowCount);
  const files = {
    "rows.json": JSON.stringify(rows),
    "rows.jsonl": asLines(rows),
    "rows.csv": Papa.unparse(rows),
  };
  return Object.entries(files).map(([name, text]) => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, text);
    return file;
  });
}

interface ClientBench {
  client: Client;
  folder: string;
}

interface Bench extends ClientBench {
  server: PredictServer;
}

/** What the extension does: read, check, send, keep on disk. */
async function runToDisk(
  { client, folder }: ClientBench,
  chunks: AsyncIterable<Uint8Array>,
  format: RowsFormat,
  name = "home_rentals_model",
  runFolder = path.join(folder, "run"),
): Promise<DiskTable> {
  const known = {
    inputs: inputs.map(({ name }) => name),
    target: { name: "rental_price", type: "float" },
  };
  const table = await DiskTable.create({ folder: runFolder, worker, known });
  const model = { project: "mindsdb", name };
  const sender = new BatchSender({
    transport: { send: (body, signal) => predict(client, model, body, { signal }) },
    concurrency: new AdaptiveConcurrency(concurrency, { initial: concurrency }),
    signal: new AbortController().signal,
    onPause: ({ error }) => Promise.reject(error),
  });
  const yielder = new EventLoopYielder();
  for await (const answer of sender.send(checkedBatches(chunks, format))) {
    await table.add(answer);
    await yielder.yieldIfDue();
  }
  await table.written();
  return table;
}

async function* checkedBatches(
  chunks: AsyncIterable<Uint8Array>,
  format: RowsFormat,
): AsyncGenerator<Row[]> {
  const checker = new RowChecker(inputs, "rental_price");
  yield* inBatches(checkedRows(readRows(chunks, format), { checker }), batchRows);
  if (checker.findings.length > 0) throw new Error("The rows should fit the model.");
}

/** What a user would write: everything in memory, batches by slice, undici, replies in a list. */
async function byHand({ server }: Bench, file: string): Promise<unknown[]> {
  const text = fs.readFileSync(file, "utf8");
  const rows = parseByHand(file, text);
  const url = `${server.url}/api/projects/mindsdb/models/home_rentals_model/predict`;
  const replies: unknown[][] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < rows.length) {
      const start = next;
      next += batchRows;
      const data = rows.slice(start, next);
      const { body } = await request(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ data }),
      });
      replies[start / batchRows] = (await body.json()) as unknown[];
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return replies.flat();
}

function parseByHand(file: string, text: string): unknown[] {
  switch (detectRowsFormat(file)) {
    case "json":
      return JSON.parse(text) as unknown[];
    case "jsonLines":
      return text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as unknown);
    case "csv":
      return Papa.parse(text, { header: true, skipEmptyLines: true }).data;
    case undefined:
      throw new Error(`What is ${file}?`);
  }
}

/** ms until all rows are answered; letting go of them is not counted. */
async function timeOf(work: () => Promise<{ length: number }>, expected: number): Promise<number> {
  const start = performance.now();
  const rows = await work();
  const ms = performance.now() - start;
  if (rows.length !== expected) throw new Error(`${rows.length} rows instead of ${expected}`);
  if (rows instanceof DiskTable) await rows.dispose();
  return ms;
}

/** Both in turn, five rounds after two to warm up. */
async function speedRow(bench: Bench, file: string, budget: number): Promise<BenchRow> {
  const our: number[] = [];
  const their: number[] = [];
  for (let round = -1; round <= rounds; round++) {
    const chunks = fs.createReadStream(file, { highWaterMark: 1024 * 1024 });
    const mine = await timeOf(() => runToDisk(bench, chunks, detectRowsFormat(file)!), rowCount);
    const theirs = await timeOf(() => byHand(bench, file), rowCount);
    if (round <= 0) continue;
    our.push(mine);
    their.push(theirs);
  }
  const value = median(our);
  const against = median(their);
  const name = `${rowCount.toLocaleString("en")} rows of ${path.extname(file)}, file to disk`;
  console.log(`${name}: ${Math.round((1_000 * rowCount) / value).toLocaleString("en")} rows/s`);
  return { name, value, against, ratio: value / against, budget, unit: "ms" };
}

/** 2 GB of JSON Lines in a process of its own: what it takes at its peak, over what it has when idle. */
async function memoryRow({ server }: Bench): Promise<BenchRow> {
  const child = fork(import.meta.filename, ["memory", server.url]);
  const [{ megabytes, seconds }] = (await once(child, "message")) as [MemoryUse];
  await once(child, "exit");
  console.log(`2 GB of JSON Lines: ${seconds.toFixed(0)} s`);
  const name = "2 GB of JSON Lines, memory over idle";
  return { name, value: megabytes, against: 300, ratio: megabytes / 300, budget: 1, unit: "MB" };
}

interface MemoryUse {
  megabytes: number;
  seconds: number;
}

async function useMemory(url: string): Promise<MemoryUse> {
  const lines = Buffer.from(asLines(homes(8_000)));
  const times = Math.ceil((2 * 1024 ** 3) / lines.length);
  // eslint-disable-next-line @typescript-eslint/require-await -- Stands for a file, whose bytes come over time.
  async function* twoGigabytes(): AsyncGenerator<Uint8Array> {
    for (let time = 0; time < times; time++) yield Buffer.from(lines);
  }
  return withClient(url, async (bench) => {
    const idle = process.memoryUsage.rss();
    let peak = idle;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 50);
    const ms = await timeOf(
      () => runToDisk(bench, twoGigabytes(), "jsonLines", "short"),
      8_000 * times,
    );
    clearInterval(watch);
    return { megabytes: (peak - idle) / 1024 ** 2, seconds: ms / 1_000 };
  });
}

/** Gives the result of so many rows, on disk in this folder. */
export async function manyRows<T>(
  count: number,
  folder: string,
  work: (table: DiskTable) => Promise<T>,
): Promise<T> {
  const server = await startPredictServer();
  try {
    return await withClient(server.url, async (client) => {
      const text = Buffer.from(asLines(homes(10_000)));
      const chunks = Array.from({ length: count / 10_000 }, () => text);
      const table = await runToDisk(client, toAsync(chunks), "jsonLines", undefined, folder);
      const result = await work(table);
      await table.dispose();
      return result;
    });
  } finally {
    await server.stop();
  }
}

// eslint-disable-next-line @typescript-eslint/require-await -- As chunks of a file come.
async function* toAsync(chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** A client of that server, and a folder that is gone afterwards. */
async function withClient<T>(url: string, work: (client: ClientBench) => Promise<T>): Promise<T> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "predict-bench-"));
  const transport = createTransport(parseAddress(url));
  const client = clientOver(transport);
  try {
    return await work({ client, folder });
  } finally {
    await transport.close();
    fs.rmSync(folder, { recursive: true });
  }
}

export async function run(): Promise<BenchRow[]> {
  const server = await startPredictServer();
  try {
    return await withClient(server.url, async (client) => {
      const bench = { server, ...client };
      const rows: BenchRow[] = [];
      for (const file of writeFiles(bench.folder)) {
        // No less than the hand-written loop's rows/s; 0.9 of it where both sides parse alike.
        rows.push(await speedRow(bench, file, file.endsWith(".csv") ? 1.1 : 1));
      }
      rows.push(await memoryRow(bench));
      return rows;
    });
  } finally {
    await server.stop();
  }
}

if (import.meta.filename === process.argv[1]) {
  if (process.argv[2] === "memory") process.send?.(await useMemory(process.argv[3] ?? ""));
  else printRows(await run());
}
