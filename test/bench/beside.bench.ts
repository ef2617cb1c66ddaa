// Another checkout beside this one, in turn: activation, opening each page, and the memory of a page with 10,000 steps.
// Only with BESIDE=FOLDER, a checkout whose packages are installed. Both ask this checkout's servers.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Frame } from "playwright-core";
import { answerOf } from "../e2e/lib/frames.ts";
import { openWorkbench, type Workbench } from "../e2e/lib/workbench.ts";
import { packVsix } from "../../scripts/package.ts";
import { startTestServer } from "../sampleServer/server.ts";
import { activation, buildActivation, extensionId } from "./activation.bench.ts";
import { median, type BenchRow } from "./bench.ts";
import { startBenchServer, type BenchServer } from "./benchServer.ts";
import { expansion, refreshMs, writeFrames, manySteps } from "./workbench.bench.ts";

const root = path.resolve(import.meta.dirname, "..", "..");
/** One figure differs from the next by up to 40 %; so many keep two medians of the same code within some 5 %. */
const rounds = 15;
/** After a page is drawn, it may still do what the next one would pay for. */
const restMs = 1_500;

export async function run(): Promise<BenchRow[]> {
  const beside = process.env["BESIDE"];
  if (beside === undefined) {
    console.log("  no other checkout is named in BESIDE");
    return [];
  }
  const folder = path.resolve(beside);
  const bootstrap = path.join("scripts", "bootstrap.mjs");
  const packing = [bootstrap, path.join("scripts", "package.ts")];
  const { status } = spawnSync(process.execPath, packing, { cwd: folder, stdio: "ignore" });
  if (status !== 0) throw new Error(`${folder} could not be packed`);
  const packages = [packVsix(), path.join(folder, "out", "mindsdb-workbench.vsix")] as const;
  return [...(await activationRows(folder)), ...(await windowRows(packages))];
}

async function activationRows(folder: string): Promise<BenchRow[]> {
  const testsPath = await buildActivation();
  const our: number[] = [];
  const their: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await inTurn(
      round,
      async () => our.push(await activation({ id: extensionId, folder: root }, testsPath)),
      async () => their.push(await activation({ id: extensionId, folder }, testsPath)),
    );
  }
  return [row("activation", our, their, 1.1, "ms")];
}

/** Both extensions, each in a VS Code of its own on the same servers. */
async function windowRows([ours, theirs]: readonly [string, string]): Promise<BenchRow[]> {
  const bench = await startBenchServer();
  const sample = await startTestServer({ unguarded: true, stepDelay: 0 });
  const open = (vsix: string) =>
    openWorkbench({
      vsix,
      machineSettings: {
        "mindsdbWorkbench.connections": [
          { id: "bench", name: "Bench", address: bench.url },
          { id: "sample", name: "Rentals", address: sample.url },
        ],
      },
    });
  const our = await open(ours);
  const their = await open(theirs);
  try {
    return [
      await treeRow(our, their),
      ...(await pageRows(our, their)),
      await memoryRow(our, their, bench),
    ];
  } finally {
    await our.close();
    await their.close();
    await bench.stop();
    await sample.stop();
  }
}

async function treeRow(our: Workbench, their: Workbench): Promise<BenchRow> {
  const models = ["Bench", "mindsdb", "Models"];
  const measured = await measureBoth(our, their, async (workbench) => {
    const tree = await workbench.openView("MindsDB");
    await tree.expand(models.slice(0, -1));
    await workbench.command("MindsDB: Refresh");
    await sleep(refreshMs);
    const ms = await expansion(workbench, tree, models);
    await tree.collapse(models);
    return ms;
  });
  return row("5,000 models in the tree", ...measured, 1.1, "ms");
}

// --- Opening pages

interface OpenedPage {
  /** What is clicked: a tree item, or a command of the palette. */
  item: string[];
  /** A text that the page has as soon as it shows what it is about. */
  content: string;
}

const pages: Record<string, OpenedPage> = {
  chat: { item: ["Agents", "rental_agent"], content: "rental_agent" },
  "knowledge base": { item: ["Knowledge Bases", "rental_guide"], content: "rental_guide" },
  model: { item: ["Models", "home_rentals_model"], content: "number_of_rooms" },
};

async function pageRows(our: Workbench, their: Workbench): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const [name, page] of Object.entries(pages)) {
    const measured = await measureBoth(our, their, (workbench) => opening(workbench, page));
    rows.push(row(`opening a ${name} page`, ...measured, 1.1, "ms"));
  }
  return rows;
}

/** ms from the click on a tree item until its page shows `content`; every editor is closed afterwards. */
async function opening(workbench: Workbench, { item, content }: OpenedPage): Promise<number> {
  const tree = await workbench.openView("MindsDB");
  const nodePath = ["Rentals", "mindsdb", ...item];
  await tree.expand(nodePath.slice(0, -1));
  await tree.find(nodePath);
  await sleep(restMs);
  const label = nodePath[nodePath.length - 1] ?? "";
  await workbench.page
    .locator(".part.sidebar .monaco-list-row .label-name", { hasText: new RegExp(`^${label}$`) })
    .first()
    .click();
  const start = performance.now();
  await pageWith(workbench, content);
  const ms = performance.now() - start;
  await sleep(restMs);
  await workbench.command("View: Close All Editors");
  return ms;
}

/** The frame of a webview whose text has `content`. */
async function pageWith(workbench: Workbench, content: string): Promise<Frame> {
  for (let tries = 0; tries < 3_000; tries++) {
    for (const frame of workbench.page.frames()) {
      if (frame === workbench.page.mainFrame()) continue;
      const read = frame.evaluate((text) => document.body.innerText.includes(text), content);
      if (await answerOf(read, false)) return frame;
    }
    await sleep(5);
  }
  throw new Error(`No page shows ${content}`);
}

// --- Memory

const end = "This is the end.";

/** MB that the window's pages hold more with 10,000 steps than with an empty chat, after garbage is collected. */
async function memoryRow(our: Workbench, their: Workbench, server: BenchServer): Promise<BenchRow> {
  server.stream = (response) => writeFrames(response, manySteps(end));
  const measured = await measureBoth(our, their, async (workbench) => {
    const tree = await workbench.openView("MindsDB");
    const agent = ["Bench", "mindsdb", "Agents", "bench_agent"];
    await tree.expand(agent.slice(0, -1));
    await tree.click(agent);
    const chat = await workbench.frameWith("textarea");
    await sleep(restMs);
    const before = await heap(workbench, chat);
    await chat.locator("textarea").first().fill("How many?");
    await chat.locator("textarea").first().press("Enter");
    await pageWith(workbench, end);
    await sleep(restMs);
    const after = await heap(workbench, chat);
    await workbench.command("View: Close All Editors");
    await sleep(restMs);
    return (after - before) / 1e6;
  });
  return row("memory of 10,000 steps", ...measured, 1.1, "MB");
}

/** Bytes of JavaScript in the process that has the page. */
async function heap(workbench: Workbench, frame: Frame): Promise<number> {
  const session = await workbench.context
    .newCDPSession(frame)
    // A page that shares the window's process has no session of its own.
    .catch(() => workbench.context.newCDPSession(workbench.page));
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize;
}

// --- What all of them need

/** Neither is always the first of a round. */
async function inTurn(
  round: number,
  our: () => Promise<unknown>,
  their: () => Promise<unknown>,
): Promise<void> {
  for (const measure of round % 2 === 0 ? [our, their] : [their, our]) await measure();
}

async function measureBoth(
  our: Workbench,
  their: Workbench,
  measure: (workbench: Workbench) => Promise<number>,
): Promise<[our: number[], their: number[]]> {
  const measured: [number[], number[]] = [[], []];
  const once = (workbench: Workbench, figures: number[], round: number) => async () => {
    const figure = await measure(workbench);
    // The first round loads what the others find loaded.
    if (round > 0) figures.push(figure);
  };
  for (let round = 0; round <= rounds; round++) {
    await inTurn(round, once(our, measured[0], round), once(their, measured[1], round));
  }
  return measured;
}

function row(name: string, our: number[], their: number[], budget: number, unit: string): BenchRow {
  const value = median(our);
  const against = median(their);
  const ratio = value / against;
  return { name: `${name} beside the other checkout`, value, against, ratio, budget, unit };
}
