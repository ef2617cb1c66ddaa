// Results of the last runs of tests, for the hover of a test.
import * as v from "valibot";
import { truncate } from "../../shared/oneLine.ts";
import type { ReportedTest } from "./junitXml.ts";

/** The most runs of one test that are kept. */
const maxRuns = 10;
/** The most tests that are kept: those that ran last. */
const maxTests = 500;
const maxReasonLength = 300;

const testRuns = v.object({
  /** The newest is last; times in ms. */
  runs: v.pipe(
    v.array(v.object({ isPassed: v.boolean(), tookMs: v.number() })),
    v.minLength(1),
    v.maxLength(maxRuns),
  ),
  /** Why the last of them that failed did; redacted. */
  reason: v.optional(v.string()),
});
export type TestRuns = v.InferOutput<typeof testRuns>;

const storedHistory = v.pipe(v.array(v.tuple([v.string(), testRuns])), v.maxLength(maxTests));

/** The last runs by test, bounded in tests, runs and length. */
export class RunHistory {
  readonly #tests: Map<string, TestRuns>;

  /** Takes what was stored; anything else counts as nothing. */
  constructor(stored?: unknown) {
    const read = v.safeParse(storedHistory, stored);
    this.#tests = new Map(read.success ? read.output : []);
  }

  /** The state to store, most recently run tests last. */
  get stored(): [key: string, TestRuns][] {
    return [...this.#tests];
  }

  find(key: string): TestRuns | undefined {
    return this.#tests.get(key);
  }

  add(key: string, result: Pick<ReportedTest, "state" | "tookMs" | "messages">): void {
    const before = this.#tests.get(key);
    const isPassed = result.state === "passed";
    const run = { isPassed, tookMs: Math.round(result.tookMs) };
    const runs = [...(before?.runs ?? []), run].slice(-maxRuns);
    const reason = isPassed ? before?.reason : result.messages[0];
    const hasReason = reason !== undefined && runs.some((one) => !one.isPassed);
    this.#tests.delete(key);
    this.#tests.set(key, {
      runs,
      ...(hasReason ? { reason: truncate(reason, maxReasonLength) } : {}),
    });
    const [oldest] = this.#tests.keys();
    if (this.#tests.size > maxTests && oldest !== undefined) this.#tests.delete(oldest);
  }
}

/** How many runs there are, how many of them passed, and the median of their times in ms. */
export function summarizeRuns({ runs }: TestRuns): {
  count: number;
  passed: number;
  medianMs: number;
} {
  const times = runs.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  const middle = (times.length - 1) / 2;
  return {
    count: runs.length,
    passed: runs.filter(({ isPassed }) => isPassed).length,
    medianMs: (times[Math.floor(middle)]! + times[Math.ceil(middle)]!) / 2,
  };
}
