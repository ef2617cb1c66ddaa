// A suite's counts and failures, kept in out/results/<suite>.json for the summary of all suites.
import fs from "node:fs";
import path from "node:path";

/** A suite's counts, as `out/results/<suite>.json` holds them. */
export interface SuiteResult {
  suite: string;
  passes: number;
  failures: number;
  pending: number;
  /** How long it took. */
  seconds?: number;
  /** The failed tests, as `describeFailure` words them. */
  failed?: string[];
}

/** The file with a suite's counts. */
export function resultFile(suite: string): string {
  return path.join(import.meta.dirname, "..", "out", "results", `${suite}.json`);
}

/** A failed test for the summary of all suites, which may be all that a build machine keeps: title, error, place. */
export function describeFailure(title: string, error: unknown): string {
  if (!(error instanceof Error)) return `${title}: ${String(error)}`;
  const said = error.message.split("\n").slice(0, 20);
  const place = error.stack?.split("\n").find((line) => /\.test\.ts:\d+/.test(line));
  return [`${title}: ${said.shift() ?? ""}`, ...said, ...(place ? [place.trim()] : [])].join(
    "\n  ",
  );
}

/** Writes a suite's counts where the summary looks for them. */
export function writeResult(result: SuiteResult): void {
  const file = resultFile(result.suite);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify(result) + "\n");
}

/** Writes the counts of suites; false if a test of them failed or was skipped. */
export function writeResults(results: SuiteResult[]): boolean {
  for (const result of results) writeResult(result);
  return results.every(({ failures, pending }) => failures + pending === 0);
}

/** Returns a suite's counts; undefined if it did not run to its end. */
export function readResult(suite: string): SuiteResult | undefined {
  try {
    return JSON.parse(fs.readFileSync(resultFile(suite), "utf8")) as SuiteResult;
  } catch {
    return undefined;
  }
}
