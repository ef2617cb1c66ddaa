// Reads a promptfoo configuration into tests. Whatever is outside of the supported subset becomes a problem on its line,
// and no test that it could change is run.
import * as l10n from "@vscode/l10n";
import { oneLine } from "../shared/oneLine.ts";
import { readAssertions } from "./readAssertions.ts";
import { collectProblems, readNumber, readText, refuseOthers, type Report } from "./readFields.ts";
import { readProviders } from "./readProviders.ts";
import { findUnsupportedTemplate, renderTemplate, resolveVars } from "./templates.ts";
import type { AgentTest, Assertion, FileProblem, TestedAgent, TestFile } from "./testFile.ts";
import { readYaml, type YamlEntry, type YamlNode, type YamlScalar } from "./yamlTree.ts";

/** The prompt that every file has: the question is a variable. */
export const promptTemplate = "{{question}}";

/** The most tests of a file, with matrices expanded. */
const maxTests = 5_000;
const maxRepeat = 100;
const maxNameLength = 120;

/** Reads a file's text. Never throws. */
export function readTestFile(text: string): TestFile {
  const problems: FileProblem[] = [];
  const report = collectProblems(problems);
  const yaml = readYaml(text);
  for (const { message, range } of yaml.problems) report(message, range);
  const { root } = yaml;
  if (root?.kind !== "map") {
    if (problems.length === 0) report(l10n.t("The file holds no tests."), { start: 0, end: 1 });
    return { isOurs: false, tests: [], problems };
  }
  const fields = toFields(root.entries);
  const { agents, isOurs } = readProviders(fields.get("providers"), report);
  const known = ["description", "providers", "prompts", "tests", "defaultTest", "evaluateOptions"];
  // For the editor's schema, and promptfoo's spans, which change no question and no verdict.
  refuseOthers(root.entries, [...known, "$schema", "tracing"], report);
  checkPrompts(fields.get("prompts")?.value, root.range.start, report);
  const description = readDescription(fields.get("description"), report);
  const repeat = readEvaluateOptions(fields.get("evaluateOptions"), report);

  const defaultProblems: FileProblem[] = [];
  const defaults = readDefaults(fields.get("defaultTest"), collectProblems(defaultProblems));
  const list = fields.get("tests")?.value;
  const items = list?.kind === "list" ? list.items : [];
  if (list?.kind !== "list") {
    const place = list?.range ?? { start: root.range.start, end: root.range.start + 1 };
    report(l10n.t("The file has no list of tests."), place);
  }
  // What is wrong with the whole file keeps every test from running.
  const shared = [...problems, ...defaultProblems];
  const tests: AgentTest[] = [];
  const context: TestContext = { defaults, agents, repeat, shared, tests };
  const all = [...problems, ...defaultProblems];
  for (const [index, item] of items.entries()) {
    const own: FileProblem[] = [];
    const isWhole = readTest(item, index, context, own);
    all.push(...own);
    if (isWhole) continue;
    const message = l10n.t("Only the first {0} tests of a file are read.", maxTests);
    const tooMany = { message, range: item.range };
    all.push(tooMany);
    for (const test of tests) test.problems.push(tooMany);
    break;
  }
  return {
    isOurs,
    description,
    tests,
    problems: all,
  };
}

/** A question without assertions, as a test. Nothing in it is a template. */
export function createTypedTest(question: string, index: number): AgentTest {
  const range = { start: 0, end: 0 };
  return {
    id: String(index),
    name: oneLine(question, maxNameLength),
    agent: { kind: "agent", project: "", name: "", range },
    vars: { question },
    assertions: [],
    repeat: 1,
    problems: [],
    range,
  };
}

interface Defaults {
  vars: VarValues;
  assertions: Assertion[];
  threshold?: number;
  repeat?: number;
  disableDefaultAsserts?: boolean;
}

interface TestContext {
  defaults: Defaults;
  agents: TestedAgent[];
  repeat: number;
  shared: readonly FileProblem[];
  /** Read so far. */
  tests: AgentTest[];
}

/** Values of variables, with lists that multiply a test. */
type VarValues = Map<string, YamlScalar[]>;

/** Appends the tests of one entry, and their problems to `own`; false if there would be too many. */
function readTest(
  node: YamlNode,
  index: number,
  { defaults, agents, repeat, shared, tests }: TestContext,
  own: FileProblem[],
): boolean {
  const report = collectProblems(own);
  if (node.kind !== "map") {
    report(l10n.t("Not supported here: a test that is not a map."), node.range);
  }
  const entries = node.kind === "map" ? node.entries : [];
  const fields = toFields(entries);
  refuseOthers(entries, ["description", "vars", "assert", "threshold", "options"], report);
  const options = readOptions(fields.get("options"), report);
  const isWithout = options.disableDefaultAsserts ?? defaults.disableDefaultAsserts ?? false;
  const vars = new Map([...defaults.vars, ...readVars(fields.get("vars"), report)]);
  const description = readDescription(fields.get("description"), report);
  const threshold = readThreshold(fields.get("threshold"), report) ?? defaults.threshold;
  const assertions = readAssertions(fields.get("assert")?.value, report);
  const combinations = combine(vars, maxTests - tests.length);
  if (!combinations) return false;
  const isOneOf = combinations.length > 1;
  for (const combination of combinations) {
    const resolved = resolveVars(combination);
    const question = oneLine(renderTemplate(promptTemplate, resolved), maxNameLength);
    const base = description ?? (question || l10n.t("Test {0}", index + 1));
    const name =
      isOneOf && description !== undefined ? `${base}: ${describe(vars, resolved)}` : base;
    for (const agent of agents) {
      if (tests.length >= maxTests) return false;
      tests.push({
        id: `${index}.${tests.length}`,
        name: agents.length > 1 ? `${name} (${agent.project}/${agent.name})` : name,
        agent,
        vars: resolved,
        assertions: [...(isWithout ? [] : defaults.assertions), ...assertions],
        threshold,
        repeat: options.repeat ?? defaults.repeat ?? repeat,
        problems: [...shared, ...own],
        range: node.range,
      });
    }
  }
  return true;
}

/** The values that tell a combination from the others. */
function describe(vars: VarValues, combination: Record<string, YamlScalar>): string {
  const several = [...vars].filter(([, values]) => values.length > 1).map(([name]) => name);
  return oneLine(several.map((name) => String(combination[name])).join(", "), maxNameLength);
}

function readDefaults(entry: YamlEntry | undefined, report: Report): Defaults {
  if (!entry) return { vars: new Map(), assertions: [] };
  if (entry.value.kind !== "map") {
    report(l10n.t("Not supported here: {0}.", "defaultTest"), entry.keyRange);
    return { vars: new Map(), assertions: [] };
  }
  const { entries } = entry.value;
  const fields = toFields(entries);
  refuseOthers(entries, ["description", "vars", "assert", "threshold", "options"], report);
  const threshold = readThreshold(fields.get("threshold"), report);
  return {
    vars: readVars(fields.get("vars"), report),
    assertions: readAssertions(fields.get("assert")?.value, report),
    threshold,
    ...readOptions(fields.get("options"), report),
  };
}

function readVars(entry: YamlEntry | undefined, report: Report): VarValues {
  const vars: VarValues = new Map();
  if (!entry) return vars;
  if (entry.value.kind !== "map") {
    report(l10n.t("Variables must be a map."), entry.value.range);
    return vars;
  }
  for (const { key, keyRange, value } of entry.value.entries) {
    if (!/^[A-Za-z_]\w*$/.test(key)) {
      report(l10n.t("Not supported here: a variable called {0}.", key), keyRange);
    }
    vars.set(key, readVar(key, value, report));
  }
  return vars;
}

function readVar(name: string, node: YamlNode, report: Report): YamlScalar[] {
  const items = node.kind === "list" ? node.items : [node];
  if (items.length === 0) report(l10n.t("Not supported here: an empty list."), node.range);
  return items.map((item) => {
    const value = item.kind === "scalar" ? item.value : undefined;
    const isSupported = node.kind === "list" ? typeof value === "string" : value !== undefined;
    if (!isSupported) {
      report(
        node.kind === "list"
          ? l10n.t("Not supported here: a list with anything but texts in {0}.", name)
          : l10n.t("Not supported here: a map in {0}.", name),
        item.range,
      );
    }
    if (typeof value === "string") checkVarText(value, item, report);
    return value ?? null;
  });
}

function checkVarText(text: string, { range }: YamlNode, report: Report): void {
  const unsupported = findUnsupportedTemplate(text);
  if (unsupported !== undefined) {
    report(l10n.t("Not supported here: the template {0}.", unsupported), range);
  } else if (/^(file|package):/.test(text)) {
    report(l10n.t("Not supported here: {0}.", oneLine(text, 100)), range);
  }
}

/** Every combination of values, the last variable changing fastest; undefined if there are more than `max`. */
function combine(vars: VarValues, max: number): Record<string, YamlScalar>[] | undefined {
  let combinations: [string, YamlScalar][][] = [[]];
  for (const [name, values] of vars) {
    if (combinations.length * values.length > max) return undefined;
    combinations = combinations.flatMap((combination) =>
      values.map((value): [string, YamlScalar][] => [...combination, [name, value]]),
    );
  }
  return combinations.map((combination) => Object.fromEntries(combination));
}

function checkPrompts(node: YamlNode | undefined, start: number, report: Report): void {
  const prompts = node?.kind === "list" ? node.items : node ? [node] : [];
  const [only, ...others] = prompts;
  const isRight = only && others.length === 0 && readText(only) === promptTemplate;
  if (isRight) return;
  report(
    l10n.t("The file needs the line: prompts: ['{0}']", promptTemplate),
    node?.range ?? { start, end: start + 1 },
  );
}

function readEvaluateOptions(entry: YamlEntry | undefined, report: Report): number {
  if (!entry) return 1;
  const entries = entry.value.kind === "map" ? entry.value.entries : [];
  if (entry.value.kind !== "map") report(l10n.t("It must be a map."), entry.value.range);
  // One question after the other, however many the file allows: servers lose answers otherwise (26.1.0).
  refuseOthers(entries, ["repeat", "maxConcurrency"], report);
  return readRepeat(toFields(entries).get("repeat"), report) ?? 1;
}

function readOptions(
  entry: YamlEntry | undefined,
  report: Report,
): Pick<Defaults, "repeat" | "disableDefaultAsserts"> {
  if (!entry) return {};
  if (entry.value.kind !== "map") {
    report(l10n.t("It must be a map."), entry.value.range);
    return {};
  }
  const { entries } = entry.value;
  const fields = toFields(entries);
  refuseOthers(entries, ["repeat", "disableDefaultAsserts"], report);
  const repeat = readRepeat(fields.get("repeat"), report);
  const disable = fields.get("disableDefaultAsserts")?.value;
  const isDisabled = disable?.kind === "scalar" ? disable.value : undefined;
  if (disable && typeof isDisabled !== "boolean") {
    report(l10n.t("It must be true or false."), disable.range);
  }
  return {
    repeat,
    ...(typeof isDisabled === "boolean" ? { disableDefaultAsserts: isDisabled } : {}),
  };
}

function readRepeat(entry: YamlEntry | undefined, report: Report): number | undefined {
  if (!entry) return undefined;
  const repeat = readNumber(entry.value, 1);
  if (repeat !== undefined && Number.isInteger(repeat) && repeat <= maxRepeat) return repeat;
  report(l10n.t("It must be a whole number from 1 to {0}.", maxRepeat), entry.value.range);
  return undefined;
}

function readThreshold(entry: YamlEntry | undefined, report: Report): number | undefined {
  if (!entry) return undefined;
  const threshold = readNumber(entry.value, -Infinity);
  if (threshold === undefined) {
    report(l10n.t("{0} must be a number.", "threshold"), entry.value.range);
  }
  return threshold;
}

function readDescription(entry: YamlEntry | undefined, report: Report): string | undefined {
  if (!entry) return undefined;
  const text = readText(entry.value);
  if (text === undefined) report(l10n.t("{0} must be a text.", "description"), entry.value.range);
  return text === undefined ? undefined : oneLine(text, maxNameLength) || undefined;
}

function toFields(entries: readonly YamlEntry[]): Map<string, YamlEntry> {
  return new Map(entries.map((entry) => [entry.key, entry]));
}
