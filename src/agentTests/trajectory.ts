// Assertions about the way to an answer, by the rules of promptfoo 0.123 for the spans that an agent's steps become.
import { isDeepStrictEqual } from "node:util";
import * as l10n from "@vscode/l10n";
import { isObject, type JsonObject } from "../mindsdb/json.ts";
import type { AgentOutcome } from "./agentOutcome.ts";
import { AssertionError } from "./assertionError.ts";
import { isWithin, type Finding } from "./finding.ts";
import type { Assertion } from "./testFile.ts";
import { matchesPattern, toToolSteps, type ToolStep } from "./toolSteps.ts";

/** Judges a `trajectory:` assertion whose value has been checked. */
export function evaluateTrajectory(
  { type, isInverse }: Assertion,
  value: unknown,
  outcome: AgentOutcome,
): Finding {
  const calls = toToolSteps(outcome.toolCalls);
  const actual = calls.map(({ name }) => name).join(", ") || l10n.t("no tool");
  switch (type) {
    case "trajectory:tool-used":
      return { isTrue: isToolUsed(value, calls, isInverse), actual };
    case "trajectory:tool-sequence":
      return { isTrue: isSequence(value, calls), actual };
    case "trajectory:tool-args-match": {
      const wanted = value as JsonObject;
      const same = calls.filter((call) => isCallOf(call, wanted) && call.args !== undefined);
      return {
        isTrue: same.some(({ args }) => matchesArguments(args, wanted)),
        actual: same.map(({ args }) => JSON.stringify(args)).join("\n") || actual,
      };
    }
    case "trajectory:step-count": {
      const count = countSteps(value as JsonObject, calls, outcome.reasoningSteps);
      return { isTrue: isWithin(count, value as JsonObject), actual: String(count) };
    }
    default:
      throw new AssertionError(l10n.t("Not supported here: {0}.", type));
  }
}

/** Under `not-`, a list of tools asks that none of them was used: not the opposite of all of them. */
function isToolUsed(value: unknown, calls: readonly ToolStep[], isInverse: boolean): boolean {
  if (!isObject(value)) {
    const isUsed = (name: unknown): boolean => calls.some((call) => isCallOf(call, { name }));
    const names = [value].flat();
    return isInverse ? names.some(isUsed) : names.every(isUsed);
  }
  const count = calls.filter((call) => isCallOf(call, value)).length;
  const { min = 1, max } = value;
  return isWithin(count, { min, max });
}

function isSequence(value: unknown, calls: readonly ToolStep[]): boolean {
  const { mode, steps } = isObject(value) ? value : { mode: undefined, steps: value };
  const wanted = (steps as unknown[]).map((step) => (isObject(step) ? step : { name: step }));
  if (mode === "exact") {
    return calls.length === wanted.length && calls.every((call, at) => isCallOf(call, wanted[at]!));
  }
  let next = 0;
  for (const call of calls) {
    const step = wanted[next];
    if (step && isCallOf(call, step)) next++;
  }
  return next === wanted.length;
}

function countSteps(value: JsonObject, calls: readonly ToolStep[], reasoningSteps: number): number {
  const types = [value["type"]].flat();
  const hasName = value["name"] !== undefined || value["pattern"] !== undefined;
  const tools = hasName ? calls.filter((call) => isCallOf(call, value)) : calls;
  // The span of a thought is called "reasoning".
  const isReasoning =
    !hasName || matchesPattern("reasoning", String(value["pattern"] || value["name"]));
  return (
    (types.includes("tool") ? tools.length : 0) +
    (types.includes("reasoning") && isReasoning ? reasoningSteps : 0)
  );
}

/** A call is found by its tool's name and by its span's, which is `execute_tool` with that name. */
function isCallOf({ name, spanName }: ToolStep, wanted: JsonObject): boolean {
  const pattern = String(wanted["pattern"] || wanted["name"]);
  return matchesPattern(name, pattern) || matchesPattern(spanName, pattern);
}

function matchesArguments(actual: unknown, wanted: JsonObject): boolean {
  const { mode, ignore, defaults } = wanted;
  const ignored = ignore === undefined ? [] : [ignore].flat().map(String);
  const expected = omitIgnored(
    Object.hasOwn(wanted, "args") ? wanted["args"] : wanted["arguments"],
    ignored,
  );
  const cleaned = omitDefaults(omitIgnored(actual, ignored), defaults);
  return mode === "exact" ? isDeepStrictEqual(cleaned, expected) : isPartOf(expected, cleaned);
}

function isPartOf(expected: unknown, actual: unknown): boolean {
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((item, at) => isPartOf(item, actual[at]))
    );
  }
  if (isObject(expected)) {
    return (
      isObject(actual) &&
      Object.entries(expected).every(
        ([key, item]) => Object.hasOwn(actual, key) && isPartOf(item, actual[key]),
      )
    );
  }
  return isDeepStrictEqual(actual, expected);
}

function omitIgnored(value: unknown, ignored: readonly string[]): unknown {
  if (!isObject(value)) return value;
  const isIgnored = (key: string): boolean =>
    ignored.some((entry) => entry === key || (/[*?]/.test(entry) && matchesPattern(key, entry)));
  return Object.fromEntries(Object.entries(value).filter(([key]) => !isIgnored(key)));
}

function omitDefaults(value: unknown, defaults: unknown): unknown {
  if (!isObject(value) || !isObject(defaults)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(
      ([key, item]) => !Object.hasOwn(defaults, key) || !isDeepStrictEqual(item, defaults[key]),
    ),
  );
}
