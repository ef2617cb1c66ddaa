// npm test: what a contributor runs before each push. npm run test:full (--full): everything that npm test leaves out.
// Both begin with what fails fastest, and with their longest part, so that it does not run alone at the end.
import fs from "node:fs";
import path from "node:path";
import {
  allJourneys,
  groupByWindow,
  otherJourneys,
  packIfStale,
  smokeJourneys,
  titleOf,
} from "./journeys.ts";
import { runParts, type SuitePart } from "./suiteParts.ts";
import { clearResults, fullSuites, summarize, testSuites } from "./suites.ts";
import { writeResults } from "./suiteResult.ts";

const root = path.resolve(import.meta.dirname, "..");
const isFull = process.argv.includes("--full");

const isSlow = (file: string) => file.endsWith(".slow.test.ts");
const find = (pattern: string) => fs.globSync(path.join(root, pattern)).sort();
const unitFiles = find("test/unit/**/*.test.ts");
const pageFiles = find("test/page/*.test.ts");

function testParts(packed: Promise<void>): SuitePart[] {
  const fastPages = pageFiles.filter((file) => !isSlow(file));
  return [
    { suite: "unit", title: "unit", files: unitFiles.filter((file) => !isSlow(file)) },
    // The longest part, much of which waits: what starts later shares the processors with it. It builds the folder that
    // is packed.
    { ...hostSuite("1.139"), ready: packed },
    // In two processes, because a page test and its browser wait for each other.
    ...[0, 1].map((half) => ({
      suite: "page",
      title: `page ${half + 1}`,
      files: fastPages.filter((_, index) => index % 2 === half),
      env: { THEMES: "dark" },
    })),
    ...journeyParts("smoke", smokeJourneys()).map((part) => ({ ...part, ready: packed })),
  ];
}

function fullParts(): SuitePart[] {
  const otherThemes = ["light", "highContrast"];
  return [
    // The longest part, and it leaves a core idle for much of the time.
    { suite: "mindsdb", title: "MindsDB", script: ["test/mindsdb/run.ts"] },
    { suite: "unit-slow", title: "slow unit", files: unitFiles.filter(isSlow) },
    { suite: "page-slow", title: "slow page", files: pageFiles.filter(isSlow) },
    {
      suite: "page-themes",
      title: "page themes",
      files: pageFiles.filter((file) => !isSlow(file)),
      env: { THEMES: otherThemes.join(), GREP: `/\\b(${otherThemes.join("|")})\\b/` },
    },
    hostSuite("1.103"),
    ...journeyParts("e2e-1.103", allJourneys("everything")),
    ...journeyParts("e2e", otherJourneys()),
  ];
}

function hostSuite(version: string): SuitePart {
  return {
    suite: `host-${version}`,
    title: `host ${version}`,
    script: ["scripts/vscode/runHostSuite.ts", "--version", version],
  };
}

function journeyParts(suite: string, files: string[]): SuitePart[] {
  const version = suite.endsWith("1.103") ? "1.103" : "1.139";
  return groupByWindow(files).map((group) => ({
    suite,
    title: `${titleOf(group)} in ${version}`,
    files: group,
    env: { VSCODE_VERSION: version },
  }));
}

const started = Date.now();
const suites = isFull ? fullSuites : testSuites;
clearResults(suites);
const packed = packIfStale();
if (isFull) await packed;
const parts = isFull ? fullParts() : testParts(packed);
writeResults(await runParts(parts, { workers: isFull ? 2 : 3 }));
console.log(`\nTook ${Math.round((Date.now() - started) / 1_000)} s`);
// Not process.exit(), which loses output that a pipe has not taken yet.
process.exitCode = summarize(suites) ? 0 : 1;
