// A statement of 1,000,000 rows as MindsDB 26 streams it, against a reader that only looks for its first row; and what
// memory it takes. Run it by itself: node test/bench/statement.bench.ts
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { fork } from "node:child_process";
import { once } from "node:events";
import { request } from "undici";
import { parseAddress } from "../../src/mindsdb/http/serverAddress.ts";
import { createTransport } from "../../src/mindsdb/http/transport.ts";
import { DiskTable } from "../../src/predict/result/diskTable.ts";
import { StatementRun } from "../../src/predict/run/statementRun.ts";
import { clientOver } from "../clientOver.ts";
import { runTextsForTests } from "../runTexts.ts";
import { median, printRows, type BenchRow } from "./bench.ts";

const rowCount = 1_000_000;
const blockRows = 10_000;
/** Of 26.1.0 with PostgreSQL (measured). */
const firstByteMs = 140;
const rounds = 5;
const maxMemoryMb = 150;
const worker = new URL("../../src/predict/result/tableWorker.ts", import.meta.url);

interface Measured {
  /** ms until the first row can be shown. */
  first: number;
  /** ms until the last row is on disk. */
  whole: number;
  /** MB over idle, at most. */
  memory: number;
}

/** Answers each statement with a million rows, in blocks as the server reads them; in a process of its own. */
function serve(): void {
  const block = `${JSON.stringify(
    Array.from({ length: blockRows }, (_, id) => [
      id,
      `note ${String(id)}`,
      id / 4,
      "2024-02-29",
      null,
    ]),
  )}\n`;
  const server = http.createServer((incoming, response) => {
    incoming.resume();
    if (incoming.method === "GET") {
      response.setHeader("content-type", "application/json");
      response.end(incoming.url === "/api/status" ? '{"mindsdb_version":"26.1.0"}' : "[]");
      return;
    }
    response.setHeader("content-type", "application/jsonlines");
    setTimeout(() => sendRows(response, block), firstByteMs);
  });
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
}

function sendRows(response: http.ServerResponse, block: string): void {
  response.write('{"type":"table","column_names":["id","note","n","day","x"]}\n');
  let left = rowCount / blockRows;
  const send = (): void => {
    while (left-- > 0) if (!response.write(block)) return void response.once("drain", send);
    response.end();
  };
  send();
}

/** ms until a reader that parses nothing has a row. */
async function readFirst(url: string): Promise<number> {
  const start = performance.now();
  const { body } = await request(`${url}/api/sql/query`, { method: "POST", body: "{}" });
  let text = "";
  for await (const chunk of body as AsyncIterable<Buffer>) {
    text += chunk.toString();
    if (/\n\[\[[^\]]*\]/.test(text)) break;
  }
  return performance.now() - start;
}

async function runStatement(url: string, folder: string): Promise<Measured> {
  const transport = createTransport(parseAddress(url));
  const client = clientOver(transport);
  const idle = process.memoryUsage.rss();
  let peak = idle;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20);
  const start = performance.now();
  let first: number | undefined;
  const run: StatementRun = new StatementRun({
    client: () => Promise.resolve(client),
    explain: (error) => ({ message: String(error) }),
    logError: (what, error) => console.error(what, error),
    texts: runTextsForTests,
    onProgress: () => {
      if (run.table.length > 0) first ??= performance.now() - start;
    },
    createTable: (_, columns) => DiskTable.create({ folder, worker, columns }),
  });
  await run.runStatement("SELECT * FROM shop.orders", 0);
  const whole = performance.now() - start;
  clearInterval(watch);
  if (run.table.length !== rowCount) throw new Error(JSON.stringify(run.progress.state));
  await run.dispose();
  await transport.close();
  fs.rmSync(folder, { recursive: true });
  return { first: first ?? Number.NaN, whole, memory: (peak - idle) / 1024 ** 2 };
}

function row(name: string, value: number, against: number, budget: number, unit: string): BenchRow {
  return { name, value, against, ratio: value / against, budget, unit };
}

export async function run(): Promise<BenchRow[]> {
  const server = fork(import.meta.filename, ["serve"]);
  const [port] = (await once(server, "message")) as [number];
  const url = `http://127.0.0.1:${String(port)}`;
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "statement-bench-"));
  try {
    const plain: number[] = [];
    const ours: Measured[] = [];
    for (let round = 0; round <= rounds; round++) {
      const [first, measured] = [
        await readFirst(url),
        await runStatement(url, path.join(root, "run")),
      ];
      if (round === 0) continue;
      plain.push(first);
      ours.push(measured);
    }
    const of = (part: keyof Measured) => median(ours.map((one) => one[part]));
    return [
      row("1,000,000 rows of a statement, first row", of("first"), median(plain), 1.5, "ms"),
      row("1,000,000 rows of a statement, memory", of("memory"), maxMemoryMb, 1, "MB"),
      // As long as a real server needs to read them (26.1.0 with PostgreSQL).
      row("1,000,000 rows of a statement, on disk", of("whole"), 19_000, 1, "ms"),
    ];
  } finally {
    server.kill();
    fs.rmSync(root, { recursive: true, force: true });
  }
}

if (process.argv[2] === "serve") serve();
else if (import.meta.filename === process.argv[1]) printRows(await run());
