// Results of agent tests as JUnit XML, which CI systems read.
import { truncate } from "../../shared/oneLine.ts";
import { meanReciprocalRank } from "../checks/searchMetrics.ts";
import type { TestAttempt, TestResult } from "./runTests.ts";
import { replaceInvalidXml } from "./uniqueTestNames.ts";
import type { AssertionResult } from "../checks/verdict.ts";

/** The most characters of a test's messages. */
const maxMessagesLength = 20_000;

/** The last result of a test. Texts are redacted. */
export interface ReportedTest extends Pick<TestResult, "reciprocalRank"> {
  /** The file's path in the workspace. */
  file: string;
  name: string;
  state: "passed" | "failed" | "error";
  tookMs: number;
  /** Failures and errors; empty if the test passed. */
  messages: string[];
}

/** The first attempt that did not pass, or the last one. */
export function findKeptAttempt({ attempts }: TestResult): TestAttempt | undefined {
  return attempts.find(({ state }) => state !== "passed") ?? attempts.at(-1);
}

/** A test's result without its runs. */
export function reportTest(file: string, name: string, result: TestResult): ReportedTest {
  const { state, tookMs, reciprocalRank } = result;
  const { message, results = [] } = findKeptAttempt(result) ?? {};
  return {
    file,
    name,
    state,
    tookMs,
    messages: limitLength([
      ...(message === undefined ? [] : [message]),
      ...results.flatMap(describeFailure),
    ]),
    ...(reciprocalRank !== undefined && { reciprocalRank }),
  };
}

/**
 * The results by the ids of their tests, the newest last, in the order of the ids. An edited file gives a test's id to
 * another one, so of several results with one name in a file only the newest is kept.
 */
export function listResults(results: ReadonlyMap<string, ReportedTest>): ReportedTest[] {
  const keyOf = ({ file, name }: ReportedTest): string => JSON.stringify([file, name]);
  const newest = new Map([...results].map(([id, test]) => [keyOf(test), id]));
  return [...results]
    .filter(([id, test]) => newest.get(keyOf(test)) === id)
    .sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }))
    .map(([, test]) => test);
}

/** Messages up to a length that thousands of tests can have in one file. */
function limitLength(messages: readonly string[]): string[] {
  let room = maxMessagesLength;
  return messages.flatMap((message) => {
    if (room <= 0) return [];
    const shown = truncate(message, room);
    room -= message.length;
    return [shown];
  });
}

function describeFailure({ isPassed, reason, members, actual }: AssertionResult): string[] {
  if (members) return members.flatMap(describeFailure);
  if (isPassed) return [];
  return [actual === undefined ? reason : `${reason}\n${actual}`];
}

/** One suite for each file, in the order of the tests. */
export function toJUnitXml(tests: readonly ReportedTest[]): string {
  const files = new Set(tests.map(({ file }) => file));
  const suites = [...files].map((file) => {
    const list = tests.filter((test) => test.file === file);
    const attributes = { name: file, ...countStates(list) };
    return [
      `  <testsuite${formatAttributes(attributes)}>`,
      ...formatProperties(list),
      ...list.map((test) => formatTest(test)),
      "  </testsuite>",
    ].join("\n");
  });
  const head = formatAttributes({ name: "Agent Tests", ...countStates(tests) });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${head}>`,
    ...suites,
    "</testsuites>",
    "",
  ].join("\n");
}

/** The MRR of a file with searches. */
function formatProperties(tests: readonly ReportedTest[]): string[] {
  const mrr = meanReciprocalRank(tests.map(({ reciprocalRank }) => reciprocalRank));
  if (!mrr) return [];
  const attributes = formatAttributes({ name: "MRR", value: mrr.mean.toFixed(4) });
  return [`    <properties><property${attributes}/></properties>`];
}

function formatTest({ file, name, state, tookMs, messages }: ReportedTest): string {
  const attributes = formatAttributes({ name, classname: file, time: toSeconds(tookMs) });
  if (state === "passed") return `    <testcase${attributes}/>`;
  const element = state === "failed" ? "failure" : "error";
  const message = formatAttributes({ message: messages[0]?.split(/\r?\n/)[0] ?? "" });
  const text = escapeXml(messages.join("\n\n"));
  return `    <testcase${attributes}><${element}${message}>${text}</${element}></testcase>`;
}

function countStates(tests: readonly ReportedTest[]): Record<string, string> {
  const count = (wanted: ReportedTest["state"]): string =>
    String(tests.filter(({ state }) => state === wanted).length);
  return {
    tests: String(tests.length),
    failures: count("failed"),
    errors: count("error"),
    time: toSeconds(tests.reduce((sum, { tookMs }) => sum + tookMs, 0)),
  };
}

function toSeconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}

function formatAttributes(attributes: Record<string, string>): string {
  return Object.entries(attributes)
    .map(([name, value]) => {
      const escaped = escapeXml(value).replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
      return ` ${name}="${escaped}"`;
    })
    .join("");
}

/** An XML reader makes a line feed of a carriage return. */
function escapeXml(text: string): string {
  return replaceInvalidXml(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\r", "&#13;");
}
