// The notebook renderer in a page without a content security policy, as in a notebook. The tests act as the host.
import assert from "node:assert/strict";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import * as esbuild from "esbuild";
import type { Browser, Locator, Page } from "playwright-core";
import type {
  ResultHeader,
  ResultItem,
  ResultRow,
  ToHost,
  ToPage,
} from "../../src/predict/messages.ts";
import { axeViolations } from "../e2e/lib/axe.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { PageMonitor } from "../e2e/lib/pageMonitor.ts";
import { closePages, sharedBrowser } from "./sharedBrowser.ts";
import { hostileTens } from "./hostile.ts";
import { drawn, settleActions, slowDown } from "./pageTiming.ts";
import { themeNames } from "./panelPages.ts";
import themes from "./themes.json" with { type: "json" };
import "./chatPage.ts";

const root = path.resolve(import.meta.dirname, "..", "..");
const total = 1_000_000;

function header(more: Partial<ResultHeader> = {}): ResultHeader {
  return {
    runId: "run",
    state: { kind: "done" },
    count: total,
    refused: 0,
    notes: [],
    columns: [
      { name: "price", part: "predicted", kind: "number" },
      { name: "interval", part: "predicted", kind: "interval" },
      { name: "price", part: "actual", kind: "number" },
      { name: "place", part: "input", kind: "text" },
    ],
    first: [rowAt(0)],
    locale: "en",
    texts: {},
    ...more,
  };
}

const textColumns = (names: string[]): ResultHeader["columns"] =>
  names.map((name) => ({ name, part: "input", kind: "text" }));

function rowAt(index: number): ResultRow {
  const interval = JSON.stringify([index - 5, index, index + 5]);
  return { number: index + 1, values: [String(index), interval, "null", `"row ${index}"`] };
}

describe("The result grid", () => {
  let server: http.Server;
  let browser: Browser;
  let page: Page;
  let watch: PageMonitor;
  let sent: ToHost[];
  let origin: string;

  before(async () => {
    const { outputFiles } = await esbuild.build({
      entryPoints: [path.join(root, "src/predict/page/renderer.tsx")],
      bundle: true,
      write: false,
      format: "esm",
      alias: { "@vscode/l10n": path.join(root, "src/shared/page/l10n.ts") },
    });
    const script = outputFiles[0]?.text ?? "";
    server = http.createServer((request, response) => {
      const isScript = request.url === "/result.js";
      response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html" });
      response.end(
        isScript
          ? script
          : '<!doctype html><html lang="en"><title>r</title><main><h1>Notebook</h1><div id="out"></div></main></html>',
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    browser = await sharedBrowser();
  });

  after(async () => {
    await closePages();
    server.closeAllConnections();
    server.close();
  });

  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 900, height: 700 } });
    watch = new PageMonitor(page, origin);
    sent = [];
    await page.exposeFunction("toHost", (message: ToHost | null) => {
      if (message !== null) sent.push(message);
    });
    await slowDown(page);
    await page.goto(origin);
    settleActions(page);
  });
  afterEach(() => page.close());

  async function show(value: ResultHeader, isLive = true): Promise<void> {
    await render(value);
    await vouch(value);
    if (!isLive) await postToPage({ type: "gone", runId: value.runId, canRun: true });
  }

  /** Answers the renderer's last "hello" as the host does. */
  async function vouch(value: ResultHeader): Promise<void> {
    const hello = sent.findLast((message) => message.type === "hello");
    assert.ok(hello?.type === "hello");
    await postToPage({ type: "result", instance: hello.instance, header: value });
  }

  /** Resolves when the page has drawn what the message changes. */
  async function postToPage(message: ToPage): Promise<void> {
    await page.evaluate(
      (given) => (globalThis as unknown as { receive: (message: unknown) => void }).receive(given),
      message,
    );
    await drawn(page);
  }

  /** Passes an output item to a new renderer. */
  async function render(value: ResultItem): Promise<void> {
    await page.evaluate(
      async ({ value, address }) => {
        const { activate } = (await import(address)) as {
          activate: (context: unknown) => { renderOutputItem: (...given: unknown[]) => void };
        };
        let receive: (message: unknown) => void = () => undefined;
        const scope = globalThis as unknown as {
          toHost: (message: unknown) => void;
          receive: (message: unknown) => void;
        };
        scope.receive = (message) => receive(message);
        const renderer = activate({
          postMessage: (message: unknown) => scope.toHost(message),
          onDidReceiveMessage: (listener: typeof receive) => (receive = listener),
        });
        const item = { id: "item", json: () => value };
        renderer.renderOutputItem(item, document.querySelector("#out"));
      },
      { value, address: `${origin}/result.js` },
    );
    await drawn(page);
  }

  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.locator(".grid").press(key);
  };

  /** Posts the run's progress. */
  async function progress({ runId, columns, ...progress }: ResultHeader): Promise<void> {
    await postToPage({ type: "progress", runId, progress, columns });
  }

  /** Answers all requested windows. */
  async function answer(rowOf: (index: number) => ResultRow = rowAt, all = total): Promise<void> {
    await eventually(() => assert.ok(sent.some(({ type }) => type === "window")));
    await drawn(page);
    for (const message of sent.splice(0)) {
      if (message.type !== "window") continue;
      const { instance, request, from, count, runId } = message;
      const length = Math.min(count, all - from);
      const rows = Array.from({ length }, (_, at) => rowOf(from + at));
      await postToPage({ type: "window", runId, instance, request, total: all, from, rows });
    }
  }

  const cell = (text: string | RegExp) => page.locator(".grid-row .cell", { hasText: text });

  it("draws the visible rows of a million and requests windows of 200", async () => {
    await show(header());
    await answer();
    assert.ok((await page.locator(".grid-row").count()) < 40);
    await press("Control+End");
    await answer();
    await cell(`row ${total - 1}`).waitFor();
    assert.equal(await page.locator(".grid").getAttribute("aria-rowcount"), String(total + 1));
  });

  it("keeps the row numbers visible, and selects a whole row by its number", async () => {
    const columns = textColumns(Array.from({ length: 40 }, (_, index) => `column ${index}`));
    await show(header({ columns, first: [] }));
    const wide = (index: number): ResultRow => ({
      number: index + 1,
      values: columns.map(({ name }) => JSON.stringify(`${name} of ${index}.`)),
    });
    await answer(wide);
    await press("ArrowDown", "End");
    await cell("column 39 of 1.").waitFor();
    const number = page.locator(".grid-row .number", { hasText: /^2$/ });
    const grid = await boxOf(page.locator(".grid"));
    const box = await boxOf(number);
    assert.ok(Math.abs(box.x - grid.x) <= 1, "the row number has moved");
    // The focused cell is neither behind the row numbers nor beyond the edge.
    await eventually(async () => {
      const active = await boxOf(cell("column 39 of 1."));
      assert.ok(
        active.x >= box.x + box.width - 1 && active.x + active.width <= grid.x + grid.width,
      );
    });
    await press("Home");
    await eventually(async () => {
      const first = await boxOf(cell("column 0 of 1."));
      assert.ok(first.x >= box.x + box.width - 1, "the first cell is behind the numbers");
    });
    await number.click();
    sent.length = 0;
    await press("Control+C");
    await eventually(() => {
      const copied = sent.find(({ type }) => type === "copy");
      assert.ok(copied?.type === "copy");
      assert.deepEqual(
        [copied.rows, copied.columns],
        [
          { from: 1, to: 2 },
          { from: 0, to: 40 },
        ],
      );
    });
  });

  it("is no taller than its rows", async () => {
    const rows = Array.from({ length: 3 }, (_, index) => rowAt(index));
    await show(header({ count: 3, first: rows }));
    await cell("row 2").waitFor();
    const room = () =>
      page.locator(".grid").evaluate((element) => {
        const grid = element as HTMLElement;
        const row = grid.querySelector(".grid-row:last-child")!.getBoundingClientRect();
        const box = grid.getBoundingClientRect();
        const borders = 2 * grid.clientTop;
        const bar = grid.offsetHeight - grid.clientHeight - borders;
        return {
          below: Math.round(box.bottom - row.bottom) - borders / 2 - bar,
          beside: grid.offsetWidth - grid.clientWidth - borders,
          bar,
        };
      });
    await eventually(async () => assert.deepEqual(await room(), { below: 0, beside: 0, bar: 0 }));
  });

  it("keeps its toolbar and tables within a narrow result", async () => {
    await page.setViewportSize({ width: 196, height: 900 });
    const classes = Array.from({ length: 12 }, (_, index) => `a class of ${index} words`);
    const confusion = classes.map(() => classes.map((_, index) => 1_000 * index));
    const notes = [`“${"days_on_market".repeat(4)}” is missing in 3 rows.`];
    const metrics = { kind: "classes" as const, count: 9, accuracy: 0.5, classes, confusion };
    await show(header({ notes, metrics, refused: 7, state: { kind: "stopped" } }));
    await answer();
    await page.locator("summary", { hasText: "Confusion" }).click();
    const { width } = await boxOf(page.locator(".result"));
    assert.equal(width, 180);
    const inside = ".result button, .result input, .result p, .result li, .result details, .copies";
    const parts = await page.locator(inside).filter({ visible: true }).all();
    assert.ok(parts.length > 6, `${parts.length} parts`);
    for (const part of parts) {
      const box = await boxOf(part);
      assert.ok(box.x + box.width <= 8 + width, await part.innerText());
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.equal(wide, 196);
  });

  it("does not cover its title with the sort arrow", async () => {
    await show(header());
    await answer();
    const head = page.getByRole("columnheader", { name: "place" });
    await head.click();
    const [arrow, title] = [head.locator(".arrow"), head.locator(".title")];
    await arrow.waitFor();
    const [right, left] = [await boxOf(title), await boxOf(arrow)];
    assert.ok(right.x + right.width <= left.x, "the arrow covers the title");
  });

  describe("with 5,000,000 rows", () => {
    const many = 5_000_000;
    const last = `row ${many - 1}`;

    beforeEach(async () => {
      await show(header({ count: many }));
      await answer(rowAt, many);
      await cell("row 3").click();
    });

    /** Waits until a row is drawn in the visible area. */
    async function sees(text: string): Promise<void> {
      if (sent.some(({ type }) => type === "window")) await answer(rowAt, many);
      await eventually(async () => {
        if (sent.some(({ type }) => type === "window")) await answer(rowAt, many);
        const grid = await boxOf(page.getByRole("grid"));
        const box = (await cell(text).boundingBox({ timeout: 1_000 }))!;
        assert.ok(box.y >= grid.y && box.y + box.height <= grid.y + grid.height, text);
      });
    }

    it("shows the last row at the scrollbar's end, and the first one at its start", async () => {
      const grid = page.getByRole("grid");
      await grid.evaluate((element) => (element.scrollTop = element.scrollHeight));
      await sees(last);
      await grid.evaluate((element) => (element.scrollTop = 0));
      await sees("row 0");
    });

    it("goes to the last row by key, and from there by row and by page", async () => {
      await press("Control+End");
      await sees(last);
      await press("ArrowUp", "PageUp", "PageUp");
      await sees(`row ${many - 2 - 2 * 14}`);
      await press("PageDown", "PageDown", "PageDown");
      await sees(last);
      await page
        .locator(`.cell.active[data-row="${many - 1}"]`)
        .first()
        .waitFor();
      await press("Control+Home");
      await sees("row 0");
    });

    it("scrolls by the wheel as far as any other grid", async () => {
      const grid = page.getByRole("grid");
      await grid.hover();
      await page.mouse.wheel(0, 240);
      await sees("row 10");
      const box = await boxOf(grid);
      const at = async (text: string) => (await boxOf(cell(text))).y - box.y;
      await eventually(async () => assert.ok(Math.abs((await at("row 10")) - 41) <= 1));
      await grid.evaluate((element) => (element.scrollTop = element.scrollHeight));
      await sees(last);
      for (let turn = 0; turn < 5; turn++) await page.mouse.wheel(0, -24);
      await sees(`row ${many - 15}`);
      for (let turn = 0; turn < 5; turn++) await page.mouse.wheel(0, 24);
      await sees(last);
    });
  });

  it("keeps the header, the row numbers and the predictions visible when it scrolls", async () => {
    const inputs = textColumns(Array.from({ length: 20 }, (_, index) => `input ${index}`));
    const columns = [
      { name: "price", part: "predicted" as const, kind: "number" as const },
      ...inputs,
    ];
    await show(header({ columns, first: [], count: 200 }));
    const rowOf = (index: number): ResultRow => ({
      number: index + 1,
      values: [String(index), ...inputs.map(({ name }) => JSON.stringify(`${name} of ${index}.`))],
    });
    await answer(rowOf, 200);
    const grid = page.locator(".grid");
    await grid.evaluate((element) => element.scrollTo(1_200, 60 * 24));
    await cell("of 65.").first().waitFor();
    const frame = await boxOf(grid);
    const head = await boxOf(page.locator(".grid-header"));
    assert.ok(Math.abs(head.y - frame.y) <= 1, `the header is ${head.y - frame.y} px from the top`);
    const prediction = await boxOf(cell(/^65$/));
    const number = await boxOf(page.locator(".grid-row .number", { hasText: /^66$/ }));
    assert.ok(Math.abs(number.x - frame.x) <= 1);
    assert.ok(Math.abs(prediction.x - (number.x + number.width)) <= 1, "the prediction has moved");
    const title = page.locator(".grid-header .cell", { hasText: "price" });
    assert.ok(Math.abs((await boxOf(title)).x - prediction.x) <= 1);
    // Scrolled cells pass below pinned ones: a click there hits the pinned cell.
    await cell(/^65$/).click({ trial: true });
    await title.click({ trial: true });
  });

  it("pins no predictions if they would fill a narrow grid", async () => {
    await page.setViewportSize({ width: 260, height: 700 });
    await show(header());
    await answer();
    assert.equal(await page.locator(".grid-row .cell.pinned").count(), 0);
    await page.setViewportSize({ width: 900, height: 700 });
    await page.locator(".grid-row .cell.pinned").first().waitFor();
  });

  it("copies everything unless a cell is selected", async () => {
    await show(header());
    await answer();
    await page.getByRole("button", { name: "Copy as JSON" }).click();
    await eventually(() => {
      const copied = sent.find(({ type }) => type === "copy");
      assert.ok(copied?.type === "copy");
      assert.deepEqual(copied.rows, { from: 0, to: total });
      assert.deepEqual(copied.columns, { from: 0, to: 4 });
    });
  });

  it("shows a long value and the full reason of a rejected row below the grid", async () => {
    await show(header({ refused: 1 }));
    const reason = `could not convert string to float: ${"many ".repeat(60)}`;
    const place = `a place with a name of more than 24 characters`;
    await answer((index) =>
      index === 1
        ? { number: 2, values: [null, null, "7", JSON.stringify(place)], refused: reason }
        : { ...rowAt(index), values: ["1", "null", "null", JSON.stringify(place)] },
    );
    const below = page.locator(".cell-text");
    assert.ok(await below.isHidden());
    await cell("could not convert").click();
    assert.equal(await below.textContent(), reason);
    await page.locator(".grid-row").first().locator(".cell", { hasText: place }).click();
    assert.equal(await below.textContent(), place);
    await page.locator(".grid-row").first().locator(".cell", { hasText: /^1$/ }).click();
    assert.ok(await below.isHidden());
  });

  it("shows the reason of a rejected row across all prediction columns", async () => {
    await show(header({ refused: 1 }));
    const reason = "could not convert string to float: 'many'";
    await answer((index) =>
      index === 1
        ? { number: 2, values: [null, null, "7", '"here"'], refused: reason }
        : rowAt(index),
    );
    const refused = await boxOf(cell(reason));
    const heads = page.locator(".grid-header .cell.predicted");
    const [first, second] = [await boxOf(heads.nth(0)), await boxOf(heads.nth(1))];
    assert.equal(refused.x, first.x);
    assert.equal(refused.width, first.width + second.width);
    assert.equal(await cell(reason).getAttribute("aria-colspan"), "2");
    assert.equal(await page.locator('.grid-row[aria-rowindex="3"] .cell').count(), 3);
  });

  it("can be sorted, searched and copied from by keyboard", async () => {
    await show(header());
    await answer();
    await press("ArrowUp", "Enter");
    await answer();
    assert.equal(await page.locator('[aria-sort="ascending"]').count(), 1);
    await press("ArrowDown", "Shift+ArrowDown", "Shift+ArrowRight", "Control+c");
    await eventually(() => Promise.resolve(assert.ok(sent.some(({ type }) => type === "copy"))));
    const copy = sent.find((message) => message.type === "copy");
    assert.deepEqual(copy?.view, { sort: { column: 0, descending: false } });
    assert.deepEqual(
      [copy.rows, copy.columns],
      [
        { from: 0, to: 2 },
        { from: 0, to: 2 },
      ],
    );
    await page.locator("input").fill("berkeley");
    await eventually(async () => {
      if (sent.some(({ type }) => type === "window")) await answer(rowAt, 1);
      assert.equal(await page.locator(".grid-row").count(), 1);
    });
  });

  it("selects what the mouse is dragged over, up to the first row", async () => {
    await show(header());
    await answer();
    const at = (row: number, column: number) =>
      page.locator(`.grid-row .cell[data-row="${row}"][data-column="${column}"]`);
    await at(2, 1).hover();
    await page.mouse.down();
    await at(1, 1).hover();
    await at(0, 0).hover();
    await page.mouse.up();
    await press("Control+c");
    await eventually(() => Promise.resolve(assert.equal(sent.at(-1)?.type, "copy")));
    const copy = sent.find((message) => message.type === "copy");
    assert.deepEqual(
      [copy?.rows, copy?.columns],
      [
        { from: 0, to: 3 },
        { from: 0, to: 2 },
      ],
    );
  });

  it("resizes a column by mouse and by keyboard", async () => {
    await show(header());
    await answer();
    const head = page.locator(".grid-header .cell").nth(1);
    const { x, y, width } = await boxOf(head);
    await head.locator(".resize").hover();
    await page.mouse.down();
    await page.mouse.move(x + width + 57, y + 10, { steps: 4 });
    await page.mouse.up();
    const wide = (await boxOf(head)).width;
    assert.ok(Math.abs(wide - width - 60) <= 4, `${wide} after ${width}`);
    await page.locator('.grid-row .cell[data-row="0"][data-column="1"]').click();
    await press("Alt+ArrowLeft");
    assert.equal((await boxOf(head)).width, wide - 16);
  });

  it("says for a moment what was copied, then again how many rows were found", async () => {
    await show(header());
    await answer();
    await page.locator("input").fill("berkeley");
    await answer(rowAt, 2);
    const status = page.locator(".tools [role=status]");
    const found = "2 of 1,000,000 rows";
    await eventually(async () => assert.equal(await status.innerText(), found));
    // The page itself notes the texts, because one of them stays for three seconds only.
    const texts = await status.evaluateHandle((element) => {
      const all: string[] = [];
      new MutationObserver(() => all.push(element.textContent)).observe(element, {
        childList: true,
        characterData: true,
        subtree: true,
      });
      return all;
    });
    await page.getByRole("button", { name: "Copy as JSON" }).click();
    await eventually(() => Promise.resolve(assert.equal(sent.at(-1)?.type, "copy")));
    // The host may refuse.
    assert.deepEqual(await texts.jsonValue(), []);
    await postToPage({ type: "copied", runId: header().runId, count: 2 });
    await eventually(async () =>
      assert.deepEqual(await texts.jsonValue(), ["Copied 2 rows", found]),
    );
  });

  it("requests a sorted view again when the run has ended, and shows the old rows until then", async () => {
    const running = header({ state: { kind: "running" }, count: 400 });
    await show(running);
    await answer(rowAt, 400);
    await press("ArrowUp", "Enter");
    await answer(rowAt, 400);
    await progress({ ...running, count: 500 });
    assert.deepEqual(sent, [], "rows are not requested again while the run continues");
    await progress({ ...running, state: { kind: "done" }, count: 600 });
    await eventually(() => Promise.resolve(assert.ok(sent.some(({ type }) => type === "window"))));
    assert.equal(await page.locator(".coming").count(), 0);
    await answer((index) => rowAt(599 - index), 600);
    await cell("row 599").waitFor();
    assert.equal(await page.locator(".grid").getAttribute("aria-rowcount"), "601");
  });

  it("appends columns that arrive later, and keeps the column order", async () => {
    const value = header();
    await show(value);
    await answer();
    await press("ArrowUp", "Enter");
    await answer();
    const late = { name: "late", part: "input", kind: "text" } as const;
    await progress({ ...value, columns: [...value.columns, late] });
    await page.locator(".grid-header .cell", { hasText: "late" }).waitFor();
    assert.equal(await page.locator('[aria-sort="ascending"]').count(), 1);
    assert.deepEqual(sent, []);
    const first = { name: "score", part: "predicted", kind: "number" } as const;
    await progress({ ...value, columns: [first, ...value.columns, late] });
    await eventually(() => Promise.resolve(assert.ok(sent.some(({ type }) => type === "window"))));
    assert.equal(await page.locator('[aria-sort="ascending"]').count(), 0);
  });

  it("asks for the run's state again when the host has restarted", async () => {
    await show(header());
    await answer();
    sent = [];
    await postToPage({ type: "began" });
    await eventually(() => {
      assert.deepEqual(
        sent.flatMap((one) => (one.type === "hello" ? [one.runId] : [])),
        ["run"],
      );
    });
  });

  it("handles a button press while progress arrives", async () => {
    const running = header({ state: { kind: "running" }, count: 1_000 });
    await show(running);
    const stop = page.getByRole("button", { name: "Stop" });
    await stop.hover();
    await page.mouse.down();
    await progress({ ...running, count: 2_000 });
    await page.mouse.up();
    const stopped: ToHost = { type: "stop", runId: "run" };
    await eventually(() => Promise.resolve(assert.deepEqual(sent.at(-1), stopped)));
    await stop.focus();
    await progress({ ...running, count: 3_000 });
    assert.ok(
      await stop.evaluate((button) => button.matches(":focus")),
      "the button keeps the focus",
    );
    await progress({ ...running, state: { kind: "stopped" }, count: 3_000 });
    assert.equal(await stop.count(), 0);
  });

  it("keeps the confusion table open or closed while progress arrives", async () => {
    const metrics = (hits: number) => ({
      kind: "classes" as const,
      count: hits + 1,
      accuracy: hits / (hits + 1),
      classes: ["a", "b"],
      confusion: [
        [hits, 0],
        [1, 0],
      ],
    });
    const running = header({ state: { kind: "running" }, metrics: metrics(1_234) });
    await show(running);
    const summary = page.locator("summary", { hasText: "Confusion matrix" });
    const cell = page.locator(".metrics td:not(:empty)").first();
    assert.equal(await cell.isVisible(), false);
    await summary.hover();
    await page.mouse.down();
    await progress({ ...running, metrics: metrics(1_235) });
    await page.mouse.up();
    await cell.waitFor();
    await progress({ ...running, metrics: metrics(1_236) });
    assert.equal(await cell.isVisible(), true);
    assert.equal(await cell.innerText(), "1,236");
  });

  it("says that a run is no longer stored, and offers to run again", async () => {
    await show(header(), false);
    await page.getByText("no longer stored").waitFor();
    await page.getByRole("button", { name: "Run Again", exact: true }).click();
    await eventually(() => Promise.resolve(assert.ok(sent.some(({ type }) => type === "run"))));
  });

  it("shows the lines of an error below each other, with characters of one width", async () => {
    const message = "Syntax error:\n>GROUP hoods BY\n-------^^^^^";
    await show(header({ state: { kind: "failed", message } }));
    const look = await page.locator(".message .lines").evaluate((pre) => {
      const { whiteSpace, fontFamily } = getComputedStyle(pre);
      return { whiteSpace, fontFamily, text: pre.textContent };
    });
    assert.equal(look.whiteSpace, "pre");
    assert.match(look.fontFamily, /mono|consolas|menlo|courier/i);
    assert.ok(look.text.endsWith(">GROUP hoods BY\n-------^^^^^"), look.text);
  });

  it("says when a result was created and what has changed since, and offers to run again", async () => {
    const origin = "From 2:02 PM, model version 2";
    await show(header({ origin }));
    const originLine = page.locator(".origin");
    assert.equal(await originLine.innerText(), origin);
    assert.equal(await page.locator(".stale").count(), 0);
    const again = page.getByRole("button", { name: "Run Again", exact: true });
    assert.doesNotMatch((await again.getAttribute("class")) ?? "", /primary/);
    const changes = [
      "The cell has changed since this run.",
      "<b>rows</b>.json has changed since this run.",
    ];
    await progress(header({ origin, changes }));
    assert.equal(await originLine.innerText(), `${origin}. ${changes.join(" ")}`);
    assert.equal(await page.locator(".stale").innerText(), changes.join(" "));
    await again.click();
    await eventually(() => Promise.resolve(assert.ok(sent.some(({ type }) => type === "run"))));
    // As after the edit is undone.
    await progress(header());
    await originLine.waitFor({ state: "hidden" });
    assert.equal(await again.count(), 0);
  });

  it("requests a stored result when it is shown, and draws nothing if there is none", async () => {
    await render({ storedFor: "key" });
    const question = await eventually(() => {
      const [first] = sent;
      return Promise.resolve(first?.type === "stored" ? first : assert.fail());
    });
    const { instance, cell: asked } = question;
    assert.equal(asked, "key");
    const isEmpty = () => page.locator("#out").evaluate((out) => out.clientHeight === 0);
    await postToPage({ type: "stored", instance, cell: "key" });
    await postToPage({ type: "stored", instance, cell: "other", header: header() });
    await postToPage({ type: "stored", instance: "other", cell: "key", header: header() });
    assert.ok(await isEmpty());
    // A restarted host has not received the request.
    await postToPage({ type: "began" });
    await eventually(() =>
      Promise.resolve(assert.equal(sent.filter(({ type }) => type === "stored").length, 2)),
    );
    const origin = "From 2:02 PM";
    await postToPage({ type: "stored", instance, cell: "key", header: header({ origin }) });
    await cell("row 0").waitFor();
    assert.equal(await page.locator(".origin").innerText(), origin);
    // The host has vouched for it already.
    await page.getByRole("button", { name: "Run Again" }).waitFor();
  });

  it("offers to run anyway if columns are missing", async () => {
    const message = "“sqft” is missing in 3 rows.";
    await show(header({ state: { kind: "blocked", message }, count: 0, columns: [], first: [] }));
    await page.getByRole("button", { name: "Run Anyway" }).click();
    await eventually(() => Promise.resolve(assert.ok(sent.some(({ type }) => type === "run"))));
    assert.ok(sent.some((sentOne) => sentOne.type === "run" && sentOne.anyway));
  });

  it("offers to continue if inputs are missing in a later row, and nothing that skips the question", async () => {
    const message = "“sqft” is missing in 1 row, first in row 15,001.";
    await show(header({ state: { kind: "paused", message, lacksInputs: true }, count: 15_000 }));
    const buttons = page.locator(".result-bar .buttons button");
    assert.deepEqual(await buttons.allInnerTexts(), ["Run Anyway", "Stop"]);
    await buttons.first().click();
    await eventually(() => Promise.resolve(assert.ok(sent.some(({ type }) => type === "resume"))));
  });

  for (const isKnown of [true, false]) {
    const when = isKnown ? "from the start" : "when they come";
    it(`fits the columns of a statement to their values, ${when}`, async () => {
      const columns = textColumns(["id", "note"]);
      const values = ['"1"', JSON.stringify("a note that is longer than its title")];
      const row = { number: 1, values };
      await show(header({ columns, count: 1, first: isKnown ? [row] : [] }));
      if (!isKnown) await answer(() => row, 1);
      await eventually(async () => {
        const [id, note] = await Promise.all(
          [0, 1].map((index) => page.locator(".grid-header .cell").nth(index).boundingBox()),
        );
        assert.deepEqual([id?.width, note?.width], [64, 8 * 36 + 24]);
      });
      const number = page.locator(".grid-header .number");
      assert.equal(await number.evaluate((cell) => getComputedStyle(cell).lineHeight), "24px");
    });
  }

  it("widens the columns of a statement for rows that come later, where nothing moves under the pointer", async () => {
    const columns = textColumns(["id", "note", "last"]);
    /** Values with so many letters; each window has its own. */
    const rowWith = (letters: number) => (index: number) => {
      const value = JSON.stringify("m".repeat(letters));
      return { number: index + 1, values: [value, value, value] };
    };
    const widths = async (): Promise<(number | undefined)[]> => {
      const cells = await page.locator(".grid-header .cell").all();
      const boxes = await Promise.all(cells.map((cell) => cell.boundingBox()));
      return boxes.map((box) => box?.width);
    };
    await show(header({ columns, first: [] }));
    await answer(rowWith(5));
    assert.deepEqual(await widths(), [64, 64, 64]);
    // Those on both sides of what is under the pointer, then the other one.
    await page.locator(".grid-header .cell").nth(1).hover();
    const under = await boxOf(page.locator(".grid-header .cell").nth(1));
    await press("Control+End");
    await answer(rowWith(10));
    assert.deepEqual(await widths(), [64, 104, 104]);
    assert.equal((await boxOf(page.locator(".grid-header .cell").nth(1))).x, under.x);
    await page.mouse.move(890, 690);
    await drawn(page);
    assert.deepEqual(await widths(), [104, 104, 104]);
    // Of a column that the user has resized, and of one before what was scrolled to.
    await press("Alt+ArrowLeft");
    await page.setViewportSize({ width: 200, height: 700 });
    await press("End");
    const last = page.locator(".grid-header .cell").nth(2);
    const { x } = await boxOf(last);
    await page.locator(".grid").evaluate((grid) => (grid.scrollTop = 24_000));
    await answer(rowWith(20));
    assert.deepEqual(await widths(), [184, 184, 88]);
    assert.equal((await boxOf(last)).x, x);
  });

  it("shows the column names of a result without rows", async () => {
    const columns = textColumns(["id", "a longer name"]);
    const empty = { columns, count: 0, first: [] };
    await show(header({ ...empty, state: { kind: "running" } }));
    await page.locator(".grid").waitFor({ state: "hidden" });
    await postToPage({ type: "progress", runId: "run", progress: header(empty), columns });
    await page.locator(".grid-header .title", { hasText: "a longer name" }).waitFor();
    await eventually(async () => {
      assert.equal(await page.locator(".count").textContent(), "0 rows");
      assert.deepEqual(await page.locator(".grid-header .title").allTextContents(), [
        "id",
        "a longer name",
      ]);
    });
    assert.deepEqual(await axeViolations(page.mainFrame()), []);
  });

  it("runs and loads nothing from names, cells, notes and reasons", async () => {
    let scripts = 0;
    await page.exposeFunction("pwned", () => void scripts++);
    for (const texts of hostileTens) {
      const all = texts.join("\n");
      const columns: ResultHeader["columns"] = texts.flatMap((name) => [
        { name, part: "predicted" as const, kind: "text" as const },
        { name, part: "input" as const, kind: "interval" as const },
      ]);
      const values = columns.map(({ name }) => JSON.stringify(name));
      const first = [
        { number: 1, values },
        { number: 2, values, refused: all },
      ];
      const metrics = {
        kind: "classes" as const,
        count: 2,
        accuracy: 1,
        classes: texts,
        confusion: texts.map((_, actual) => texts.map((_, at) => (at === actual ? 1 : 0))),
      };
      const state = { kind: "failed" as const, message: all };
      await show(
        header({ columns, first, state, metrics, notes: texts, count: 2, refused: 1 }),
        false,
      );
      await page.evaluate(() => {
        document
          .querySelector("#out")
          ?.shadowRoot?.querySelectorAll("details")
          .forEach((one) => (one.open = true));
      });
    }
    assert.equal(scripts, 0);
    assert.deepEqual(watch.foreignRequests(), []);
    assert.deepEqual(watch.errors, []);
    assert.equal(
      await page.locator("#out :is(script, img, iframe, svg, a, form, object)").count(),
      0,
    );
  });

  for (const theme of themeNames) {
    it(`has no accessibility violation in the ${theme} theme`, async () => {
      await page.evaluate(({ class: className, variables }) => {
        document.body.className = className;
        for (const [name, value] of Object.entries(variables)) {
          document.documentElement.style.setProperty(name, value);
        }
        document.body.style.background = "var(--vscode-editor-background)";
        document.body.style.color = "var(--vscode-foreground)";
      }, themes[theme]);
      const notes = ["“colour” is not known to the model."];
      await show(header({ notes, refused: 1 }));
      await answer();
      assert.deepEqual(await axeViolations(page.mainFrame()), []);
      await page.screenshot({ path: path.join(root, `out/screenshots/grid-${theme}.png`) });
    });
  }
});

/** Where an element is; the grid may draw it anew just then, which leaves the one that was found without a place. */
function boxOf(locator: Locator) {
  return eventually(async () => {
    const box = await locator.boundingBox();
    assert.ok(box, "It has no place");
    return box;
  });
}
