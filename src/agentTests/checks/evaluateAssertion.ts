// Judges one assertion by the rules of promptfoo 0.123: nothing is trimmed, and what it throws at is an error here.
import { isDeepStrictEqual } from "node:util";
import * as l10n from "@vscode/l10n";
import { distance } from "fastest-levenshtein";
import { cutOff } from "../../mindsdb/cutText.ts";
import { isObject, tryParseJson } from "../../mindsdb/json.ts";
import { holdsText } from "../../mindsdb/matchWildcards.ts";
import type { AgentOutcome } from "./agentOutcome.ts";
import { findAssertionType } from "./assertionTypes.ts";
import { parseCommaList } from "../files/commaList.ts";
import { AssertionError, isWithin, type Finding } from "../files/finding.ts";
import { findJsonObjects, parseJsonObject } from "./jsonInText.ts";
import { findSchemaError, readSchema } from "./jsonSchema.ts";
import { limitTime } from "./limitTime.ts";
import { describeRetrieval, evaluateRetrieval } from "./retrievalAssertions.ts";
import { renderTemplate, type TemplateVars } from "../files/templates.ts";
import type { Assertion } from "../files/testFile.ts";
import { evaluateTrajectory } from "./trajectory.ts";
import type { WorkBudget } from "./workBudget.ts";

/** A judged assertion. Texts are not redacted. */
export interface Judgement {
  isPassed: boolean;
  /** Where it is not 1 for passed and 0 for failed. */
  score?: number;
  /** One sentence about what was found. */
  reason: string;
  /** Expected and actual text, for a diff. */
  expected?: string;
  actual?: string;
}

/** Longer answers are not judged, in characters. */
const maxOutputLength = 1_000_000;

/** A longer search is an error, because it blocks the extension host. */
const maxSearchMs = 250;

/** Longer texts are not compared by edit distance, which is quadratic. */
const maxDistanceLength = 50_000;

/** Of a reason, and of a text to compare other than the answer: each of thousands of assertions has its own. */
const maxTextLength = 20_000;

/** Judges an assertion that is no set. Throws AssertionError where promptfoo throws, and TooMuchWorkError. */
export function evaluateAssertion(
  assertion: Assertion,
  outcome: AgentOutcome,
  vars: TemplateVars,
  budget: WorkBudget,
): Judgement {
  const type = findAssertionType(assertion.type);
  if (!type) throw new AssertionError(l10n.t("Not supported here: {0}.", assertion.type));
  const value = renderValue(assertion.value, vars, budget);
  type.checkValue(value);
  if (outcome.output.length > maxOutputLength) {
    throw new AssertionError(
      l10n.t("Not supported here: text of more than {0} characters.", maxOutputLength),
    );
  }
  const found = type.isTrajectory
    ? limitTime(() => evaluateTrajectory(assertion, value, outcome), maxSearchMs)
    : evaluateText(assertion, value, outcome);
  const judgement = describe(assertion, value, found, outcome);
  const { reason, expected = "", actual = "" } = judgement;
  const own = actual === outcome.output ? "" : actual;
  budget.spend(reason.length + expected.length + own.length);
  return judgement;
}

/** Templates are replaced in texts and in the texts of a list, not inside of maps. */
function renderValue(value: unknown, vars: TemplateVars, budget: WorkBudget): unknown {
  const render = (item: unknown): unknown =>
    typeof item === "string" ? renderTemplate(item, vars, budget) : item;
  return Array.isArray(value) ? value.map(render) : render(value);
}

function evaluateText(assertion: Assertion, value: unknown, outcome: AgentOutcome): Finding {
  const { output, latencyMs } = outcome;
  switch (assertion.type) {
    case "equals":
      return { isTrue: isEqual(value, output) };
    case "contains":
      return { isTrue: holdsText(output, String(value)) };
    case "icontains":
      return { isTrue: holdsText(output.toLowerCase(), String(value).toLowerCase()) };
    case "contains-any":
    case "contains-all":
      return findItems(toItems(value), output, assertion.type);
    case "icontains-any":
    case "icontains-all":
      return findItems(toItems(value), output.toLowerCase(), assertion.type);
    case "starts-with":
      return { isTrue: output.startsWith(value as string) };
    case "regex":
      return matchPattern(value as string, output);
    case "is-json":
      return matchJson(value, output);
    case "contains-json":
      return limitTime(() => findMatchingJson(value, output));
    case "javascript":
      return evaluateRetrieval(assertion, output);
    case "latency":
      return compareLatency(latencyMs, assertion.threshold);
    case "levenshtein":
      return compareDistance(output, value as string, assertion.threshold ?? 5);
    case "word-count":
      return compareWords(output, value);
    default:
      throw new AssertionError(l10n.t("Not supported here: {0}.", assertion.type));
  }
}

function isEqual(value: unknown, output: string): boolean {
  if (typeof value === "string") return value === output;
  if (typeof value === "number" || typeof value === "boolean") return String(value) === output;
  return isDeepStrictEqual(value, tryParseJson(output));
}

function toItems(value: unknown): string[] {
  return (typeof value === "string" ? parseCommaList(value) : (value as unknown[])).map(String);
}

/** Looks for one or all of the items; for `icontains-…`, `output` is in lower case. */
function findItems(items: readonly string[], output: string, type: string): Finding {
  const isThere = (item: string): boolean =>
    holdsText(output, type.startsWith("i") ? item.toLowerCase() : item);
  return limitTime(() => {
    if (type.endsWith("any")) return { isTrue: items.some(isThere) };
    return findMissing(items.filter((item) => !isThere(item)));
  }, maxSearchMs);
}

function findMissing(missing: readonly string[]): Finding {
  if (missing.length === 0) return { isTrue: true };
  return { isTrue: false, reason: l10n.t("Missing from the answer: {0}", missing.join(", ")) };
}

/** A pattern that is invalid fails, also under `not-`. */
function matchPattern(pattern: string, output: string): Finding {
  let compiled: RegExp;
  try {
    compiled = new RegExp(pattern);
  } catch {
    return { isTrue: false, isFinal: true, reason: l10n.t("The pattern is invalid.") };
  }
  return { isTrue: limitTime(() => compiled.test(output), maxSearchMs) };
}

/** A schema, if there is one, judges only what is JSON. */
function matchJson(value: unknown, output: string): Finding {
  const parsed = tryParseJson(output);
  return parsed === undefined
    ? { isTrue: false, reason: l10n.t("The answer is not JSON.") }
    : checkSchema(value, parsed);
}

/** Looks for an object that the schema, if there is one, allows. */
function findMatchingJson(value: unknown, output: string): Finding {
  let last: Finding = { isTrue: false, reason: l10n.t("The answer contains no JSON object.") };
  for (const found of findJsonObjects(output)) {
    last = hasSchema(value) ? checkSchema(value, parseJsonObject(found)) : { isTrue: true };
    if (last.isTrue) break;
  }
  return last;
}

function checkSchema(value: unknown, parsed: unknown): Finding {
  const error = hasSchema(value) ? findSchemaError(parsed, readSchema(value)) : undefined;
  if (error === undefined) return { isTrue: true };
  return { isTrue: false, reason: l10n.t("It does not match the schema: {0}", error) };
}

function hasSchema(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function compareLatency(latencyMs: number, threshold: number | undefined): Finding {
  if (threshold === undefined) {
    throw new AssertionError(l10n.t("Set a threshold in milliseconds."));
  }
  return { isTrue: latencyMs <= threshold, actual: `${Math.round(latencyMs)} ms` };
}

function compareDistance(output: string, value: string, threshold: number): Finding {
  if (Math.max(output.length, value.length) > maxDistanceLength) {
    throw new AssertionError(
      l10n.t("Not supported here: text of more than {0} characters.", maxDistanceLength),
    );
  }
  const measured = limitTime(() => distance(output, value), maxSearchMs);
  return {
    isTrue: measured <= threshold,
    reason: l10n.t("The distance is {0}, the threshold {1}.", measured, threshold),
  };
}

function compareWords(output: string, value: unknown): Finding {
  const count = output.split(/\s+/).filter((word) => word !== "").length;
  const actual = String(count);
  if (!isObject(value)) return { isTrue: count === Number(value), actual };
  return { isTrue: isWithin(count, value), actual };
}

function describe(
  assertion: Assertion,
  value: unknown,
  finding: Finding,
  { output }: AgentOutcome,
): Judgement {
  const { type, isInverse, threshold } = assertion;
  const isPassed = finding.isFinal ? finding.isTrue : finding.isTrue !== isInverse;
  const score = finding.score === undefined ? {} : { score: finding.score };
  if (isPassed) return { isPassed, ...score, reason: shorten(finding.reason ?? "") };
  const name = isInverse ? `not-${type}` : type;
  const isSearch = type === "javascript";
  const written = type === "latency" ? `${threshold ?? 0} ms` : formatValue(value);
  const wanted = written === undefined ? undefined : shorten(written);
  const actual = finding.actual === undefined ? output : shorten(finding.actual);
  const sentence = isSearch
    ? l10n.t("Expected: {0} {1}", describeRetrieval(assertion), "").trimEnd()
    : wanted === undefined
      ? l10n.t("The answer fails {0}.", name)
      : l10n.t("Expected: {0} {1}", name, wanted);
  return {
    isPassed,
    ...score,
    reason: shorten(finding.reason === undefined ? sentence : `${sentence}\n${finding.reason}`),
    expected: isSearch ? shorten(describeRetrieval(assertion)) : (wanted ?? name),
    actual,
  };
}

/** A copy: a part of a text would keep the whole in memory. */
function shorten(text: string): string {
  if (text.length <= maxTextLength) return text;
  return Buffer.from(cutOff(text, maxTextLength), "utf16le").toString("utf16le");
}

/** A value as the user would recognize it. */
function formatValue(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}
