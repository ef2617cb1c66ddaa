// From the judged assertions of a test to its verdict, by the rules of promptfoo 0.123.
import { setImmediate } from "node:timers/promises";
import * as l10n from "@vscode/l10n";
import type { AgentOutcome } from "./agentOutcome.ts";
import { AssertionError } from "../files/finding.ts";
import { evaluateAssertion, type Judgement } from "./evaluateAssertion.ts";
import type { TemplateVars } from "../files/templates.ts";
import type { Assertion } from "../files/testFile.ts";
import { TooMuchTimeError, TooMuchWorkError, WorkBudget } from "./workBudget.ts";

/** The result of one assertion. Texts are not redacted. */
export interface AssertionResult extends Judgement {
  assertion: Assertion;
  /** From 0 to 1. */
  score: number;
  /** The results of a set's members. */
  members?: AssertionResult[];
  /** It could not be judged; the whole test is an error then. */
  isError?: boolean;
}

/** The result of one execution of a test. */
export interface Verdict {
  state: "passed" | "failed" | "error";
  /** The weighted mean of the assertions' scores; 1 without assertions. */
  score: number;
  results: AssertionResult[];
}

/** Judges for so long before anything else can happen in the process. */
const maxBlockMs = 25;

/** For all assertions of an answer: each may take long, and a file can have thousands. */
const maxJudgingMs = 5_000;

/**
 * Judges an answer. Every assertion is judged, also after an error, but only begun within five seconds. Lets others work
 * between assertions; rejects with the signal's reason.
 */
export async function judge(
  test: { assertions: readonly Assertion[]; threshold?: number; vars: TemplateVars },
  outcome: AgentOutcome,
  signal: AbortSignal,
): Promise<Verdict> {
  const results: AssertionResult[] = [];
  const budget = new WorkBudget(maxJudgingMs);
  let startedAt = performance.now();
  for (const assertion of test.assertions) {
    const members: AssertionResult[] = [];
    for (const part of assertion.members ?? [assertion]) {
      members.push(judgeOne(part, outcome, test.vars, budget));
      if (performance.now() - startedAt <= maxBlockMs) continue;
      await setImmediate();
      signal.throwIfAborted();
      startedAt = performance.now();
    }
    results.push(assertion.members ? judgeSet(assertion, members) : members[0]!);
  }
  if (results.some(hasError)) return { state: "error", score: 0, results };
  if (results.length === 0) return { state: "passed", score: 1, results };
  const { isPassed, score } = summarize(results, test.threshold);
  return { state: isPassed ? "passed" : "failed", score, results };
}

function judgeOne(
  assertion: Assertion,
  outcome: AgentOutcome,
  vars: TemplateVars,
  budget: WorkBudget,
): AssertionResult {
  try {
    budget.checkTime();
    const judgement = evaluateAssertion(assertion, outcome, vars, budget);
    const score = judgement.score ?? (judgement.isPassed ? 1 : 0);
    // Without weight an assertion cannot fail, but its score stays.
    return assertion.weight === 0
      ? { ...judgement, assertion, score, isPassed: true }
      : { ...judgement, assertion, score };
  } catch (error) {
    const reason = explainError(error);
    return { assertion, isPassed: false, score: 0, reason, isError: true };
  }
}

function judgeSet(assertion: Assertion, members: AssertionResult[]): AssertionResult {
  const { isPassed, score } = summarize(members, assertion.threshold);
  const reason = members.findLast((member) => !member.isPassed)?.reason ?? "";
  return { assertion, isPassed, score, reason, members };
}

/** Why an assertion could not be judged. Rethrows what is no consequence of the answer or the assertion's value. */
function explainError(error: unknown): string {
  if (error instanceof AssertionError) return error.message;
  if (error instanceof TooMuchTimeError) {
    const seconds = maxJudgingMs / 1_000;
    return l10n.t("Not judged: the assertions before it took more than {0} s.", seconds);
  }
  if (error instanceof TooMuchWorkError) {
    return l10n.t("The value is too long after its variables are inserted.");
  }
  // Values nested too deeply or too long for V8, and patterns that it can compile but not run.
  if (!(error instanceof RangeError || error instanceof SyntaxError)) throw error;
  return l10n.t("This answer can't be judged: {0}", error.message);
}

/** Without a threshold no assertion may fail; with one, the weighted mean alone decides. */
function summarize(
  results: readonly AssertionResult[],
  threshold: number | undefined,
): { isPassed: boolean; score: number } {
  let [sum, weights] = [0, 0];
  for (const { score, assertion } of results) {
    const weight = assertion.weight ?? 1;
    sum += score * weight;
    weights += weight;
  }
  const score = weights > 0 ? sum / weights : 0;
  const isPassed =
    threshold === undefined ? results.every((result) => result.isPassed) : score >= threshold;
  return { isPassed, score };
}

export function hasError({ isError, members = [] }: AssertionResult): boolean {
  return isError === true || members.some(hasError);
}
