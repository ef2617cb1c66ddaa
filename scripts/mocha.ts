// Runs one mocha suite in this process and leaves its counts in out/results/<name>.json.
// Usage: node scripts/mocha.ts NAME [--repeat FILES] [--timeout MS] FILE_OR_GLOB...   (GREP=text runs only what matches)
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import * as mochaModule from "mocha";
import { repeatPart } from "./suiteParts.ts";
import { describeFailure, replaceRun, writeResult, type SuiteResult } from "./suiteResult.ts";

// mocha 12 is an ES module whose types still describe the CommonJS one.
const { default: Mocha } = mochaModule as unknown as { default: typeof mochaModule.default };

export interface SuiteOptions {
  timeoutMs?: number;
  /**
   * How many files with a failed test run once more, each in a process of its own. For suites that drive a browser, a
   * VS Code or a server, which lose an event now and then. With more failed files none runs again.
   */
  filesToRepeat?: number;
}

/** Runs the files as one mocha suite; a suite in which nothing ran counts as one failure. */
export async function runMocha(
  suite: string,
  files: string[],
  { timeoutMs = 20_000, filesToRepeat = 0 }: SuiteOptions = {},
): Promise<SuiteResult> {
  const mocha = new Mocha({ ui: "bdd", timeout: timeoutMs, reporter: "spec" });
  if (process.env["GREP"]) mocha.grep(process.env["GREP"]);
  for (const file of files) mocha.addFile(path.resolve(file));
  await mocha.loadFilesAsync();
  const passesOf = new Map<string, number>();
  const failedOf = new Map<string, string[]>();
  let result = await new Promise<SuiteResult>((resolve) => {
    const runner = mocha.run(() => {
      const { passes = 0, failures = 0, pending = 0 } = runner.stats ?? {};
      const failed = [...failedOf.values()].flat();
      resolve({ suite, passes, failures: passes + failures === 0 ? 1 : failures, pending, failed });
    });
    runner.on("pass", ({ file = "" }) => passesOf.set(file, (passesOf.get(file) ?? 0) + 1));
    runner.on("fail", (test, error) => {
      const failed = failedOf.get(test.file ?? "") ?? [];
      failedOf.set(test.file ?? "", [...failed, describeFailure(test.fullTitle(), error)]);
    });
  });
  if (failedOf.size <= filesToRepeat) {
    for (const [file, failed] of failedOf) {
      if (!file) continue;
      const first = { passes: passesOf.get(file) ?? 0, failures: failed.length, failed };
      const part = { suite, title: path.basename(file), files: [file], timeoutMs };
      result = replaceRun(result, first, await repeatPart(part));
    }
  }
  writeResult(result);
  return result;
}

if (import.meta.filename === process.argv[1]) {
  // When mocha runs from a script, it ignores unhandled rejections.
  process.on("unhandledRejection", (error) => {
    throw error;
  });
  const { values, positionals } = parseArgs({
    options: { repeat: { type: "string" }, timeout: { type: "string" } },
    allowPositionals: true,
  });
  const [suite, ...patterns] = positionals;
  if (!suite || patterns.length === 0) throw new Error("usage: node scripts/mocha.ts NAME FILE...");
  const files = patterns.flatMap((pattern) => fs.globSync(pattern)).sort();
  const { failures, pending } = await runMocha(suite, files, {
    timeoutMs: Number(values.timeout ?? 20_000),
    filesToRepeat: Number(values.repeat ?? 0),
  });
  process.exit(failures + pending > 0 ? 1 : 0);
}
