// Runs one mocha suite in this process and leaves its counts in out/results/<name>.json.
// Usage: node scripts/mocha.ts NAME FILE_OR_GLOB...   (GREP=text runs only what matches)
import fs from "node:fs";
import path from "node:path";
import * as mochaModule from "mocha";

// mocha 12 is an ES module whose types still describe the CommonJS one.
const { default: Mocha } = mochaModule as unknown as { default: typeof mochaModule.default };
const root = path.resolve(import.meta.dirname, "..");

/** A suite's counts, as `out/results/<suite>.json` holds them. */
export interface SuiteResult {
  suite: string;
  passes: number;
  failures: number;
  pending: number;
  /** The failed tests, as `describeFailure` words them. */
  failed?: string[];
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
  const folder = path.join(root, "out", "results");
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, `${result.suite}.json`), JSON.stringify(result) + "\n");
}

/** Runs the files as one mocha suite; a suite in which nothing ran counts as one failure. */
export async function runMocha(
  suite: string,
  files: string[],
  timeoutMs = 20_000,
): Promise<SuiteResult> {
  const mocha = new Mocha({ ui: "bdd", timeout: timeoutMs, reporter: "spec" });
  if (process.env["GREP"]) mocha.grep(process.env["GREP"]);
  for (const file of files) mocha.addFile(path.resolve(file));
  await mocha.loadFilesAsync();
  const result = await new Promise<SuiteResult>((resolve) => {
    const failed: string[] = [];
    const runner = mocha.run(() => {
      const { passes = 0, failures = 0, pending = 0 } = runner.stats ?? {};
      resolve({ suite, passes, failures: passes + failures === 0 ? 1 : failures, pending, failed });
    });
    runner.on("fail", (test, error) => failed.push(describeFailure(test.fullTitle(), error)));
  });
  writeResult(result);
  return result;
}

if (import.meta.filename === process.argv[1]) {
  // When mocha runs from a script, it ignores unhandled rejections.
  process.on("unhandledRejection", (error) => {
    throw error;
  });
  const [suite, ...patterns] = process.argv.slice(2);
  if (!suite || patterns.length === 0) throw new Error("usage: node scripts/mocha.ts NAME FILE...");
  const files = patterns.flatMap((pattern) => fs.globSync(pattern)).sort();
  const result = await runMocha(suite, files);
  process.exit(result.failures + result.pending > 0 ? 1 : 0);
}
