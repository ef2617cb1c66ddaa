// CI systems keep one result of each name: names of tests are unique in a file, whichever of them run.
import { oneLine, visibleLine } from "../shared/oneLine.ts";
import type { AgentTest } from "./testFile.ts";

const maxNameLength = 120;

/** Tells tests with the same name apart: by the variables in which they differ, and where those are the same by a number. */
export function makeNamesUnique(tests: readonly AgentTest[]): void {
  for (const group of groupByName(tests)) {
    const differing = listDifferingVars(group);
    if (differing.length === 0) continue;
    for (const test of group) {
      test.name = [test.name, describeVars(differing, test.vars)].filter(Boolean).join(": ");
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

function listDifferingVars(group: readonly AgentTest[]): string[] {
  const names = new Set(group.flatMap(({ vars }) => Object.keys(vars)));
  return [...names].filter((name) => {
    const first = showVar(group[0]!.vars, name);
    return group.some(({ vars }) => showVar(vars, name) !== first);
  });
}
