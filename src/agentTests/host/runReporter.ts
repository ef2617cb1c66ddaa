// Reports results to the Test Explorer in bundles. Reported one by one, 2,000 of them freeze the window for 7 to 17 s,
// since each one changes the state of all its parents (VS Code 1.139 and 1.103).
import * as vscode from "vscode";
import type { TestAttempt, TestResult } from "../runs/runTests.ts";
import { meanReciprocalRank } from "../checks/searchMetrics.ts";
import { visibleLine } from "../../shared/oneLine.ts";
import type { AgentTest } from "../files/testFile.ts";
import { hasError, type AssertionResult } from "../checks/verdict.ts";
import type { TestFiles } from "./files/testFiles.ts";
import { createTestMessage, MessageRoom } from "./testMessages.ts";

const flushDelayMs = 200;

/** The most tests that the output of a run lists. */
const maxOutputLines = 1_000;
const maxLineLength = 500;

const marks = { passed: "\u2714", failed: "\u2716", error: "!" };

type Report = (run: vscode.TestRun) => void;

export class RunReporter {
  readonly #run: vscode.TestRun;
  readonly #files: TestFiles;
  /** Tests that run and are not reported yet. */
  readonly #started = new Set<vscode.TestItem>();
  #reports: Report[] = [];
  readonly #lines: string[] = [];
  /** The reciprocal ranks of searches, by file. */
  readonly #ranks = new Map<vscode.TestItem, number[]>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(run: vscode.TestRun, files: TestFiles) {
    this.#run = run;
    this.#files = files;
  }

  start(item: vscode.TestItem): void {
    this.#started.add(item);
    this.#schedule();
  }

  /** The run was cancelled before this test had a result. */
  skip(item: vscode.TestItem): void {
    this.#started.delete(item);
    this.#add((run) => run.skipped(item));
  }

  finish(item: vscode.TestItem, test: AgentTest, result: TestResult): void {
    // Not shown as running if it is done already: that would change its parents twice.
    this.#started.delete(item);
    this.#add((run) => this.#report(run, item, test, result));
    this.#noteRank(item, result.reciprocalRank);
    if (this.#lines.length >= maxOutputLines) return;
    const { state, passed, attempts, tookMs } = result;
    const seconds = (tookMs / 1_000).toFixed(1);
    const rate = attempts.length > 1 ? ` (${passed}/${attempts.length})` : "";
    this.#lines.push(
      `${marks[state]} ${visibleLine(test.name, maxLineLength)}${rate} ${seconds} s`,
    );
  }

  /** Reports what is left, and ends the run. */
  end(): void {
    this.#flush();
    this.#reportRanks();
    // Once: VS Code needs 26 seconds and more for the output of 2,000 tests (1.139).
    this.#run.appendOutput(this.#lines.join("\r\n"));
    this.#run.end();
  }

  #noteRank({ parent }: vscode.TestItem, rank: number | undefined): void {
    if (!parent || rank === undefined) return;
    const ranks = this.#ranks.get(parent);
    if (ranks) ranks.push(rank);
    else this.#ranks.set(parent, [rank]);
  }

  /** Says how good the searches of each file were, in the output and beside the file. */
  #reportRanks(): void {
    for (const [file, ranks] of this.#ranks) {
      const mrr = meanReciprocalRank(ranks);
      if (!mrr) continue;
      const value = mrr.mean.toFixed(2);
      this.#files.describe(file, vscode.l10n.t("MRR {0}", value));
      this.#lines.push(
        vscode.l10n.t(
          "{0}: MRR {1}. Searches: {2}.",
          visibleLine(file.label, maxLineLength),
          value,
          mrr.searches,
        ),
      );
    }
  }

  #report(run: vscode.TestRun, item: vscode.TestItem, test: AgentTest, result: TestResult): void {
    const { state, attempts, passed, tookMs } = result;
    const assertions = this.#files.resolveAssertions(item, { isNeeded: state !== "passed" });
    const isRepeated = attempts.length > 1;
    const description = isRepeated
      ? vscode.l10n.t("{0} of {1} passed", passed, attempts.length)
      : undefined;
    item.description = description;
    const room = new MessageRoom();
    for (const [index, child] of assertions.entries()) {
      reportAssertion(run, child, attempts, index, room);
    }
    if (state === "passed") {
      run.passed(item, tookMs);
      return;
    }
    const failed = attempts.find((attempt) => attempt.state === state) ?? attempts[0];
    const text = failed && describeAttempt(failed, test);
    const rate = vscode.l10n.t("{0} of {1} attempts passed.", passed, attempts.length);
    const lines = [...(isRepeated ? [rate] : []), ...(text === undefined ? [] : [text])];
    const messages =
      lines.length > 0
        ? [createTestMessage(lines.join("\n"), this.#files.locate(item), failed?.run !== undefined)]
        : [];
    if (state === "failed") run.failed(item, messages, tookMs);
    else run.errored(item, messages, tookMs);
  }

  #add(report: Report): void {
    this.#reports.push(report);
    this.#schedule();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => this.#flush(), flushDelayMs);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const item of this.#started) this.#run.started(item);
    this.#started.clear();
    for (const report of this.#reports.splice(0)) report(this.#run);
  }
}

/** The result of one assertion over all attempts. */
function reportAssertion(
  run: vscode.TestRun,
  child: vscode.TestItem,
  attempts: readonly TestAttempt[],
  index: number,
  room: MessageRoom,
): void {
  const all = attempts.flatMap(({ results, state }) => {
    const result = results[index];
    return result ? [{ result, state }] : [];
  });
  const error = all.find(({ result }) => hasError(result));
  const failed = error ?? all.find(({ result }) => isFailure(result));
  if (all.length === 0) run.skipped(child);
  else if (!failed) run.passed(child);
  // It has failed, but the test has not: a weight or a threshold allows it.
  else if (!error && all.every(({ state }) => state === "passed")) run.skipped(child);
  else if (error) run.errored(child, createMessages(error.result, child, room));
  else run.failed(child, createMessages(failed.result, child, room));
}

/** An assertion without weight has passed, whatever its score; a ranking's score is a measure. */
function isFailure({ isPassed, score, assertion }: AssertionResult): boolean {
  return !isPassed || (score < 1 && !assertion.retrieval);
}

function createMessages(
  result: AssertionResult,
  child: vscode.TestItem,
  room: MessageRoom,
): vscode.TestMessage[] {
  const location =
    child.uri && child.range ? new vscode.Location(child.uri, child.range) : undefined;
  const failed = (result.members ?? [result]).filter(
    ({ isPassed, isError }) => !isPassed || isError,
  );
  return (failed.length > 0 ? failed : [result]).map(({ reason, expected, actual }) =>
    createTestMessage(reason, location, true, { expected, actual, room }),
  );
}

/** Why an attempt was no success, where its assertions do not say it. */
function describeAttempt(
  { state, message, score }: TestAttempt,
  test: AgentTest,
): string | undefined {
  if (message !== undefined) return message;
  if (state === "failed" && test.threshold !== undefined) {
    return vscode.l10n.t(
      "The score is {0}, the threshold {1}.",
      score.toFixed(2),
      String(test.threshold),
    );
  }
  return undefined;
}
