// A result of a million rows: its grid in a browser, the windows that it asks for, how long the host is kept busy while the
// rows are sorted and searched, and how soon it is shown again later. The host is this process, the rows are on disk.
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import os from "node:os";
import path from "node:path";
import * as esbuild from "esbuild";
import type { Page } from "playwright-core";
import type { ResultHeader, ResultItem, ToHost, ToPage } from "../../src/predict/messages.ts";
import { NotebookIndex } from "../../src/predict/result/notebookIndex.ts";
import { openResultTable } from "../../src/predict/result/openResultTable.ts";
import type { RowOrder } from "../../src/predict/result/rowTable.ts";
import type { ResultTable } from "../../src/predict/result/resultTable.ts";
import { ResultStore } from "../../src/predict/result/resultStore.ts";
import type { DiskTable } from "../../src/predict/result/diskTable.ts";
import { launchBrowser } from "../../scripts/vscode/browser.ts";
import { median, type BenchRow } from "./bench.ts";
import { manyRows } from "./predict.bench.ts";
import "../page/chatPage.ts";

const root = path.resolve(import.meta.dirname, "..", "..");

const count = 1_000_000;
const paints = 5;
const windows = 200;
/** A task that keeps the host busy for longer is felt. */
const longTaskMs = 50;

export async function run(): Promise<BenchRow[]> {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "grid-bench-"));
  const stored: StoredPlace = {
    root,
    address: "file:///bench.predict.md",
    key: "key",
    id: randomUUID(),
  };
  try {
    const folder = await storeOf(stored).create(stored.id);
    return await manyRows(count, folder, async (table) => {
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      const [order] = await sortAndSearch(table);
      const windows = await windowRow(table, order);
      delay.disable();
      await keep(table, stored);
      return [windows, delayRow(delay.max / 1e6), ...(await paintRows(table, stored))];
    });
  } finally {
    fs.rmSync(root, { recursive: true });
  }
}

/** Where a stored result is found. */
interface StoredPlace {
  root: string;
  address: string;
  key: string;
  id: string;
}

/** As a window that has just been opened has it. */
function storeOf({ root }: StoredPlace): ResultStore {
  return new ResultStore(root, new NotebookIndex(root));
}

async function keep(table: DiskTable, { root, address, key, id }: StoredPlace): Promise<void> {
  await storeOf({ root, address, key, id }).keep(id, {
    origin: { startedAt: Date.now(), connectionId: "bench", contentHash: key },
    outcome: { state: { kind: "done" }, count: table.length, refused: 0, notes: [] },
    rows: await table.store(),
  });
  await new NotebookIndex(root).change(address, () => ({ [key]: id }));
}

/** The result that a notebook's cell has, read from disk. */
async function reopen(place: StoredPlace): Promise<ResultTable> {
  const found = await new NotebookIndex(place.root).read(place.address);
  const opened = await storeOf(place).open(found[place.key] ?? "");
  if (!opened) throw new Error("The result is not there.");
  const worker = new URL("../../src/predict/result/tableWorker.ts", import.meta.url);
  return openResultTable(opened.folder, opened.result.rows, worker);
}

/** The longest time that the host was kept from doing anything else. */
function delayRow(value: number): BenchRow {
  const name = "longest task in the host meanwhile";
  return { name, value, against: longTaskMs, ratio: value / longTaskMs, budget: 1, unit: "ms" };
}

/** What these take is only reported: they run in a worker thread. */
async function sortAndSearch(table: DiskTable): Promise<RowOrder[]> {
  const column = table.columns.findIndex(({ name }) => name === "sqft");
  const views = [
    { what: "sorting", view: { sort: { column, descending: true } } },
    { what: "searching", view: { find: "westbrae" } },
  ];
  const orders: RowOrder[] = [];
  for (const { what, view } of views) {
    const start = performance.now();
    orders.push(await table.order(view));
    const seconds = (performance.now() - start) / 1_000;
    console.log(`${what} ${count.toLocaleString("en")} rows: ${seconds.toFixed(1)} s`);
  }
  return orders;
}

/** Windows of 200 rows anywhere in the sorted result. */
async function windowRow(table: DiskTable, order: RowOrder): Promise<BenchRow> {
  const times: number[] = [];
  for (let window = 0; window < windows; window++) {
    const from = Math.floor((window / windows) * (count - 200));
    const start = performance.now();
    const rows = await table.window(from, 200, order);
    times.push(performance.now() - start);
    if (rows.length !== 200) throw new Error("A window is not whole.");
  }
  const value = times.toSorted((a, b) => a - b)[Math.floor(0.95 * times.length)]!;
  const name = `a window of 200 of ${count.toLocaleString("en")} rows, sorted, p95`;
  return { name, value, against: 20, ratio: value / 20, budget: 1, unit: "ms" };
}

/** From an output's arrival at the renderer until its first rows are painted: of a run, and of a result that is stored. */
async function paintRows(table: DiskTable, stored: StoredPlace): Promise<BenchRow[]> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [path.join(root, "src/predict/page/renderer.tsx")],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    alias: { "@vscode/l10n": path.join(root, "src/shared/page/l10n.ts") },
  });
  const script = outputFiles[0]?.text ?? "";
  const server = http.createServer(({ url }, response) => {
    const isScript = url === "/result.js";
    response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html" });
    response.end(isScript ? script : '<!doctype html><title>r</title><div id="out"></div>');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const browser = await launchBrowser();
  try {
    const times: number[] = [];
    const storedTimes: number[] = [];
    for (let round = 0; round <= paints; round++) {
      for (const item of [await headerOf(table), { storedFor: stored.key }]) {
        const page = await browser.newPage({ viewport: { width: 900, height: 700 } });
        const time = await paint(page, origin, item, "runId" in item ? table : stored);
        if (round > 0) ("runId" in item ? times : storedTimes).push(time);
        await page.close();
      }
    }
    const rows = `${count.toLocaleString("en")} rows`;
    return [
      paintRow(`first paint of ${rows}`, median(times), 150),
      paintRow(`a stored result of ${rows} read and painted`, median(storedTimes), 300),
    ];
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
}

function paintRow(name: string, value: number, goal: number): BenchRow {
  return { name, value, against: goal, ratio: value / goal, budget: 1, unit: "ms" };
}

async function headerOf(table: ResultTable): Promise<ResultHeader> {
  const { length } = table;
  return {
    runId: "run",
    state: { kind: "done" },
    count: length,
    refused: 0,
    notes: [],
    columns: [...table.columns],
    first: await table.window(0, 20),
    locale: "en",
    texts: {},
  };
}

/** ms until the first rows of an item are painted; a table that is stored is read when the renderer asks for it. */
async function paint(
  page: Page,
  origin: string,
  item: ResultItem,
  from: ResultTable | StoredPlace,
): Promise<number> {
  let table = "columns" in from ? from : undefined;
  await page.exposeFunction("toHost", async (message: ToHost) => {
    if (message.type === "stored" && "root" in from) {
      table = await reopen(from);
      const { instance, cell } = message;
      const header = await headerOf(table);
      await post(page, { type: "stored", instance, cell, header });
    } else if (table) {
      await answer(page, table, message);
    }
  });
  await page.goto(origin);
  const time = await page.evaluate(
    async ([value, address]) => {
      const { activate } = (await import(address)) as {
        activate: (context: unknown) => { renderOutputItem: (...given: unknown[]) => void };
      };
      const scope = globalThis as unknown as {
        toHost: (message: unknown) => void;
        receive: (message: unknown) => void;
      };
      const renderer = activate({
        postMessage: (message: unknown) => scope.toHost(message),
        onDidReceiveMessage: (listener: typeof scope.receive) => (scope.receive = listener),
      });
      const element = document.querySelector("#out")!;
      const start = performance.now();
      renderer.renderOutputItem({ id: "item", json: () => value }, element);
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      for (;;) {
        await frame();
        const cells = element.shadowRoot?.querySelectorAll(".grid-row .cell:not(.coming)") ?? [];
        if (cells.length > 0) break;
      }
      // What was drawn for this frame is on the screen when the next one begins.
      await frame();
      return performance.now() - start;
    },
    [item, `${origin}/result.js`] as const,
  );
  if ("root" in from) await table?.dispose();
  return time;
}

async function post(page: Page, message: ToPage): Promise<void> {
  await page.evaluate((given) => {
    (globalThis as unknown as { receive: (message: unknown) => void }).receive(given);
  }, message);
}

/** The host's part. */
async function answer(page: Page, table: ResultTable, message: ToHost): Promise<void> {
  if (message.type === "stored") return;
  const { runId } = message;
  const { length } = table;
  if (message.type === "hello") {
    const progress = { state: { kind: "done" as const }, count: length, refused: 0, notes: [] };
    await post(page, { type: "progress", runId, progress, columns: [...table.columns] });
  } else if (message.type === "window") {
    const { instance, request, from, count } = message;
    const rows = await table.window(from, count);
    await post(page, { type: "window", runId, instance, request, total: length, from, rows });
  }
}
