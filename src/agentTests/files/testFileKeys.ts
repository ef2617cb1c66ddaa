// The keys of a test file, in the one table that its readers, completion and hover use.
import * as l10n from "@vscode/l10n";
import { searchPrefix, providerPrefix } from "../runs/testTarget.ts";

/** The keys that each kind of map can have. */
export const keysOf = {
  // $schema is for the editor's schema, and tracing for promptfoo's spans, which change no question and no verdict.
  file: [
    "description",
    "providers",
    "prompts",
    "tests",
    "defaultTest",
    "evaluateOptions",
    "$schema",
    "tracing",
  ],
  test: ["description", "vars", "assert", "threshold", "options"],
  options: ["repeat", "disableDefaultAsserts"],
  // One question after the other, however many the file allows: servers lose answers otherwise (26.1.0).
  evaluateOptions: ["repeat", "maxConcurrency"],
  provider: ["id", "config", "label"],
  assertion: ["type", "value", "weight", "metric"],
  assertSet: ["type", "assert", "weight", "metric", "threshold"],
} as const;

/** Where a map of a test file is. */
export type MapKind = keyof typeof keysOf;

/** The kind of map below these keys; undefined for maps with keys of the user's own, and for those without completion. */
export function findMapKind(path: readonly string[]): MapKind | undefined {
  const [top, ...rest] = path;
  if (top === undefined) return "file";
  const inner = rest.at(-1);
  switch (top) {
    case "tests":
    case "defaultTest":
      if (inner === undefined) return "test";
      if (inner === "options") return rest.length === 1 ? "options" : undefined;
      return rest.every((key) => key === "assert") ? "assertion" : undefined;
    case "providers":
      return inner === undefined ? "provider" : undefined;
    case "evaluateOptions":
      return inner === undefined ? "evaluateOptions" : undefined;
    default:
      return undefined;
  }
}

/** One sentence about a key; undefined for a key that has no place there. */
export function describeKey(kind: MapKind, key: string): string | undefined {
  const texts: Record<MapKind, Record<string, string>> = {
    file: {
      description: l10n.t("A name for the file."),
      providers: l10n.t(
        "The agents and knowledge bases to test: {0}PROJECT/AGENT or {1}PROJECT/NAME.",
        providerPrefix,
        searchPrefix,
      ),
      prompts: l10n.t("Always ['{0}']: the question is a variable of each test.", "{{question}}"),
      tests: l10n.t("The questions and the assertions for their answers."),
      defaultTest: l10n.t("Variables, assertions, and options that every test has."),
      evaluateOptions: l10n.t("How many times each question is asked."),
    },
    test: {
      description: l10n.t("A name for the test. Default: the question."),
      vars: l10n.t(
        "The question and other variables. A list of values runs one test for each value.",
      ),
      assert: l10n.t("The assertions for the answer."),
      threshold: l10n.t("The minimum average score for the test to pass, from 0 to 1."),
      options: l10n.t(
        "How many times the question is asked, and whether the assertions of defaultTest apply.",
      ),
    },
    options: {
      repeat: l10n.t("How many times the question is asked."),
      disableDefaultAsserts: l10n.t("Leaves out the assertions of defaultTest."),
    },
    evaluateOptions: {
      repeat: l10n.t("How many times each question is asked."),
      maxConcurrency: l10n.t("For promptfoo. The extension asks one question at a time."),
    },
    provider: {
      id: l10n.t("The agent or knowledge base to test, or the provider file for promptfoo."),
      config: l10n.t("The connection and, for a knowledge base, the number of chunks to return."),
      label: l10n.t("A name for promptfoo's results."),
    },
    assertion: {
      type: l10n.t("How the answer is checked. Prefix with not- to negate it."),
      value: l10n.t("The value to compare the answer with."),
      weight: l10n.t(
        "How much the assertion counts toward the score. With 0, it is only reported.",
      ),
      metric: l10n.t("Scores with the same name are added up."),
      threshold: l10n.t(
        "The minimum score, or the maximum distance or time in milliseconds, for the assertion to pass.",
      ),
      config: l10n.t("The IDs of the documents a search should find."),
      assert: l10n.t("The assertions of the set."),
    },
    assertSet: {},
  };
  const known = texts[kind];
  return Object.hasOwn(known, key) ? known[key] : undefined;
}

/** The keys to offer in a map: those of an assertion include what only some types have. */
export function listOfferedKeys(kind: MapKind): string[] {
  if (kind === "assertion") return [...keysOf.assertion, "threshold", "config", "assert"];
  return keysOf[kind].filter((key) => key !== "$schema" && key !== "tracing");
}

/** One sentence about an assertion type, given without `not-`. */
export function describeAssertionType(type: string): string | undefined {
  const texts: Record<string, string> = {
    equals: l10n.t("The answer is exactly this."),
    contains: l10n.t("The answer contains this text."),
    icontains: l10n.t("The answer contains this text, ignoring case."),
    "contains-any": l10n.t("The answer contains one of these texts."),
    "contains-all": l10n.t("The answer contains all of these texts."),
    "icontains-any": l10n.t("The answer contains one of these texts, ignoring case."),
    "icontains-all": l10n.t("The answer contains all of these texts, ignoring case."),
    "starts-with": l10n.t("The answer starts with this text."),
    regex: l10n.t("Part of the answer matches this regular expression."),
    "is-json": l10n.t("The answer is JSON that matches this JSON schema, if one is given."),
    "contains-json": l10n.t(
      "The answer contains JSON that matches this JSON schema, if one is given.",
    ),
    latency: l10n.t("The answer took no longer than the threshold, in milliseconds."),
    levenshtein: l10n.t(
      "The edit distance between the answer and this text is at most the threshold.",
    ),
    "word-count": l10n.t("The answer has this many words: a number, or a map with min and max."),
    javascript: l10n.t(
      "A function in the provider's file that checks which documents a search finds.",
    ),
    "trajectory:tool-used": l10n.t("The agent used these tools."),
    "trajectory:tool-sequence": l10n.t("The agent used these tools in this order."),
    "trajectory:tool-args-match": l10n.t("The agent used a tool with these arguments."),
    "trajectory:step-count": l10n.t("The agent took this many steps."),
    "assert-set": l10n.t("A set of assertions that passes if its score reaches the threshold."),
  };
  return Object.hasOwn(texts, type) ? texts[type] : undefined;
}
