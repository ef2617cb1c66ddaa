// All test suites, and the summary of their results.
import fs from "node:fs";
import { readResult, resultFile } from "./suiteResult.ts";

/** What `npm test` runs. */
export const testSuites = ["unit", "page", "host-1.139", "smoke"];
/** What `npm run test:full` runs: everything else. */
export const fullSuites = [
  ...["unit-slow", "page-slow", "page-themes", "host-1.103", "e2e-1.103", "e2e", "mindsdb"],
];
/** What CI runs. */
export const ciSuites = [...testSuites, ...fullSuites, "checks"];

/** Deletes earlier results, so that a suite that does not run has none. */
export function clearResults(suites: readonly string[]): void {
  for (const suite of suites) fs.rmSync(resultFile(suite), { force: true });
}

/** Prints a line a suite and, last, `N passed, N failed`; true if all is well. A missing or skipped test is a failed one. */
export function summarize(suites: readonly string[]): boolean {
  let passed = 0;
  let failed = 0;
  for (const suite of suites) {
    const result = readResult(suite);
    if (!result) {
      console.log(`${suite}: did not run`);
      failed++;
      continue;
    }
    const { passes, failures, pending, seconds, failed: described = [] } = result;
    const skipped = pending > 0 ? `, ${pending} skipped (counted as failed)` : "";
    const time = seconds === undefined ? "" : ` (${seconds} s)`;
    console.log(`${suite}: ${passes} passed, ${failures} failed${skipped}${time}`);
    for (const failure of described) console.log(`  ${failure.replaceAll("\n", "\n  ")}`);
    passed += passes;
    failed += failures + pending;
  }
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0;
}

if (import.meta.filename === process.argv[1]) {
  if (process.argv.includes("--clear")) clearResults(ciSuites);
  else process.exit(summarize(ciSuites) ? 0 : 1);
}
