// Runs one mocha suite in this process and leaves its counts in out/results/<name>.json.
// Usage: node scripts/mocha.ts NAME FILE_OR_GLOB...   (GREP=text runs only what matches)
import fs from "node:fs";
import path from "node:path";
import * as mochaModule from "mocha";
import "./propertySeed.ts";
import { describeFailure, writeResult, type SuiteResult } from "./suiteResult.ts";

// mocha 12 is an ES module whose types still describe the CommonJS one.
const { default: Mocha } = mochaModule as unknown as { default: typeof mochaModule.default };

/**
 * Runs the files as one mocha suite; a suite in which nothing ran counts as one failure. `timeoutMs` is the limit of each
 * test, long enough for a busy machine; a test that needs more sets its own.
 */
export async function runMocha(
  suite: string,
  files: string[],
  { timeoutMs = 180_000 }: { timeoutMs?: number } = {},
): Promise<SuiteResult> {
  const mocha = new Mocha({ ui: "bdd", timeout: timeoutMs, reporter: "spec" });
  if (process.env["GREP"]) mocha.grep(process.env["GREP"]);
  for (const file of files) mocha.addFile(path.resolve(file));
  await mocha.loadFilesAsync();
  const failed: string[] = [];
  const result = await new Promise<SuiteResult>((resolve) => {
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
  const { failures, pending } = await runMocha(suite, files);
  process.exit(failures + pending > 0 ? 1 : 0);
}
