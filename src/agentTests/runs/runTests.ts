// Asks the questions of tests one after the other and judges the answers. Several at once lose answers (26.1.0).
import * as l10n from "@vscode/l10n";
import {
  toOutcome,
  toSearchOutcome,
  type AgentOutcome,
  type AskAgent,
  type AskedRun,
  type SearchedRun,
} from "../checks/agentOutcome.ts";
import { readInSlices } from "../../mindsdb/readInSlices.ts";
import { EventLoopYielder } from "../../mindsdb/yieldToEventLoop.ts";
import { describeRetrieval, listExpected } from "../checks/retrievalAssertions.ts";
import {
  meanReciprocalRank,
  reciprocalRank,
  type RankedDocument,
} from "../checks/searchMetrics.ts";
import { judge, type AssertionResult, type Verdict } from "../checks/verdict.ts";
import type { AgentTest, Assertion, TestedAgent } from "../files/testFile.ts";

/** One execution of a test's question. Texts are redacted. */
export interface TestAttempt extends Verdict {
  /** Why it could not be judged. */
  message?: string;
  /** An agent's run, unless nothing was asked. */
  run?: AskedRun["transcript"];
  /** The results of a search of a knowledge base. */
  ranking?: Ranking;
  /** How long the agent took, in ms. */
  tookMs: number;
}

/** The results of a search, with the expected documents. Texts are redacted. */
export interface Ranking {
  knowledgeBase: TestedAgent;
  question: string;
  documents: RankedDocument[];
  expected: string[];
  /** Undefined if the test expects no documents. */
  reciprocalRank?: number;
}

/** The result of a test: it passes if every attempt does. */
export interface TestResult {
  state: TestAttempt["state"];
  attempts: TestAttempt[];
  /** How many attempts passed. */
  passed: number;
  /** Of all attempts, in ms. */
  tookMs: number;
  /** The mean of the attempts' reciprocal ranks, if they are searches that expect documents. */
  reciprocalRank?: number;
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
    return summarize([createErrorAttempt(message)]);
  }
  const attempts: TestAttempt[] = [];
  for (let attempt = 0; attempt < test.repeat; attempt++) {
    signal.throwIfAborted();
    attempts.push(await runOnce(test, ask, signal));
  }
  return summarize(attempts);
}

async function runOnce(test: AgentTest, ask: AskAgent, signal: AbortSignal): Promise<TestAttempt> {
  const { question } = test;
  if (question.trim() === "") {
    return createErrorAttempt(l10n.t("Not run: the variable question is missing or empty."));
  }
  const asked = await ask(test.agent, question, signal);
  return "documents" in asked
    ? judgeSearch(test, question, asked, signal)
    : judgeRun(test, asked, signal);
}

async function judgeRun(
  test: AgentTest,
  asked: AskedRun,
  signal: AbortSignal,
): Promise<TestAttempt> {
  const run = asked.transcript;
  const tookMs = asked.original.took ?? 0;
  const outcome = toOutcome(asked.original);
  if (!outcome) {
    const [shown] = run.runs;
    const message = shown?.reason ?? l10n.t("The agent ended without an answer.");
    return { ...createErrorAttempt(message, tookMs), run };
  }
  return { ...(await judgeOutcome(test, outcome, asked.redact, signal)), run, tookMs };
}

async function judgeSearch(
  test: AgentTest,
  question: string,
  asked: SearchedRun,
  signal: AbortSignal,
): Promise<TestAttempt> {
  const { reason, redact, tookMs } = asked;
  if (reason !== undefined) return createErrorAttempt(reason, tookMs);
  const expected = listExpected(test.assertions);
  const ids = asked.documents.map(({ id }) => id);
  const ranking: Ranking = {
    knowledgeBase: test.agent,
    question: redact(question),
    // A server's chunks may have any length.
    documents: await readInSlices(asked.documents, (document) => ({
      ...document,
      id: redact(document.id),
      content: redact(document.content),
    })),
    expected,
    ...(expected.length > 0 && { reciprocalRank: reciprocalRank(ids, expected) }),
  };
  const verdict = await judgeOutcome(test, toSearchOutcome(asked), redact, signal);
  return { ...verdict, ranking, tookMs };
}

function createErrorAttempt(message: string, tookMs = 0): TestAttempt {
  return { state: "error", score: 0, results: [], message, tookMs };
}

async function judgeOutcome(
  test: AgentTest,
  outcome: AgentOutcome,
  redact: (text: string) => string,
  signal: AbortSignal,
): Promise<Verdict> {
  const verdict = await judge(test, outcome, signal);
  // Many assertions fail with the same answer, which can be large.
  const known = new Map<string, string>();
  const redactOnce = (text: string): string => {
    const redacted = known.get(text) ?? redact(text);
    known.set(text, redacted);
    return redacted;
  };
  const yielder = new EventLoopYielder();
  return { ...verdict, results: await redactResults(verdict.results, redactOnce, yielder) };
}

/** The members of results that a server can have a say in, without secrets. Lets others work meanwhile. */
async function redactResults(
  results: readonly AssertionResult[],
  redact: (text: string) => string,
  yielder: EventLoopYielder,
): Promise<AssertionResult[]> {
  const redacted: AssertionResult[] = [];
  for (const result of results) {
    const { expected, actual, members } = result;
    redacted.push({
      ...result,
      reason: redact(result.reason),
      ...(expected === undefined ? {} : { expected: redact(expected) }),
      ...(actual === undefined ? {} : { actual: redact(actual) }),
      ...(members ? { members: await redactResults(members, redact, yielder) } : {}),
    });
    await yielder.yieldIfDue();
  }
  return redacted;
}

function summarize(attempts: TestAttempt[]): TestResult {
  const states = attempts.map(({ state }) => state);
  const state = states.includes("error")
    ? "error"
    : states.includes("failed")
      ? "failed"
      : "passed";
  const rank = meanReciprocalRank(attempts.map(({ ranking }) => ranking?.reciprocalRank))?.mean;
  return {
    state,
    attempts,
    passed: states.filter((one) => one === "passed").length,
    tookMs: attempts.reduce((sum, { tookMs }) => sum + tookMs, 0),
    ...(rank !== undefined && { reciprocalRank: rank }),
  };
}

/** An assertion in a few words: "contains Rome". */
export function describeAssertion(assertion: Assertion): string {
  const { type, isInverse, value, threshold } = assertion;
  if (type === "javascript") return describeRetrieval(assertion);
  const name = isInverse ? `not-${type}` : type;
  const shown = value ?? (type === "latency" ? `${threshold ?? 0} ms` : undefined);
  if (shown === undefined) return name;
  return `${name} ${typeof shown === "string" ? shown : JSON.stringify(shown)}`;
}
