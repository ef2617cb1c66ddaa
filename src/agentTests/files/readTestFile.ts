// Reads a promptfoo configuration into tests. Whatever is outside of the supported subset becomes a problem on its line,
// and no test that it could change is run.
import * as l10n from "@vscode/l10n";
import { visibleLine } from "../../shared/oneLine.ts";
import { readAssertions } from "./readAssertions.ts";
import {
  checkText,
  collectProblems,
  listItems,
  maxProblems,
  readNumber,
  readText,
  refuseOthers,
  toFields,
  type Report,
} from "./readFields.ts";
import { readProviders } from "./readProviders.ts";
import { findVariables, renderQuestion, VarResolver } from "./templates.ts";
import {
  maxNameLength,
  type AgentTest,
  type Assertion,
  type FileProblem,
  type TestedAgent,
  type TestFile,
} from "./testFile.ts";
import { keysOf } from "./testFileKeys.ts";
import { describeVars, makeNamesUnique } from "../runs/uniqueTestNames.ts";
import { TooMuchWorkError, WorkBudget } from "../checks/workBudget.ts";
import {
  readYaml,
  type YamlEntry,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
} from "./yamlTree.ts";

/** The prompt that every file has: the question is a variable. */
const promptTemplate = "{{question}}";

/** The most tests of a file, with matrices expanded. */
const maxTests = 5_000;
const maxRepeat = 100;
/** Of what comes after the YAML: each schema may take a second. */
const maxReadMs = 3_000;
/** The most variables of a test. */
const maxVars = 1_000;
/** The most variables and assertions of all tests: a short `defaultTest` counts once for each of them. */
const maxExpandedItems = 200_000;
/** A test needs no more of the problems that keep it from running. */
const maxProblemsOfTest = 10;

/** Reads a file's text. */
export function readTestFile(text: string): TestFile {
  const problems: FileProblem[] = [];
  const report = collectProblems(problems);
  const yaml = readYaml(text);
  for (const { message, range } of yaml.problems) report(message, range);
  const { root } = yaml;
  const nothing = { isOurs: false, tests: [], problems, length: text.length };
  if (root?.kind !== "map") {
    if (problems.length === 0) report(l10n.t("The file has no tests."), { start: 0, end: 1 });
    return nothing;
  }
  const fields = toFields(root);
  const { agents, isOurs } = readProviders(fields.get("providers"), report);
  try {
    const budget = new WorkBudget(maxReadMs);
    return { isOurs, ...readTests(root, agents, { problems, textLength: text.length, budget }) };
  } catch (error) {
    if (!(error instanceof TooMuchWorkError)) throw error;
    const message = l10n.t("The tests are too large, including repeated values.");
    return { ...nothing, isOurs, problems: [{ message, range: root.range }] };
  }
}

function readTests(
  root: YamlMap,
  agents: TestedAgent[],
  {
    problems,
    textLength,
    budget,
  }: { problems: FileProblem[]; textLength: number; budget: WorkBudget },
): Omit<TestFile, "isOurs"> {
  const report = collectProblems(problems);
  const fields = toFields(root);
  refuseOthers(root.entries, keysOf.file, report);
  checkPrompts(fields.get("prompts")?.value, root.range.start, report);
  readDescription(fields.get("description"), report);
  const repeat = readEvaluateOptions(fields.get("evaluateOptions"), report);

  const defaultProblems: FileProblem[] = [];
  const defaultEntry = fields.get("defaultTest");
  const defaults = readDefaults(defaultEntry, collectProblems(defaultProblems), budget);
  const list = fields.get("tests")?.value;
  const items = list?.kind === "list" ? list.items : [];
  if (list?.kind !== "list") {
    const place = list?.range ?? { start: root.range.start, end: root.range.start + 1 };
    const isElsewhere = list?.kind === "scalar" && typeof list.value === "string";
    report(
      isElsewhere
        ? l10n.t("Not supported here: tests in another file.")
        : l10n.t("The file has no list of tests."),
      place,
    );
  }
  // A problem of the whole file keeps every test from running.
  const shared = [...problems, ...defaultProblems].slice(0, maxProblemsOfTest);
  const tests: AgentTest[] = [];
  const context: TestContext = {
    defaults,
    agents,
    repeat,
    shared,
    tests,
    namedVars: [],
    expandedItems: 0,
    maxOwnProblems: maxProblems,
    budget,
  };
  const all = [...problems, ...defaultProblems];
  for (const [index, item] of items.entries()) {
    const own: FileProblem[] = [];
    // Aliases can repeat a test with many problems, and each suggestion takes time.
    if (all.length >= maxProblems) context.maxOwnProblems = maxProblemsOfTest;
    const refusal = readTest(item, index, context, own);
    all.push(...own.slice(0, Math.max(0, maxProblems - all.length)));
    if (refusal === undefined) continue;
    const tooMany = { message: refusal, range: item.range };
    all.push(tooMany);
    for (const test of tests) test.problems.push(tooMany);
    // A file without a test runs nothing.
    break;
  }
  makeNamesUnique(tests);
  // The process that reads a file posts a text again for each test that has it.
  for (const [at, test] of tests.entries()) {
    const names = context.namedVars[at]!;
    test.vars = Object.fromEntries(names.map((name) => [name, test.vars[name] ?? null]));
  }
  return { tests, problems: all, length: textLength + budget.characters };
}

interface Defaults {
  vars: VarValues;
  assertions: Assertion[];
  /** The variables in its assertions. */
  named: readonly string[];
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
  /** The variables that each of these needs. */
  namedVars: (readonly string[])[];
  /** Of these tests. */
  expandedItems: number;
  /** The most problems that are kept of the next test. */
  maxOwnProblems: number;
  budget: WorkBudget;
}

/** Values of variables, with lists that multiply a test. */
type VarValues = Map<string, YamlScalar[]>;

/**
 * Appends the tests of one entry, and their problems to `own`. Returns why the file has too many, if it has. Throws
 * TooMuchWorkError.
 */
function readTest(
  node: YamlNode,
  index: number,
  context: TestContext,
  own: FileProblem[],
): string | undefined {
  const { defaults, agents, repeat, shared, tests, budget } = context;
  const report = collectProblems(own, context.maxOwnProblems);
  if (node.kind !== "map") {
    report(l10n.t("Not supported here: a test that is not a map."), node.range);
  }
  const fields = toFields(node);
  refuseOthers(fields.values(), keysOf.test, report);
  const options = readOptions(fields.get("options"), report);
  const isWithout = options.disableDefaultAsserts ?? defaults.disableDefaultAsserts ?? false;
  const vars = new Map([...defaults.vars, ...readVars(fields.get("vars"), report)]);
  const description = readDescription(fields.get("description"), report);
  const threshold = readThreshold(fields.get("threshold"), report) ?? defaults.threshold;
  const assertions = readAssertions(fields.get("assert")?.value, report, budget);
  const tooManyTests = l10n.t("Only the first {0} tests of a file are read.", maxTests);
  const count = [...vars.values()].reduce((product, values) => product * values.length, 1);
  if (count > maxTests - tests.length) return tooManyTests;
  const all = [...(isWithout ? [] : defaults.assertions), ...assertions];
  context.expandedItems += count * (vars.size + Math.max(1, agents.length) * countAssertions(all));
  if (context.expandedItems > maxExpandedItems) throw new TooMuchWorkError();
  const combinations = combine(vars, count);
  const isOneOf = combinations.length > 1;
  const isNamedByValues = isOneOf && description !== undefined;
  const several = isNamedByValues ? listSeveral(vars) : [];
  const inDefaults = isWithout ? [] : defaults.named;
  const inOwn = assertions.flatMap(listNames);
  const named = [...new Set(["question", ...inDefaults, ...inOwn, ...several])];
  for (const combination of combinations) {
    budget.checkTime();
    const resolved = resolve(combination, named, budget);
    const { question } = resolved;
    const present = named.filter((name) => Object.hasOwn(combination, name));
    for (const name of named) {
      const value = resolved.vars[name];
      if (typeof value !== "string" || value === combination[name]) continue;
      checkText(value, node.range, report);
    }
    const shown = visibleLine(question, maxNameLength);
    const base = description ?? (shown || l10n.t("Test {0}", index + 1));
    const name = isNamedByValues ? `${base}: ${describeVars(several, resolved.vars)}` : base;
    for (const agent of agents) {
      if (tests.length >= maxTests) return tooManyTests;
      // The process that reads a file posts them again for each test.
      for (const name of present) budget.spend(name.length + String(resolved.vars[name]).length);
      const target = visibleLine(`${agent.project}/${agent.name}`, maxNameLength);
      context.namedVars.push(present);
      tests.push({
        id: `${index}.${tests.length}`,
        name: agents.length > 1 ? `${name} (${target})` : name,
        agent,
        ...resolved,
        assertions: all,
        threshold,
        repeat: options.repeat ?? defaults.repeat ?? repeat,
        problems: [...shared, ...own.slice(0, maxProblemsOfTest)],
        range: node.range,
      });
    }
  }
  return undefined;
}

/** Resolves the named variables; the others stay as they are. */
function resolve(
  given: Record<string, YamlScalar>,
  named: readonly string[],
  budget: WorkBudget,
): Pick<AgentTest, "vars" | "question"> {
  const resolver = new VarResolver(given, budget);
  const present = named.filter((name) => resolver.has(name));
  const resolved = Object.fromEntries(present.map((name) => [name, resolver.resolve(name)]));
  return { vars: { ...given, ...resolved }, question: renderQuestion(resolver, budget) };
}

/** The variables in an assertion's value, where templates are replaced: in texts and in the texts of a list. */
function listNames({ value, members = [] }: Assertion): string[] {
  const texts = [value].flat().filter((item) => typeof item === "string");
  return [...texts.flatMap(findVariables), ...members.flatMap(listNames)];
}

function countAssertions(assertions: readonly Assertion[]): number {
  return assertions.reduce((sum, { members = [] }) => sum + 1 + members.length, 0);
}

/** The variables that tell a combination from the others. */
function listSeveral(vars: VarValues): string[] {
  return [...vars].filter(([, values]) => values.length > 1).map(([name]) => name);
}

function readDefaults(entry: YamlEntry | undefined, report: Report, budget: WorkBudget): Defaults {
  const none = { vars: new Map(), assertions: [], named: [] };
  if (!entry) return none;
  if (entry.value.kind !== "map") {
    report(l10n.t("Not supported here: {0}.", "defaultTest"), entry.keyRange);
    return none;
  }
  const fields = toFields(entry.value);
  refuseOthers(fields.values(), keysOf.test, report);
  const threshold = readThreshold(fields.get("threshold"), report);
  const assertions = readAssertions(fields.get("assert")?.value, report, budget);
  return {
    vars: readVars(fields.get("vars"), report),
    assertions,
    named: [...new Set(assertions.flatMap(listNames))],
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
  const { entries, range } = entry.value;
  if (entries.length > maxVars) {
    report(l10n.t("Not supported here: more than {0} variables.", maxVars), range);
  }
  for (const { key, keyRange, value } of entries.slice(0, maxVars)) {
    if (!/^[A-Za-z_]\w*$/.test(key) || key in Object.prototype) {
      report(l10n.t("Not supported here: a variable called {0}.", key), keyRange);
    }
    vars.set(key, readVar(key, value, report));
  }
  return vars;
}

function readVar(name: string, node: YamlNode, report: Report): YamlScalar[] {
  const items = listItems(node);
  if (items.length === 0) report(l10n.t("Not supported here: an empty list."), node.range);
  return items.map((item) => {
    const value = item.kind === "scalar" ? item.value : undefined;
    const isSupported = node.kind === "list" ? typeof value === "string" : value !== undefined;
    if (!isSupported) {
      report(
        node.kind === "list"
          ? l10n.t("Not supported here: a list with anything but strings in {0}.", name)
          : l10n.t("Not supported here: a map in {0}.", name),
        item.range,
      );
    }
    if (typeof value === "string") checkText(value, item.range, report);
    return value ?? null;
  });
}

/** All `count` combinations of values, the last variable changing fastest. */
function combine(vars: VarValues, count: number): Record<string, YamlScalar>[] {
  return Array.from({ length: count }, (_, index) => {
    let rest = index;
    const chosen = [...vars].reverse().map(([name, values]): [string, YamlScalar] => {
      const value = values[rest % values.length]!;
      rest = Math.floor(rest / values.length);
      return [name, value];
    });
    return Object.fromEntries(chosen.reverse());
  });
}

function checkPrompts(node: YamlNode | undefined, start: number, report: Report): void {
  const [only, ...others] = listItems(node);
  const isRight = only && others.length === 0 && readText(only) === promptTemplate;
  if (isRight) return;
  report(
    l10n.t("The file needs the line: prompts: ['{0}']", promptTemplate),
    node?.range ?? { start, end: start + 1 },
  );
}

function readEvaluateOptions(entry: YamlEntry | undefined, report: Report): number {
  if (!entry) return 1;
  const fields = toFields(entry.value);
  if (entry.value.kind !== "map") report(l10n.t("It must be a map."), entry.value.range);
  refuseOthers(fields.values(), keysOf.evaluateOptions, report);
  return readRepeat(fields.get("repeat"), report) ?? 1;
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
  const fields = toFields(entry.value);
  refuseOthers(fields.values(), keysOf.options, report);
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
  if (text === undefined) report(l10n.t("{0} must be a string.", "description"), entry.value.range);
  return text === undefined ? undefined : visibleLine(text, maxNameLength) || undefined;
}
