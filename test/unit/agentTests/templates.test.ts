// Variables in variables: the values are promptfoo's, and only those are computed that something needs.
import assert from "node:assert/strict";
import fc from "fast-check";
import { VarResolver, type TemplateVars } from "../../../src/agentTests/files/templates.ts";
import { WorkBudget } from "../../../src/agentTests/checks/workBudget.ts";
import type { YamlScalar } from "../../../src/agentTests/files/yamlTree.ts";

/** What promptfoo 0.123 does: all variables, in five rounds. Undefined if a value becomes too long. */
function resolveAll(
  given: TemplateVars,
  maxLength = Infinity,
): Record<string, YamlScalar> | undefined {
  const vars: Record<string, YamlScalar> = { ...given };
  for (const [key, value] of Object.entries(vars)) {
    if (typeof value === "string") vars[key] = value.replace(/\n$/, "");
  }
  for (let round = 0; round < 5; round++) {
    for (const [key, value] of Object.entries(vars)) {
      if (typeof value !== "string") continue;
      const [placeholder, name] = /\{\{\s*(\w+)\s*\}\}/.exec(value) ?? [];
      if (placeholder === undefined || name === undefined || !Object.hasOwn(vars, name)) continue;
      const resolved = value.replace(placeholder, String(vars[name]));
      if (resolved.length > maxLength) return undefined;
      vars[key] = resolved;
    }
  }
  return vars;
}

describe("variables in variables", () => {
  const names = ["a", "b", "c", "d"];
  const part = fc.constantFrom(
    "x",
    "{{a}}",
    "{{ b }}",
    "{{c}}",
    "{{d}}",
    "{",
    "}}",
    "$&",
    "$`",
    "\n",
  );
  const value = fc.oneof(
    { weight: 5, arbitrary: fc.array(part, { maxLength: 6 }).map((parts) => parts.join("")) },
    { weight: 1, arbitrary: fc.constantFrom<YamlScalar>(7, true, null) },
  );

  it("are resolved one by one as they are all together", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(names), fc.array(value, { minLength: 4 }), (keys, values) => {
        const vars = Object.fromEntries(keys.map((key, index) => [key, values[index]!]));
        const expected = resolveAll(vars, 10_000);
        fc.pre(expected !== undefined);
        for (const order of [keys, keys.toReversed()]) {
          const resolver = new VarResolver(vars, new WorkBudget());
          const resolved = order.map((key) => [key, resolver.resolve(key)]);
          assert.deepEqual({ ...expected }, Object.fromEntries(resolved));
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("can name each other in chains as long as a test may have", () => {
    for (const step of [1, -1, 499]) {
      const vars = Object.fromEntries(
        Array.from({ length: 1_000 }, (_, n) => [
          `v${String(n)}`,
          `{{v${String((n + step + 1_000) % 1_000)}}}{{v${String((n + 501) % 1_000)}}}`,
        ]),
      );
      const resolver = new VarResolver(vars, new WorkBudget());
      assert.ok(resolver.resolve("v999") === resolveAll(vars)?.["v999"]);
    }
  });
});
