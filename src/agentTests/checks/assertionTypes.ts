// The assertion types of promptfoo 0.123 that are supported, and what promptfoo refuses as their value.
import * as l10n from "@vscode/l10n";
import { isObject } from "../../mindsdb/json.ts";
import { AssertionError } from "../files/finding.ts";
import { checkPattern } from "./checkPattern.ts";
import { parseCommaList } from "../files/commaList.ts";
import { readSchema } from "./jsonSchema.ts";

interface AssertionType {
  /** Throws AssertionError for a value that promptfoo refuses, after its templates were rendered. */
  checkValue: (value: unknown) => void;
  /** Whether `threshold` means something. */
  hasThreshold?: boolean;
  /** Whether the way to the answer is judged, not the answer. */
  isTrajectory?: boolean;
}

/** Supported types, without `not-`. */
const assertionTypes: Readonly<Record<string, AssertionType>> = {
  equals: { checkValue: needsSomething },
  contains: { checkValue: needsTextOrNumber },
  icontains: { checkValue: needsTextOrNumber },
  "contains-any": { checkValue: needsList },
  "contains-all": { checkValue: needsList },
  "icontains-any": { checkValue: needsList },
  "icontains-all": { checkValue: needsList },
  "starts-with": { checkValue: needsText },
  regex: { checkValue: needsPatternText },
  "is-json": { checkValue: needsSchema },
  "contains-json": { checkValue: needsSchema },
  latency: { checkValue: needsNothing, hasThreshold: true },
  levenshtein: { checkValue: needsAnyText, hasThreshold: true },
  "word-count": { checkValue: needsWordCount },
  // Only the functions of the provider file, which are computed here; the reader refuses other code.
  javascript: { checkValue: needsText, hasThreshold: true },
  "trajectory:tool-used": { checkValue: needsTools, isTrajectory: true },
  "trajectory:tool-sequence": { checkValue: needsSequence, isTrajectory: true },
  "trajectory:tool-args-match": { checkValue: needsToolArguments, isTrajectory: true },
  "trajectory:step-count": { checkValue: needsStepCount, isTrajectory: true },
};

/** Returns a supported type, given without `not-`. */
export function findAssertionType(type: string): AssertionType | undefined {
  return Object.hasOwn(assertionTypes, type) ? assertionTypes[type] : undefined;
}

/** The supported types, without `not-`. */
export const assertionTypeNames: readonly string[] = Object.keys(assertionTypes);

/** Splits `not-` from a type. promptfoo removes it once. */
export function splitType(written: string): { type: string; isInverse: boolean } {
  const isInverse = written.startsWith("not-");
  return { type: isInverse ? written.slice(4) : written, isInverse };
}

/** The most entries of a list in an assertion about steps: each is compared with each step of an answer. */
const maxPatterns = 1_000;

/** The step types that can be counted: the others are spans of promptfoo's own, too. */
const countedStepTypes = ["tool", "reasoning"];

function refuse(message: string): never {
  throw new AssertionError(message);
}

function needsSomething(value: unknown): void {
  if (value === undefined) refuse(l10n.t("A value is missing."));
}

function needsNothing(value: unknown): void {
  if (value !== undefined) refuse(l10n.t("This assertion takes a threshold and no value."));
}

function needsTextOrNumber(value: unknown): void {
  if (typeof value === "string" && value !== "") return;
  if (typeof value === "number" && !Number.isNaN(value)) return;
  refuse(l10n.t("The value must be a number or a non-empty string."));
}

function needsText(value: unknown): void {
  if (typeof value !== "string" || value === "") {
    refuse(l10n.t("The value must be a non-empty string."));
  }
}

function needsPatternText(value: unknown): void {
  needsText(value);
  checkPattern(value as string);
}

function needsAnyText(value: unknown): void {
  if (typeof value !== "string") refuse(l10n.t("The value must be a string."));
}

function needsList(value: unknown): void {
  if (typeof value === "string" && value !== "") parseCommaList(value);
  else if (!Array.isArray(value)) {
    refuse(l10n.t("The value must be a list, or a string with commas."));
  } else if (value.some((item) => typeof item === "object" && item !== null)) {
    refuse(l10n.t("Not supported here: a list of anything but strings and numbers."));
  }
}

function needsSchema(value: unknown): void {
  if (value !== undefined && value !== null) readSchema(value);
}

function needsWordCount(value: unknown): void {
  if (typeof value === "number") return;
  if (typeof value === "string" && !Number.isNaN(Number(value))) return;
  if (!isObject(value)) refuse(l10n.t("The value must be a number, or a map with min and max."));
  needsKeys(value, ["min", "max"]);
  needsLimits(value);
}

function needsTools(value: unknown): void {
  if (typeof value === "string") return needsPattern({ name: value });
  if (Array.isArray(value)) {
    if (value.length === 0 || !value.every((item) => typeof item === "string" && item !== "")) {
      refuse(l10n.t("The value must contain tools."));
    }
    needsFew(value);
    return;
  }
  if (!isObject(value)) refuse(l10n.t("The value must contain tools."));
  needsKeys(value, ["name", "pattern", "min", "max"]);
  needsPattern(value);
  if (value["min"] !== undefined || value["max"] !== undefined) needsLimits(value);
}

function needsSequence(value: unknown): void {
  if (isObject(value)) {
    needsKeys(value, ["mode", "steps"]);
    const { mode } = value;
    if (mode !== undefined && mode !== "exact" && mode !== "in_order") {
      refuse(l10n.t("The mode must be exact or in_order."));
    }
  }
  const steps = isObject(value) ? value["steps"] : value;
  if (!Array.isArray(steps) || steps.length === 0) {
    refuse(l10n.t("The value must be a list of tools."));
  }
  needsFew(steps);
  for (const step of steps as unknown[]) {
    if (isObject(step)) needsKeys(step, ["name", "pattern"]);
    needsPattern(isObject(step) ? step : { name: step });
  }
}

function needsToolArguments(value: unknown): void {
  if (!isObject(value)) refuse(l10n.t("The value must be a map with name and args."));
  needsKeys(value, ["name", "pattern", "args", "arguments", "mode", "defaults", "ignore"]);
  needsPattern(value);
  if (value["args"] === undefined && value["arguments"] === undefined) {
    refuse(l10n.t("The value must have args."));
  }
  const { mode, defaults, ignore } = value;
  if (mode !== undefined && mode !== "partial" && mode !== "exact") {
    refuse(l10n.t("The mode must be partial or exact."));
  }
  if (defaults !== undefined && !isObject(defaults)) {
    refuse(l10n.t("The defaults must be a map."));
  }
  const ignored = ignore === undefined ? [] : [ignore].flat();
  needsFew(ignored);
  if (!ignored.every((item) => typeof item === "string" && item.trim() !== "")) {
    refuse(l10n.t("“ignore” must be a string or a list of strings."));
  }
}

function needsStepCount(value: unknown): void {
  if (!isObject(value)) refuse(l10n.t("The value must be a map with type, and min or max."));
  needsKeys(value, ["type", "name", "pattern", "min", "max"]);
  const types = [value["type"]].flat();
  if (!types.every((type) => typeof type === "string" && countedStepTypes.includes(type))) {
    // Without a type promptfoo counts its own spans, too.
    refuse(l10n.t("The type must be one of: {0}.", countedStepTypes.join(", ")));
  }
  // promptfoo counts every step if the name is empty.
  if (value["name"] !== undefined || value["pattern"] !== undefined) needsPattern(value);
  needsLimits(value);
}

function needsFew(list: readonly unknown[]): void {
  if (list.length <= maxPatterns) return;
  refuse(l10n.t("Not supported here: a list of more than {0} tools or arguments.", maxPatterns));
}

function needsKeys(value: Record<string, unknown>, known: readonly string[]): void {
  // few: the keys that one kind of assertion has.
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) refuse(l10n.t("Not supported here: {0}.", unknown));
}

function needsPattern({ name, pattern }: Record<string, unknown>): void {
  const wanted = pattern ?? name;
  if (typeof wanted !== "string" || wanted === "") refuse(l10n.t("The value must contain a tool."));
}

function needsLimits({ min, max }: Record<string, unknown>): void {
  for (const limit of [min, max]) {
    if (limit !== undefined && typeof limit !== "number") {
      refuse(l10n.t("min and max must be numbers."));
    }
  }
  if (min === undefined && max === undefined) refuse(l10n.t("min or max is missing."));
  if (typeof min === "number" && typeof max === "number" && min > max) {
    refuse(l10n.t("min is larger than max."));
  }
}
