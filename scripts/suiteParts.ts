// Runs the parts of a suite side by side, each in a process of its own, and adds up their results.
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { readResult, replaceRun, resultFile, type SuiteResult } from "./suiteResult.ts";

const root = path.resolve(import.meta.dirname, "..");

/** Files that one process runs. */
export interface SuitePart {
  /** The suite that its counts belong to. */
  suite: string;
  /** Names the part in the output. */
  title: string;
  files: string[];
  /** As for `runMocha`: how many of them run once more in this process if a test of theirs failed. */
  filesToRepeat?: number;
  env?: Record<string, string>;
}

export interface PartsOptions {
  timeoutMs: number;
  /** How many parts run at the same time. */
  workers: number;
  /** How many parts with a failed test run once more, one at a time, after all others. With more failed parts none does. */
  partsToRepeat?: number;
}

/**
 * Runs the parts in the given order, as many at a time as there are workers. Where there are several, each line of output
 * begins with the part's title. Returns a result for each suite.
 */
export async function runParts(
  parts: SuitePart[],
  { timeoutMs, workers, partsToRepeat = 0 }: PartsOptions,
): Promise<SuiteResult[]> {
  const results = new Map<SuitePart, SuiteResult>();
  const waiting = [...parts.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, part] = next;
      const result = await runPart(`${part.suite}-part-${index}`, part, {
        timeoutMs,
        prefix: parts.length > 1 ? `${part.title} | ` : undefined,
      });
      results.set(part, result);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));

  const failed = parts.filter((part) => (results.get(part)?.failures ?? 0) > 0);
  if (failed.length <= partsToRepeat) {
    for (const part of failed) {
      const first = results.get(part);
      if (first) results.set(part, replaceRun(first, first, await repeatPart(part, timeoutMs)));
    }
  }
  const suites = [...new Set(parts.map(({ suite }) => suite))];
  return suites.map((suite) => {
    const ofSuite = parts.filter((part) => part.suite === suite);
    return addResults(
      suite,
      ofSuite.map((part) => results.get(part)).filter((result) => result !== undefined),
    );
  });
}

/** Runs a part once more, and prints its output as it comes. */
export function repeatPart(part: SuitePart, timeoutMs: number): Promise<SuiteResult> {
  console.log(`\n== ${part.title} has failed and runs once more`);
  return runPart(`${part.suite}-again`, { ...part, filesToRepeat: 0 }, { timeoutMs });
}

/** A process that ends without a result is one failed test. */
async function runPart(
  name: string,
  { title, files, filesToRepeat = 0, env }: SuitePart,
  { timeoutMs, prefix }: { timeoutMs: number; prefix?: string | undefined },
): Promise<SuiteResult> {
  fs.rmSync(resultFile(name), { force: true });
  const script = path.join(import.meta.dirname, "mocha.ts");
  const options = ["--timeout", String(timeoutMs), "--repeat", String(filesToRepeat)];
  const child = spawn(process.execPath, [script, name, ...options, ...files], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: prefix === undefined ? "inherit" : ["ignore", "pipe", "pipe"],
  });
  for (const input of [child.stdout, child.stderr]) {
    if (input) createInterface({ input }).on("line", (line) => console.log(`${prefix}${line}`));
  }
  await once(child, "close");
  const result = readResult(name);
  fs.rmSync(resultFile(name), { force: true });
  const failed = [`${title}: the process ended before its tests did`];
  return result ?? { suite: name, passes: 0, failures: 1, pending: 0, failed };
}

function addResults(suite: string, results: SuiteResult[]): SuiteResult {
  const total = (count: (result: SuiteResult) => number) =>
    results.reduce((sum, result) => sum + count(result), 0);
  return {
    suite,
    passes: total(({ passes }) => passes),
    failures: total(({ failures }) => failures),
    pending: total(({ pending }) => pending),
    failed: results.flatMap(({ failed = [] }) => failed),
    unstable: results.flatMap(({ unstable = [] }) => unstable),
  };
}
