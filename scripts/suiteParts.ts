// Runs the parts of a suite side by side, each in a process of its own, and adds up their results.
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { readResult, resultFile, type SuiteResult } from "./suiteResult.ts";

const root = path.resolve(import.meta.dirname, "..");

/** What one process runs. */
export interface SuitePart {
  /** The suite that its counts belong to. */
  suite: string;
  /** Names the part in the output. */
  title: string;
  /** The files with the tests. */
  files?: string[];
  /** Instead of files: a script with its arguments that runs the whole suite and writes its result. */
  script?: string[];
  env?: Record<string, string>;
  /** What must be done before it starts. If that fails, the part is one failed test. */
  ready?: Promise<void>;
}

/**
 * Runs the parts in the given order, as many at a time as there are workers. No test runs again after it failed. Where
 * there are several parts, each line of output begins with its part's title. Returns a result for each suite.
 */
export async function runParts(
  parts: SuitePart[],
  { workers }: { workers: number },
): Promise<SuiteResult[]> {
  const results = new Map<SuitePart, SuiteResult>();
  const times = new Map<SuitePart, { started: number; ended: number }>();
  const waiting = [...parts.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, part] = next;
      const obstacle = await part.ready?.then(
        () => undefined,
        (error: unknown) => String(error),
      );
      const prefix = parts.length > 1 ? `${part.title} | ` : undefined;
      const started = Date.now();
      const name = `${part.suite}-part-${index}`;
      results.set(
        part,
        obstacle === undefined
          ? await runPart(name, part, prefix)
          : failedPart(name, part, obstacle),
      );
      times.set(part, { started, ended: Date.now() });
      const seconds = Math.round((Date.now() - started) / 1_000);
      if (prefix) console.log(`== ${part.title} took ${seconds} s`);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));

  const suites = [...new Set(parts.map(({ suite }) => suite))];
  return suites.map((suite) => {
    const ofSuite = parts.filter((part) => part.suite === suite);
    const ran = ofSuite.map((part) => times.get(part)).filter((time) => time !== undefined);
    const first = Math.min(...ran.map(({ started }) => started));
    const last = Math.max(...ran.map(({ ended }) => ended));
    const seconds = Math.round((last - first) / 1_000);
    const counted = ofSuite.map((part) => results.get(part));
    return addResults(
      suite,
      seconds,
      counted.filter((result) => result !== undefined),
    );
  });
}

/** A process that ends without a result is one failed test. */
async function runPart(name: string, part: SuitePart, prefix?: string): Promise<SuiteResult> {
  const { files = [], script, env } = part;
  const resultName = script ? part.suite : name;
  fs.rmSync(resultFile(resultName), { force: true });
  const command = script ?? ["scripts/mocha.ts", name, ...files];
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: prefix === undefined ? "inherit" : ["ignore", "pipe", "pipe"],
  });
  for (const input of [child.stdout, child.stderr]) {
    if (input) createInterface({ input }).on("line", (line) => console.log(`${prefix}${line}`));
  }
  await once(child, "close");
  const result = readResult(resultName);
  fs.rmSync(resultFile(resultName), { force: true });
  return result ?? failedPart(name, part, "the process ended before its tests did");
}

function failedPart(suite: string, { title }: SuitePart, reason: string): SuiteResult {
  return { suite, passes: 0, failures: 1, pending: 0, failed: [`${title}: ${reason}`] };
}

function addResults(suite: string, seconds: number, results: SuiteResult[]): SuiteResult {
  const total = (count: (result: SuiteResult) => number) =>
    results.reduce((sum, result) => sum + count(result), 0);
  return {
    suite,
    seconds,
    passes: total(({ passes }) => passes),
    failures: total(({ failures }) => failures),
    pending: total(({ pending }) => pending),
    failed: results.flatMap(({ failed = [] }) => failed),
  };
}
