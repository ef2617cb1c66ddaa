// npm run bench: every benchmark, side by side with what it is held to, and what it was measured on.
import os from "node:os";
import { printRows, type BenchRow } from "./bench.ts";

/** Each gives its rows; a part of a name as argument runs only those. */
const benches: Record<string, () => Promise<{ run(): BenchRow[] | Promise<BenchRow[]> }>> = {
  normalise: () => import("./normalise.bench.ts"),
  blocking: () => import("./blocking.bench.ts"),
  predict: () => import("./predict.bench.ts"),
  grid: () => import("./grid.bench.ts"),
  activation: () => import("./activation.bench.ts"),
  agentTests: () => import("./agentTests.bench.ts"),
  sql: () => import("./sql.bench.ts"),
  statement: () => import("./statement.bench.ts"),
  workbench: () => import("./workbench.bench.ts"),
  beside: () => import("./beside.bench.ts"),
};

const wanted = process.argv[2] ?? "";
const rows: BenchRow[] = [];
for (const [name, load] of Object.entries(benches)) {
  if (!name.includes(wanted)) continue;
  console.log(`== ${name}`);
  rows.push(...(await (await load()).run()));
}
const [cpu] = os.cpus();
console.log(
  `\n${String(os.cpus().length)} × ${cpu?.model ?? "unknown"}, Node ${process.versions.node}`,
);
process.exit(printRows(rows) ? 0 : 1);
