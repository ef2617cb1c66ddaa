// All test suites, and the summary of their results.
import fs from "node:fs";
import path from "node:path";
import { readResult } from "./suiteResult.ts";

const results = path.join(import.meta.dirname, "..", "out", "results");

/** What `npm run test:quick` runs. */
export const quickSuites = ["unit", "page"];
/** What `npm test` runs: everything that needs no Python. */
export const testSuites = [...quickSuites, "host-1.103", "host-1.139", "e2e-1.139", "e2e-1.103"];
/** What CI runs beside it. */
export const ciSuites = [...testSuites, "checks", "mindsdb"];

/** Deletes earlier results, so that a suite that did not run has no results. */
export function clearResults(): void {
  fs.rmSync(results, { recursive: true, force: true });
}

/** Prints a line a suite and, last, `N passed, N failed`; true if all is well. A missing or skipped test is a failed one. */
export function summarise(suites: readonly string[]): boolean {
  let passed = 0;
  let failed = 0;
  for (const suite of suites) {
    const result = readResult(suite);
    if (!result) {
      console.log(`${suite}: did not run`);
      failed++;
      continue;
    }
    const { passes, failures, pending, failed: described = [], unstable = [] } = result;
    const skipped = pending > 0 ? `, ${pending} skipped (counted as failed)` : "";
    console.log(`${suite}: ${passes} passed, ${failures} failed${skipped}`);
    for (const failure of described) console.log(`  ${failure.replaceAll("\n", "\n  ")}`);
    for (const failure of unstable) {
      console.log(`  Unstable, failed and then passed: ${failure.replaceAll("\n", "\n  ")}`);
    }
    passed += passes;
    failed += failures + pending;
  }
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0;
}

if (import.meta.filename === process.argv[1]) process.exit(summarise(ciSuites) ? 0 : 1);
