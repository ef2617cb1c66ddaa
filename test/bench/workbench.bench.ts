// In one VS Code, beside an extension that does the least: a tree of 5,000 models, a step from socket to DOM; and what
// large answers cost the page.
import { setTimeout as sleep } from "node:timers/promises";
import path from "node:path";
import type http from "node:http";
import type { Frame } from "playwright-core";
import { Chat } from "../e2e/lib/chat.ts";
import type { Tree } from "../e2e/lib/tree.ts";
import { openWorkbench, type Workbench } from "../e2e/lib/workbench.ts";
import { packVsix } from "../../scripts/package.ts";
import { median, type BenchRow } from "./bench.ts";
import { modelCount, startBenchServer, type BenchServer } from "./benchServer.ts";

const rounds = 5;
/** What a refresh of a tree takes at most; before that a row opens with the children that it had. */
export const refreshMs = 1_500;
/** VS Code throws the page of a hidden panel away; the old frame is gone by then. */
const showMs = 1_500;
/** A task that blocks the page for longer is felt. */
const longTaskMs = 50;

export async function run(): Promise<BenchRow[]> {
  const server = await startBenchServer();
  const workbench = await openWorkbench({
    vsix: packVsix(),
    extensionPath: path.join(import.meta.dirname, "bare"),
    env: { BENCH_STREAM: `${server.url}/stream` },
    machineSettings: {
      "mindsdbWorkbench.connections": [{ id: "bench", name: "Bench", address: server.url }],
    },
  });
  try {
    return [
      ...(await treeRows(workbench, server)),
      ...(await socketRows(workbench, server)),
      ...(await largeRows(workbench, server)),
    ];
  } finally {
    await workbench.close();
    await server.stop();
  }
}

// --- A tree of 5,000 models

async function treeRows(workbench: Workbench, server: BenchServer): Promise<BenchRow[]> {
  const models = ["Bench", "mindsdb", "Models"];
  const our: number[] = [];
  const their: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const tree = await workbench.openView("MindsDB");
    await tree.expand(models.slice(0, -1));
    await workbench.command("MindsDB: Refresh");
    await sleep(refreshMs);
    our.push(await expansion(workbench, tree, models));
    await tree.collapse(models);

    const bare = await workbench.openView("Bare");
    await workbench.command("Bare: Refresh");
    await sleep(refreshMs);
    their.push(await expansion(workbench, bare, ["models"]));
    await bare.collapse(["models"]);
  }
  if (server.modelRequests !== rounds) {
    throw new Error("The models are asked for once, when opened");
  }

  const value = median(our);
  const against = median(their);
  const name = `${String(modelCount)} models in the tree against a bare provider`;
  return [{ name, value, against, ratio: value / against, budget: 1.2, unit: "ms" }];
}

/** ms from the click on a collapsed row until its first child is drawn, on the page's own clock. */
export async function expansion(
  workbench: Workbench,
  tree: Tree,
  nodePath: string[],
): Promise<number> {
  await tree.find(nodePath);
  const label = nodePath[nodePath.length - 1] ?? "";
  return workbench.page.evaluate(
    ([label, first]) =>
      new Promise<number>((resolve, reject) => {
        const rows = () => [...document.querySelectorAll(".part.sidebar .monaco-list-row")];
        const row = rows().find((one) => one.querySelector(".label-name")?.textContent === label);
        if (!row) return reject(new Error(`no row ${label}`));
        const start = performance.now();
        const watch = new MutationObserver(() => {
          if (!rows().some((one) => one.textContent.includes(first))) return;
          watch.disconnect();
          resolve(performance.now() - start);
        });
        watch.observe(document.body, { childList: true, subtree: true, characterData: true });
        const twistie = row.querySelector<HTMLElement>(".monaco-tl-twistie");
        for (const type of ["mousedown", "mouseup", "click"]) {
          twistie?.dispatchEvent(new MouseEvent(type, { bubbles: true, detail: 1 }));
        }
        setTimeout(() => reject(new Error("the row did not open")), 20_000);
      }),
    [label, "model_0000"] as const,
  );
}

// --- A step from socket to DOM

const steps = 60;

async function socketRows(workbench: Workbench, server: BenchServer): Promise<BenchRow[]> {
  const sent: number[] = [];
  server.stream = async (response) => {
    sent.length = 0;
    for (let n = 0; n < steps; n++) {
      await sleep(20);
      sent.push(Date.now());
      response.write(frame({ type: "context", content: `marker ${String(n)} end` }));
    }
    response.write(frame({ type: "data", text: "done", trace_id: "" }));
    response.write(frame({ type: "end" }));
  };
  const chat = await openChat(workbench);
  const our = await latencies(chat.frame, sent, async () => {
    await chat.ask("How fast?");
    await ended(chat);
  });
  await workbench.command("Bare: Open");
  const bare = await workbench.frameWith("#bare");
  const their = await latencies(bare, sent, () =>
    bare.locator("body").evaluate(() => document.getElementById("bare")?.click()),
  );
  const value = percentile(our, 0.95);
  const against = percentile(their, 0.95);
  const name = "step from socket to DOM, p95, against a bare webview";
  return [{ name, value, against, ratio: value / against, budget: 1.5, unit: "ms" }];
}

/** ms from socket to page for each step of the rounds after the first, which warms up; `ask` has the steps sent. */
async function latencies(
  page: Frame,
  sent: readonly number[],
  ask: () => Promise<void>,
): Promise<number[]> {
  const all: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const seen = await watchMarkers(page);
    await ask();
    const times = await seen();
    if (round > 0) all.push(...times.map((time, n) => time - (sent[n] ?? time)));
  }
  return all;
}

/** Epoch ms at which each marker was first in the page; a function that waits for all of them. */
async function watchMarkers(target: Frame): Promise<() => Promise<number[]>> {
  await target.evaluate((count) => {
    const holder = globalThis as unknown as { seen: number[]; from: number };
    const occurrences = () => document.body.innerHTML.match(/marker \d+ end/g)?.length ?? 0;
    holder.seen = [];
    holder.from = occurrences();
    const watch = new MutationObserver((changes) => {
      for (const change of changes) {
        for (const node of change.addedNodes) {
          for (const [, n] of (node.textContent ?? "").matchAll(/marker (\d+) end/g)) {
            holder.seen[Number(n)] ??= Date.now();
          }
        }
      }
      if (holder.seen.filter(Boolean).length === count) watch.disconnect();
    });
    watch.observe(document.body, { childList: true, subtree: true });
  }, steps);
  return async () => {
    for (let tries = 0; tries < 200; tries++) {
      const seen = await target.evaluate(() => (globalThis as unknown as { seen: number[] }).seen);
      if (seen.filter(Boolean).length === steps) return seen;
      await sleep(100);
    }
    throw new Error("Not every step came to the page");
  };
}

// --- Large answers

async function largeRows(workbench: Workbench, server: BenchServer): Promise<BenchRow[]> {
  const paragraph =
    "The **average** rent in `great` locations is _2,602_ a month.\n\n- one\n- two\n\n";
  const answer = paragraph.repeat(Math.ceil(300_000 / paragraph.length));
  const cases: [name: string, frames: () => Iterable<unknown>][] = [
    ["answer of 300 KB", () => [{ type: "data", text: answer, trace_id: "" }]],
    ["observation of 16 MB", () => largeObservation()],
    ["10,000 steps", () => manySteps("Done.")],
  ];
  const rows: BenchRow[] = [];
  for (const [name, frames] of cases) {
    server.stream = async (response) => {
      await writeFrames(response, frames());
    };
    const longest: number[] = [];
    for (let round = 0; round < rounds; round++) longest.push(await longestTask(workbench, name));
    const value = median(longest);
    rows.push({
      name: `${name}: the page's longest task`,
      value,
      against: longTaskMs,
      ratio: value / longTaskMs,
      budget: 1,
      unit: "ms",
    });
  }
  return rows;
}

/** Asks in a panel of its own, so that no answer pays for what another has shown. */
async function longestTask(workbench: Workbench, question: string): Promise<number> {
  await openChat(workbench);
  await workbench.command("MindsDB: New Conversation");
  await sleep(showMs);
  const chat = await Chat.with(workbench, "bench_agent");
  const longest = await watchLongTasks(chat.frame);
  await chat.ask(question);
  await ended(chat);
  await sleep(1_000);
  return longest();
}

function* largeObservation(): Generator<unknown> {
  const action = { tool: "sql_db_query", tool_input: "SELECT * FROM files.t", log: "I query." };
  yield { type: "start", prompt: "?", trace_id: "" };
  yield { actions: [action], messages: [{ content: "I query." }], trace_id: "" };
  const observation = "1,666,great,downtown,3154\r\n".repeat(600_000);
  yield { steps: [{ action, observation }], messages: [], trace_id: "" };
  yield { output: "Done.", messages: [{ content: "Done." }], trace_id: "" };
}

export function* manySteps(answer: string): Generator<unknown> {
  for (let n = 0; n < 10_000; n++) yield { type: "context", content: `Step number ${String(n)}` };
  yield { type: "data", text: answer, trace_id: "" };
}

/** Collects the page's long tasks from now on; a function that gives the longest, in ms (0: none over 50). */
async function watchLongTasks(target: Frame): Promise<() => Promise<number>> {
  await target.evaluate(() => {
    const holder = globalThis as unknown as { tasks: number[] };
    holder.tasks = [];
    new PerformanceObserver((list) => {
      holder.tasks.push(...list.getEntries().map(({ duration }) => duration));
    }).observe({ entryTypes: ["longtask"] });
  });
  return () =>
    target.evaluate(() => Math.max(0, ...(globalThis as unknown as { tasks: number[] }).tasks));
}

// --- What all of them need

async function openChat(workbench: Workbench): Promise<Chat> {
  const tree = await workbench.openView("MindsDB");
  const agent = ["Bench", "mindsdb", "Agents", "bench_agent"];
  await tree.expand(agent.slice(0, -1));
  await tree.click(agent);
  await sleep(showMs);
  return Chat.with(workbench, "bench_agent");
}

/**
 * Asked in plain DOM calls: a locator looks into every element of the page each time, which on a long page takes longer
 * than any task that is to be measured.
 */
async function ended(chat: Chat): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const hasEnded = await chat.frame.evaluate(() => {
      const outcomes = document.querySelectorAll<HTMLElement>(".outcome");
      return outcomes[outcomes.length - 1]?.hidden === false;
    });
    if (hasEnded) return;
    await sleep(100);
  }
  throw new Error("The run did not end");
}

function frame(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** Writes a stream with its end. */
export async function writeFrames(
  response: http.ServerResponse,
  frames: Iterable<unknown>,
): Promise<void> {
  for (const one of frames) await write(response, frame(one));
  await write(response, frame({ type: "end" }));
}

async function write(response: http.ServerResponse, text: string): Promise<void> {
  if (response.write(text)) return;
  await new Promise((resolve) => response.once("drain", resolve));
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
