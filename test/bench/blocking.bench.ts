// How long 1 MB of columns, keys, variables or list entries blocks the extension host at a time.
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { TestFileProcess } from "../../src/agentTests/files/testFileProcess.ts";
import { readObservation } from "../../src/chat/tables/observationTables.ts";
import { describeModel } from "../../src/mindsdb/describeModel.ts";
import { parseAddress } from "../../src/mindsdb/http/serverAddress.ts";
import { createTransport } from "../../src/mindsdb/http/transport.ts";
import { searchKnowledgeBase } from "../../src/mindsdb/searchKnowledgeBase.ts";
import { attributeTable } from "../../src/models/modelDescription.ts";
import { maxColumns } from "../../src/predict/rows/row.ts";
import { readRows, type RowsFormat } from "../../src/predict/rows/readRows.ts";
import { findChangedCells, findChangedColumns, readCsvStart } from "../../src/tables/csvChecks.ts";
import { clientOver } from "../clientOver.ts";
import type { BenchRow } from "./bench.ts";

const script = new URL("../../src/agentTests/files/testFileProcessMain.ts", import.meta.url);
const parser = new TestFileProcess({ script, texts: undefined });

const size = 1_000_000;
const maxBlockMs = 50;
const rounds = 5;

/** About so many characters of what is made for each number. */
function fill(make: (n: number) => string, between = "", length = size): string {
  const parts: string[] = [];
  for (let all = 0; all < length; all += parts.at(-1)!.length + between.length) {
    parts.push(make(parts.length));
  }
  return parts.join(between);
}

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, n) => from + n);
const jsonRow = (count: number, from = 0): string =>
  `{${numbers(count, from)
    .map((n) => `"c${String(n)}": ${String(n)}`)
    .join()}}`;
const csvRow = (count: number): string =>
  numbers(count)
    .map((n) => `c${String(n)}`)
    .join();

const rowFiles: [name: string, format: RowsFormat, text: string][] = [
  ["a header of CSV", "csv", `${fill((n) => `c${String(n)}`, ",")}\n1\n`],
  ["columns of CSV", "csv", `${csvRow(maxColumns)}\n${fill(() => csvRow(maxColumns), "\n")}\n`],
  ["keys of a row of JSON", "json", `[{${fill((n) => `"c${String(n)}": 1`, ",")}}]`],
  ["keys of rows of JSON", "json", `[${fill(() => jsonRow(maxColumns), ",")}]`],
  ["keys of lines of JSON", "jsonLines", fill((n) => jsonRow(100, 100 * n), "\n")],
];

const head = "providers: ['mindsdb:mindsdb/agent']\nprompts: ['{{question}}']\ntests:\n";
/** What a test file, which may be as long, has beside the rest. */
const yamlSize = size - 5_000;
const testFiles: [name: string, text: string][] = [
  [
    "tests",
    head +
      fill(
        (n) =>
          `  - description: Question ${String(n)}\n    vars: { question: "What does flat number ${String(n)} in the north of the city cost, and why?" }\n` +
          `    assert: [{ type: contains, value: "${String(n)}" }, { type: latency, threshold: 5000 }]\n`,
        "",
        yamlSize,
      ),
  ],
  [
    "variables of a test file",
    `${head}  - vars:\n      question: q\n${fill((n) => `      v${String(n)}: 1\n`, "", yamlSize)}`,
  ],
  [
    "variables of tests",
    head +
      fill(
        (n) =>
          `  - vars: { question: q${String(n)}, ${fill((v) => `v${String(v)}: ${String(n)}`, ", ", 9_000)} }\n`,
        "",
        yamlSize,
      ),
  ],
  [
    "questions of a list",
    `${head}  - vars:\n      question:\n${fill((n) => `        - q${String(n)}\n`, "", yamlSize)}`,
  ],
  [
    "list entries of an assertion",
    `${head}  - vars: { question: q }\n    assert:\n      - type: contains-any\n        value: [${fill((n) => `a${String(n)}`, ", ", yamlSize)}]\n`,
  ],
  [
    "assertions",
    `${head}  - vars: { question: q }\n    assert:\n${fill((n) => `      - { type: contains, value: "${String(n)}" }\n`, "", yamlSize)}`,
  ],
  [
    "keys of a test file",
    `${head}  - vars: { question: q }\n${fill((n) => `key${String(n)}: 1\n`, "", yamlSize)}`,
  ],
];

const metadata = (count: number, from: number) =>
  Object.fromEntries(numbers(count, from).map((n) => [`key${String(n)}`, n]));
const searchRows = numbers(50).map((n) => [String(n), "text", metadata(1_000, 1_000 * n), 0.9]);

const answers: Record<string, string> = {
  "/api/sql/query": JSON.stringify({
    type: "table",
    column_names: ["id", "chunk_content", "metadata", "relevance"],
    data: searchRows,
  }),
  "/api/projects/mindsdb/models/model/describe": JSON.stringify(
    numbers(50).map((n) => metadata(1_000, 1_000 * n)),
  ),
};

/**
 * ms of the longest time in which nothing else could run, as the thread's processor time: others use the machine too. The
 * shortest of some rounds.
 */
async function measureBlock(work: () => unknown): Promise<number> {
  let best = Infinity;
  for (let round = 0; round < rounds; round++) {
    let longest = 0;
    let last = readThreadMs();
    const measure = (): void => {
      const now = readThreadMs();
      longest = Math.max(longest, now - last);
      last = now;
    };
    let isDone = false;
    const working = Promise.resolve()
      .then(work)
      .finally(() => (isDone = true));
    do {
      await setImmediate();
      measure();
    } while (!isDone);
    await working;
    best = Math.min(best, longest);
  }
  return best;
}

function readThreadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

export async function run(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  async function add(name: string, work: () => unknown): Promise<void> {
    const value = await measureBlock(work);
    const ratio = value / maxBlockMs;
    rows.push({
      name: `1 MB of ${name} blocks`,
      value,
      against: maxBlockMs,
      ratio,
      budget: 1,
      unit: "ms",
    });
  }
  for (const [name, format, text] of rowFiles) {
    const bytes = Buffer.from(text);
    await add(name, () => drain(bytes, format));
  }
  const [, , csv] = rowFiles[1]!;
  await add("columns before an upload", () => {
    const start = readCsvStart(csv.slice(0, 256 * 1024));
    return [findChangedCells(start), findChangedColumns(start)];
  });
  for (const [name, text] of testFiles) {
    await add(name, () => parser.run("readTestFile", [text]));
  }
  const chunks = numbers(50).map((n) => {
    const keys = JSON.stringify(metadata(1_000, 1_000 * n)).replaceAll('"', "'");
    return `${String(n)},"${keys}"`;
  });
  const observation = `chunk_content,metadata\n${chunks.join("\n")}`;
  await add("metadata in an agent's step", () => readObservation(observation));
  await withClient(async (client) => {
    const search = { question: "q", limit: 100, filters: [] };
    const place = { project: "mindsdb", name: "model" };
    await add("metadata that a search finds", () => searchKnowledgeBase(client, place, search));
    await add("attributes of a model", async () =>
      attributeTable(await describeModel(client, place, "a")),
    );
  });
  return rows;
}

/** Rows are handled between the pieces of a file. */
async function drain(bytes: Buffer, format: RowsFormat): Promise<void> {
  try {
    const rows = readRows([bytes], format);
    while (!(await rows.next()).done) await setImmediate();
  } catch {
    // Too many columns.
  }
}

async function withClient(
  work: (client: ReturnType<typeof clientOver>) => Promise<void>,
): Promise<void> {
  const server = http.createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/json" });
    response.end(answers[request.url ?? ""] ?? "[]");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const transport = createTransport(parseAddress(`http://127.0.0.1:${String(port)}`));
  try {
    await work(clientOver(transport));
  } finally {
    await transport.close();
    server.close();
  }
}
