// A result of a million rows: its grid in a browser, the windows that it asks for, and how long the host is kept busy while
// the rows are sorted and searched. The host is this process, the rows are on disk.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import path from "node:path";
import * as esbuild from "esbuild";
import type { Page } from "playwright-core";
import type { ResultHeader, ToHost, ToPage } from "../../src/predict/messages.ts";
import type { ResultOrder } from "../../src/predict/result/resultSource.ts";
import type { RunTable } from "../../src/predict/result/runTable.ts";
import { launchBrowser } from "../vscode/browser.ts";
import { median, type BenchRow } from "./bench.ts";
import { manyRows } from "./predict.bench.ts";
import "../page/chatPage.ts";

const { resultTexts } = await import("../../src/predict/host/texts.ts");
const root = path.resolve(import.meta.dirname, "..", "..");

const count = 1_000_000;
const paints = 5;
const windows = 200;
/** A task that keeps the host busy for longer is felt. */
const longTaskMs = 50;

export async function run(): Promise<BenchRow[]> {
  return manyRows(count, async (table) => {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const [order] = await sortAndSearch(table);
    const windows = await windowRow(table, order);
    delay.disable();
    return [windows, delayRow(delay.max / 1e6), await paintRow(table)];
  });
}

/** The longest time that the host was kept from doing anything else. */
function delayRow(value: number): BenchRow {
  const name = "longest task in the host meanwhile";
  return { name, value, against: longTaskMs, ratio: value / longTaskMs, budget: 1, unit: "ms" };
}

/** What these take is only reported: they run in a worker thread. */
async function sortAndSearch(table: RunTable): Promise<ResultOrder[]> {
  const column = table.columns.findIndex(({ name }) => name === "sqft");
  const views = [
    { what: "sorting", view: { sort: { column, descending: true } } },
    { what: "searching", view: { find: "westbrae" } },
  ];
  const orders: ResultOrder[] = [];
  for (const { what, view } of views) {
    const start = performance.now();
    orders.push(await table.order(view));
    const seconds = (performance.now() - start) / 1_000;
    console.log(`${what} ${count.toLocaleString("en")} rows: ${seconds.toFixed(1)} s`);
  }
  return orders;
}

/** Windows of 200 rows anywhere in the sorted result. */
async function windowRow(table: RunTable, order: ResultOrder): Promise<BenchRow> {
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

/** From the output's arrival at the renderer until its first rows are painted. */
async function paintRow(table: RunTable): Promise<BenchRow> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [path.join(root, "src/predict/page/renderer.ts")],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    loader: { ".css": "text" },
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
    for (let round = 0; round <= paints; round++) {
      const page = await browser.newPage({ viewport: { width: 900, height: 700 } });
      const time = await paint(page, origin, table);
      if (round > 0) times.push(time);
      await page.close();
    }
    const value = median(times);
    const name = `first paint of ${count.toLocaleString("en")} rows`;
    return { name, value, against: 150, ratio: value / 150, budget: 1, unit: "ms" };
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
}

async function paint(page: Page, origin: string, table: RunTable): Promise<number> {
  await page.exposeFunction("toHost", (message: ToHost) => answer(page, table, message));
  await page.goto(origin);
  const { length } = table;
  const header: ResultHeader = {
    runId: "run",
    state: { kind: "done" },
    count: length,
    refused: 0,
    notes: [],
    columns: [...table.columns],
    first: await table.window(0, 20),
    locale: "en",
    texts: resultTexts(),
  };
  return page.evaluate(
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
    [header, `${origin}/result.js`] as const,
  );
}

/** The host's part. */
async function answer(page: Page, table: RunTable, message: ToHost): Promise<void> {
  const post = (reply: ToPage) =>
    page.evaluate((given) => {
      (globalThis as unknown as { receive: (message: unknown) => void }).receive(given);
    }, reply);
  const { runId } = message;
  const { length } = table;
  if (message.type === "hello") {
    const progress = { state: { kind: "done" as const }, count: length, refused: 0, notes: [] };
    await post({ type: "progress", runId, progress, columns: [...table.columns] });
  } else if (message.type === "window") {
    const { instance, request, from, count } = message;
    const rows = await table.window(from, count);
    await post({ type: "window", runId, instance, request, total: length, from, rows });
  }
}
