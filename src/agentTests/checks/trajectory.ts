// Assertions about the way to an answer, by the rules of promptfoo 0.123 for the spans that an agent's steps become.
import { isDeepStrictEqual } from "node:util";
import * as l10n from "@vscode/l10n";
import { isObject, type JsonObject } from "../../mindsdb/json.ts";
import type { AgentOutcome } from "./agentOutcome.ts";
import { AssertionError, isWithin, type Finding } from "../files/finding.ts";
import type { Assertion } from "../files/testFile.ts";
import {
  compilePattern,
  foldCase,
  hasWildcards,
  toToolSteps,
  type Matcher,
  type ToolStep,
} from "./toolSteps.ts";

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
      const same = findCalls(calls, wanted).filter(({ args }) => args !== undefined);
      const matches = compileArguments(wanted);
      return {
        isTrue: same.some(({ args }) => matches(args)),
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
    // Both can be long lists that repeat themselves.
    const used = new Set(calls.flatMap(({ folded }) => folded));
    const names = [...new Set([value].flat().map((name) => foldCase(String(name))))];
    const isUsed = (name: string): boolean =>
      hasWildcards(name) ? [...used].some(compilePattern(name)) : used.has(name);
    return isInverse ? names.some(isUsed) : names.every(isUsed);
  }
  const { min = 1, max } = value;
  return isWithin(findCalls(calls, value).length, { min, max });
}

function isSequence(value: unknown, calls: readonly ToolStep[]): boolean {
  const { mode, steps } = isObject(value) ? value : { mode: undefined, steps: value };
  const wanted = (steps as unknown[]).map((step) => (isObject(step) ? step : { name: step }));
  if (mode === "exact") {
    return (
      calls.length === wanted.length &&
      calls.every((call, at) => isCallOf(call, compileWanted(wanted[at]!)))
    );
  }
  let next = 0;
  let matcher: Matcher | undefined;
  for (const call of calls) {
    const step = wanted[next];
    if (!step) break;
    matcher ??= compileWanted(step);
    if (!isCallOf(call, matcher)) continue;
    next++;
    matcher = undefined;
  }
  return next === wanted.length;
}

function countSteps(value: JsonObject, calls: readonly ToolStep[], reasoningSteps: number): number {
  const types = [value["type"]].flat();
  const hasName = value["name"] !== undefined || value["pattern"] !== undefined;
  const tools = hasName ? findCalls(calls, value) : calls;
  // The span of a thought is called "reasoning".
  const isReasoning = !hasName || compileWanted(value)(foldCase("reasoning"));
  return (
    (types.includes("tool") ? tools.length : 0) +
    (types.includes("reasoning") && isReasoning ? reasoningSteps : 0)
  );
}

function findCalls(calls: readonly ToolStep[], wanted: JsonObject): ToolStep[] {
  const matcher = compileWanted(wanted);
  return calls.filter((call) => isCallOf(call, matcher));
}

function compileWanted(wanted: JsonObject): Matcher {
  return compilePattern(String(wanted["pattern"] || wanted["name"]));
}

function isCallOf({ folded }: ToolStep, matcher: Matcher): boolean {
  return folded.some(matcher);
}

/** Returns whether arguments are the wanted ones. */
function compileArguments(wanted: JsonObject): (actual: unknown) => boolean {
  const { mode, ignore, defaults } = wanted;
  const isIgnored = compileIgnored(ignore === undefined ? [] : [ignore].flat().map(String));
  const expected = omitIgnored(
    Object.hasOwn(wanted, "args") ? wanted["args"] : wanted["arguments"],
    isIgnored,
  );
  return (actual) => {
    const cleaned = omitDefaults(omitIgnored(actual, isIgnored), defaults);
    return mode === "exact" ? isDeepStrictEqual(cleaned, expected) : isPartOf(expected, cleaned);
  };
}

/** Case counts without wildcards. */
function compileIgnored(ignored: readonly string[]): (key: string) => boolean {
  const names = new Set(ignored);
  const patterns = [...names].filter(hasWildcards).map(compilePattern);
  return (key) => {
    if (names.has(key)) return true;
    if (patterns.length === 0) return false;
    const folded = foldCase(key);
    return patterns.some((matches) => matches(folded));
  };
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

function omitIgnored(value: unknown, isIgnored: (key: string) => boolean): unknown {
  if (!isObject(value)) return value;
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
