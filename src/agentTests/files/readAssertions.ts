// Reads the assertions of a test. What is outside of the subset becomes a problem on its line.
import * as l10n from "@vscode/l10n";
import { AssertionError } from "./finding.ts";
import { assertionTypeNames, findAssertionType, splitType } from "../checks/assertionTypes.ts";
import { findProviderFunction } from "../promptfoo/providerFile.ts";
import {
  checkText,
  readNumber,
  readText,
  refuseOthers,
  suggestName,
  toFields,
  type Report,
} from "./readFields.ts";
import { readExpected } from "./readExpected.ts";
import type { Assertion } from "./testFile.ts";
import type { WorkBudget } from "../checks/workBudget.ts";
import { keysOf } from "./testFileKeys.ts";
import { toPlainValue, type TextRange, type YamlEntry, type YamlNode } from "./yamlTree.ts";

/** The assertions of a list; none where there is no list. */
export function readAssertions(
  node: YamlNode | undefined,
  report: Report,
  budget: WorkBudget,
): Assertion[] {
  return readList(node, { report, budget, isInSet: false });
}

interface Context {
  report: Report;
  budget: WorkBudget;
  isInSet: boolean;
}

function readList(node: YamlNode | undefined, context: Context): Assertion[] {
  if (!node) return [];
  if (node.kind !== "list") {
    context.report(l10n.t("Assertions must be a list."), node.range);
    return [];
  }
  return node.items.flatMap((item) => readAssertion(item, context) ?? []);
}

function readAssertion(node: YamlNode, context: Context): Assertion | undefined {
  const { report, budget, isInSet } = context;
  if (node.kind !== "map") {
    report(l10n.t("Not supported here: an assertion that is not a map."), node.range);
    return undefined;
  }
  const fields = toFields(node);
  const typeEntry = fields.get("type");
  const written = typeEntry ? readText(typeEntry.value) : undefined;
  if (!typeEntry || written === undefined) {
    report(l10n.t("The assertion has no type."), typeEntry?.value.range ?? node.range);
    return undefined;
  }
  const { range } = node;
  if (written === "assert-set") {
    if (isInSet) report(l10n.t("Sets of assertions can't be nested."), typeEntry.value.range);
    return readSet(fields, range, context);
  }
  const { type, isInverse } = splitType(written);
  const known = findAssertionType(type);
  const value = fields.get("value");
  const isRetrieval =
    type === "javascript" && findProviderFunction(value && readText(value.value)) !== undefined;
  if (!known || (type === "javascript" && (!isRetrieval || isInverse))) {
    const suggest = known ? undefined : () => suggestType(type, isInverse);
    const message = l10n.t("Not supported here: the assertion {0}.", written);
    report(message, typeEntry.value.range, suggest);
    return undefined;
  }
  const keys: string[] = [...keysOf.assertion];
  if (known.hasThreshold) keys.push("threshold");
  if (isRetrieval) keys.push("config");
  refuseOthers(fields.values(), keys, report);
  const assertion: Assertion = {
    type,
    isInverse,
    value: value && toPlainValue(value.value),
    ...readWeights(fields, report),
    range,
  };
  if (isRetrieval) {
    const retrieval = readExpected(fields.get("config")?.value, value?.value, { range, report });
    if (retrieval) assertion.retrieval = retrieval;
  }
  // A schema takes up to a second.
  budget.checkTime();
  checkAssertion(assertion, value?.value.range ?? typeEntry.value.range, report);
  return assertion;
}

function suggestType(type: string, isInverse: boolean): string | undefined {
  const meant = suggestName(type, assertionTypeNames);
  return meant !== undefined && isInverse ? `not-${meant}` : meant;
}

function readSet(fields: Map<string, YamlEntry>, range: TextRange, context: Context): Assertion {
  const { report } = context;
  refuseOthers(fields.values(), keysOf.assertSet, report);
  const members = readList(fields.get("assert")?.value, { ...context, isInSet: true });
  if (!fields.has("assert")) report(l10n.t("The set has no assertions."), range);
  return {
    type: "assert-set",
    isInverse: false,
    value: undefined,
    ...readWeights(fields, report),
    members,
    range,
  };
}

function readWeights(
  fields: Map<string, YamlEntry>,
  report: Report,
): Pick<Assertion, "weight" | "threshold" | "metric"> {
  const read: Pick<Assertion, "weight" | "threshold" | "metric"> = {};
  for (const key of ["weight", "threshold"] as const) {
    const entry = fields.get(key);
    const value = entry && readNumber(entry.value, key === "weight" ? 0 : -Infinity);
    if (value !== undefined) read[key] = value;
    else if (entry) report(l10n.t("{0} must be a number.", key), entry.value.range);
  }
  const metric = fields.get("metric");
  const name = metric && readText(metric.value);
  if (name !== undefined) read.metric = name;
  else if (metric) report(l10n.t("{0} must be a string.", "metric"), metric.value.range);
  return read;
}

/** Checks templates and, where there are none, the value. */
function checkAssertion(assertion: Assertion, range: TextRange, report: Report): void {
  const { type, value, threshold, metric } = assertion;
  if (type === "latency" && threshold === undefined) {
    report(l10n.t("Set a threshold in milliseconds."), range);
  }
  const rendered = [value].flat().filter((item) => typeof item === "string");
  // The value of `javascript` is the provider file, which is not loaded here.
  for (const text of [...(type === "javascript" ? [] : rendered), metric ?? ""]) {
    checkText(text, range, report);
  }
  if (rendered.some((text) => text.includes("{{"))) return;
  try {
    findAssertionType(type)?.checkValue(value);
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
    report(error.message, range);
  }
}
