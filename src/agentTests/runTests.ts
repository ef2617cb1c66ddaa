// Asks the questions of tests one after the other and judges the answers. Several at once lose answers (26.1.0).
import * as l10n from "@vscode/l10n";
import { toOutcome, type AskAgent, type AskedRun } from "./agentOutcome.ts";
import { judge, type AssertionResult } from "./verdict.ts";
import { promptTemplate } from "./readTestFile.ts";
import { renderTemplate } from "./templates.ts";
import type { AgentTest, Assertion } from "./testFile.ts";

/** One execution of a test's question. Texts are redacted. */
export interface TestAttempt {
  state: "passed" | "failed" | "error";
  score: number;
  results: AssertionResult[];
  /** Why it could not be judged. */
  message?: string;
  /** The run, unless nothing was asked. */
  run?: AskedRun["transcript"];
  /** How long the agent took, in ms. */
  tookMs: number;
}

/** The result of a test: it passes if every attempt does. */
export interface TestResult {
  state: TestAttempt["state"];
  attempts: TestAttempt[];
  /** How many attempts passed. */
  passed: number;
  /** Of all attempts, in ms. */
  tookMs: number;
}

/**
 * Runs a test with all its repetitions. Asks nothing where the file has a problem. Rejects with the signal's reason.
 */
export async function runTest(
  test: AgentTest,
  ask: AskAgent,
  signal: AbortSignal,
): Promise<TestResult> {
  const [problem] = test.problems;
  if (problem) {
    const message = l10n.t("Not run: {0}", problem.message);
    return summarize([{ state: "error", score: 0, results: [], message, tookMs: 0 }]);
  }
  const attempts: TestAttempt[] = [];
  for (let attempt = 0; attempt < test.repeat; attempt++) {
    signal.throwIfAborted();
    attempts.push(await runOnce(test, ask, signal));
  }
  return summarize(attempts);
}

async function runOnce(test: AgentTest, ask: AskAgent, signal: AbortSignal): Promise<TestAttempt> {
  const question = renderTemplate(promptTemplate, test.vars);
  if (question.trim() === "") {
    const message = l10n.t("Not run: the variable question is missing or empty.");
    return { state: "error", score: 0, results: [], message, tookMs: 0 };
  }
  const asked = await ask(test.agent, question, signal);
  const run = asked.transcript;
  const tookMs = asked.original.took ?? 0;
  const outcome = toOutcome(asked.original);
  if (!outcome) {
    const [shown] = run.runs;
    const message = shown?.reason ?? l10n.t("The agent ended without an answer.");
    return { state: "error", score: 0, results: [], message, run, tookMs };
  }
  const verdict = judge(test, outcome);
  const redacted = verdict.results.map((result) => redactResult(result, asked.redact));
  return { ...verdict, results: redacted, run, tookMs };
}

/** The members of a result that a server can have a say in, without secrets. */
function redactResult(result: AssertionResult, redact: (text: string) => string): AssertionResult {
  const { expected, actual, members } = result;
  return {
    ...result,
    reason: redact(result.reason),
    ...(expected === undefined ? {} : { expected: redact(expected) }),
    ...(actual === undefined ? {} : { actual: redact(actual) }),
    ...(members ? { members: members.map((member) => redactResult(member, redact)) } : {}),
  };
}

function summarize(attempts: TestAttempt[]): TestResult {
  const states = attempts.map(({ state }) => state);
  const state = states.includes("error")
    ? "error"
    : states.includes("failed")
      ? "failed"
      : "passed";
  return {
    state,
    attempts,
    passed: states.filter((one) => one === "passed").length,
    tookMs: attempts.reduce((sum, { tookMs }) => sum + tookMs, 0),
  };
}

/** An assertion in a few words: "contains Rome". */
export function describeAssertion({ type, isInverse, value, threshold }: Assertion): string {
  const name = isInverse ? `not-${type}` : type;
  const shown = value ?? (type === "latency" ? `${threshold ?? 0} ms` : undefined);
  if (shown === undefined) return name;
  return `${name} ${typeof shown === "string" ? shown : JSON.stringify(shown)}`;
}
