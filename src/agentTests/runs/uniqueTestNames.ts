// CI systems keep one result of each name: names of tests are unique in a file, whichever of them run.
import { oneLine, visibleLine } from "../../shared/oneLine.ts";
import type { AgentTest } from "../files/testFile.ts";

const maxNameLength = 120;

/** Tells tests with the same name apart: by the variables in which they differ, and where those are the same by a number. */
export function makeNamesUnique(tests: readonly AgentTest[]): void {
  for (const test of tests) test.name = replaceInvalidXml(test.name);
  for (const group of groupByName(tests)) {
    const differing = listDifferingVars(group);
    if (differing.size === 0) continue;
    for (const test of group) {
      const names = Object.keys(test.vars).filter((name) => differing.has(name));
      test.name = replaceInvalidXml(
        [test.name, describeVars(names, test.vars)].filter(Boolean).join(": "),
      );
    }
  }
  const used = new Set(tests.map(({ name }) => name));
  for (const [first, ...others] of groupByName(tests)) {
    let number = 2;
    for (const test of others) {
      while (used.has(`${first!.name} (${number})`)) number++;
      test.name = `${first!.name} (${number})`;
      used.add(test.name);
    }
  }
}

/** Characters that XML 1.0 does not allow become U+FFFD. */
export function replaceInvalidXml(text: string): string {
  return text.replace(/(?![\t\n\r\x7F-\x9F])\p{Cc}|[\uFFFE\uFFFF]|\p{Cs}/gu, "\uFFFD");
}

/** The values of variables as part of a name. */
export function describeVars(names: readonly string[], vars: AgentTest["vars"]): string {
  const shown = names.map((name) => showVar(vars, name)).filter((value) => value !== "");
  return oneLine(shown.join(", "), maxNameLength);
}

function showVar(vars: AgentTest["vars"], name: string): string {
  return Object.hasOwn(vars, name) ? visibleLine(String(vars[name]), maxNameLength) : "";
}

/** Tests that share a name with others. */
function groupByName(tests: readonly AgentTest[]): AgentTest[][] {
  const groups = new Map<string, AgentTest[]>();
  for (const test of tests) {
    const group = groups.get(test.name);
    if (group) group.push(test);
    else groups.set(test.name, [test]);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

function listDifferingVars(group: readonly AgentTest[]): Set<string> {
  const shown = new Map<string, string[]>();
  for (const { vars } of group) {
    for (const name of Object.keys(vars)) {
      const texts = shown.get(name) ?? [];
      if (texts.length === 0) shown.set(name, texts);
      texts.push(showVar(vars, name));
    }
  }
  const differing = [...shown].filter(([, texts]) => {
    const other = texts.length < group.length ? "" : texts[0];
    return texts.some((text) => text !== other);
  });
  return new Set(differing.map(([name]) => name));
}
