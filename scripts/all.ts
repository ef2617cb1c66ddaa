// npm test: every suite that needs no Python; what fails fastest first.
// npm run test:quick (--quick): the unit and the page tests alone, without the files that are named *.slow.test.ts,
// and the pages in one theme.
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { runParts, type SuitePart } from "./suiteParts.ts";
import { writeResults } from "./suiteResult.ts";
import { clearResults, quickSuites, summarise, testSuites } from "./suites.ts";

const root = path.resolve(import.meta.dirname, "..");
const isQuick = process.argv.includes("--quick");

/** What runs after the unit and the page tests, one after the other. */
const steps: [name: string, script: string][] = [
  ["Build", "esbuild.js"],
  ["Tests inside VS Code 1.103 and 1.139", "scripts/vscode/runHostSuite.ts"],
  ["Package", "scripts/package.ts"],
  ["Journeys in VS Code 1.139, and the longest one in 1.103", "test/e2e/run.ts"],
];

async function measure(name: string, work: () => Promise<void>): Promise<void> {
  const started = Date.now();
  console.log(`\n== ${name}`);
  await work();
  console.log(`== ${name} took ${Math.round((Date.now() - started) / 1_000)} s`);
}

/** Two processes for the pages, because a page test and its browser wait for each other. */
async function runUnitAndPageTests(): Promise<void> {
  const isSlow = (file: string) => file.endsWith(".slow.test.ts");
  const unitFiles = find("test/unit/**/*.test.ts");
  const pageFiles = find("test/page/*.test.ts").filter((file) => !isQuick || !isSlow(file));
  const unit: SuitePart = {
    suite: "unit",
    title: "unit",
    files: unitFiles.filter((file) => !isSlow(file)),
  };
  const slowUnit: SuitePart = { ...unit, title: "slow", files: unitFiles.filter(isSlow) };
  const page = { suite: "page", filesToRepeat: 2 };
  const parts: SuitePart[] = [
    { ...page, title: "page 1", files: pageFiles.filter((_, index) => index % 2 === 1) },
    unit,
    { ...page, title: "page 2", files: pageFiles.filter((_, index) => index % 2 === 0) },
    ...(isQuick ? [] : [slowUnit]),
  ];
  writeResults(await runParts(parts, { timeoutMs: 20_000, workers: parts.length }));
}

function find(pattern: string): string[] {
  return fs.globSync(path.join(root, pattern)).sort();
}

if (isQuick) process.env["QUICK"] = "1";
clearResults();
await measure("Unit tests, and page tests in Chromium", runUnitAndPageTests);
if (!isQuick) {
  for (const [name, script] of steps) {
    await measure(name, async () => {
      await once(spawn(process.execPath, [script], { cwd: root, stdio: "inherit" }), "close");
    });
  }
}
console.log("");
// Not process.exit(), which loses output that a pipe has not taken yet.
process.exitCode = summarise(isQuick ? quickSuites : testSuites) ? 0 : 1;
