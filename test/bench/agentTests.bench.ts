// The Test Explorer of a real VS Code with 2,000 agent tests: how soon they appear, and how long a run of all of them
// blocks the window. VS Code recomputes the states of all parents with each result.
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { packVsix } from "../../scripts/package.ts";
import { TestExplorer } from "../e2e/lib/testExplorer.ts";
import { openWorkbench, type Workbench } from "../e2e/lib/workbench.ts";
import { median, type BenchRow } from "./bench.ts";
import { startBenchServer, type BenchServer } from "./benchServer.ts";

const testCount = 2_000;
const rounds = 3;
const maxAppearMs = 1_000;
const maxBlockedMs = 2_000;
const maxRunMs = 5 * 60_000;
const fileName = "bench.agent-test.yaml";

export async function run(): Promise<BenchRow[]> {
  const server = await startBenchServer();
  const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
  server.stream = (response) => {
    response.write(data({ type: "data", text: "Yes.", trace_id: "" }) + data({ type: "end" }));
    return Promise.resolve();
  };
  const workbench = await openWorkbench({
    vsix: packVsix(),
    machineSettings: {
      "mindsdbWorkbench.connections": [{ id: "bench", name: "Bench", address: server.url }],
    },
  });
  try {
    writeTests(workbench, 0);
    const tests = await TestExplorer.open(workbench);
    await tests.expand(fileName);
    await tests.row("question 0000 ").waitFor();
    const appeared: number[] = [];
    for (let round = 1; round <= rounds; round++) appeared.push(await appear(workbench, round));
    const blocked: number[] = [];
    for (let round = 0; round < 2; round++) blocked.push(await runAll(workbench, tests, server));
    return [
      row(`${String(testCount)} agent tests appear`, median(appeared), maxAppearMs),
      row(
        `a run of ${String(testCount)} agent tests blocks the window`,
        median(blocked),
        maxBlockedMs,
      ),
    ];
  } finally {
    await workbench.close();
    await server.stop();
  }
}

function row(name: string, value: number, against: number): BenchRow {
  return { name, value, against, ratio: value / against, budget: 1, unit: "ms" };
}

/** Names differ between rounds, so that rows of another round are told apart. */
function writeTests({ folder }: Workbench, round: number): void {
  const tests = Array.from({ length: testCount }, (_, n) => {
    const question = `question ${String(n).padStart(4, "0")} of round ${String(round)}`;
    return `  - vars: { question: ${question} }\n    assert: [{ type: contains, value: "Yes" }]`;
  });
  const head = [
    "providers: ['mindsdb:mindsdb/bench_agent']",
    "prompts: ['{{question}}']",
    "tests:",
  ];
  fs.writeFileSync(path.join(folder, fileName), [...head, ...tests, ""].join("\n"));
}

/** ms from the writing of the file until its first tests are drawn; the file's watcher is part of it. */
async function appear(workbench: Workbench, round: number): Promise<number> {
  const drawn = workbench.page.evaluate(
    (wanted) =>
      new Promise<number>((resolve, reject) => {
        const explorer = document.querySelector(".test-explorer")!;
        const watch = new MutationObserver(() => {
          if (!explorer.textContent.includes(wanted)) return;
          watch.disconnect();
          requestAnimationFrame(() => resolve(Date.now()));
        });
        watch.observe(explorer, { childList: true, subtree: true, characterData: true });
        setTimeout(() => reject(new Error("the tests did not appear")), 30_000);
      }),
    `of round ${String(round)}`,
  );
  await sleep(1_000);
  const written = Date.now();
  writeTests(workbench, round);
  return (await drawn) - written;
}

/** Runs all tests with the view shown; the sum of the window's long tasks, in ms. */
async function runAll(
  workbench: Workbench,
  tests: TestExplorer,
  server: BenchServer,
): Promise<number> {
  const { page } = workbench;
  const before = server.streams;
  await page.evaluate(() => {
    const holder = globalThis as unknown as { blocked: number };
    holder.blocked = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) holder.blocked += duration;
    }).observe({ entryTypes: ["longtask"] });
  });
  await tests.run(fileName);
  await workbench.dialogs.modal(`Ask ${String(testCount)} questions?`, "Ask");
  const started = Date.now();
  while (server.streams < before + testCount || (await tests.state(fileName)) !== "passed") {
    if (Date.now() > started + maxRunMs) throw new Error("The run did not end");
    await sleep(500);
  }
  await sleep(2_000);
  console.log(`   a run took ${String(Date.now() - started)} ms`);
  return page.evaluate(() => (globalThis as unknown as { blocked: number }).blocked);
}
