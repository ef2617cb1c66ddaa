// No regular expression of the product may take more than linear time, whatever a server or a file sends.
import assert from "node:assert/strict";
import path from "node:path";
import vm from "node:vm";
import type { evaluateAssertion as EvaluateAssertion } from "../../src/agentTests/checks/evaluateAssertion.ts";
import type { readSchema as ReadSchema } from "../../src/agentTests/checks/jsonSchema.ts";
import { WorkBudget } from "../../src/agentTests/checks/workBudget.ts";
import type { redactKnown as RedactKnown } from "../../src/mindsdb/redact/secretFinder.ts";
import type { readConditions as ReadConditions } from "../../src/sample/agents/tableConditions.ts";
import type { readRequest as ReadRequest } from "../../src/sample/agents/tableRequest.ts";
import { seed } from "../../src/sample/server/seed.ts";
import { assertLinear } from "../linearTime.ts";
import {
  findRegExps,
  recordConstructed,
  textOf,
  worstInputs,
  type FoundRegExp,
} from "../regularExpressions.ts";

const root = path.resolve(import.meta.dirname, "../..");
const { literals, constructing } = findRegExps(path.join(root, "src"));

/** Characters; inputs are up to twice as long. */
const size = 10_000;

/** ms; so long is only what takes more than linear time, on inputs of this size. */
const floorMs = 10;

/** ms after which an expression is taken for one that never ends: hundreds of inputs take much less. */
const usualTimeLimit = 15_000;

/** Files that make regular expressions of texts, with what makes them do it where loading them does not. */
const constructors: Record<string, (module: Record<string, unknown>) => void> = {
  // Patterns of a test file, whose use is interrupted after a second.
  "src/agentTests/checks/evaluateAssertion.ts": ({ evaluateAssertion }) => {
    const assertion = { type: "regex", isInverse: false, value: "^a", range: { start: 0, end: 1 } };
    const outcome = { output: "a", latencyMs: 0, toolCalls: [], reasoningSteps: 0 };
    (evaluateAssertion as typeof EvaluateAssertion)(assertion, outcome, {}, new WorkBudget());
  },
  "src/agentTests/checks/jsonSchema.ts": ({ readSchema }) => {
    (readSchema as typeof ReadSchema)({ pattern: "^a" });
  },
  "src/mindsdb/redact/secretFinder.ts": ({ redactKnown }) => {
    const values = ["aaaaaaaab", '\\"\\"\\"\\"\\"', "made-up-1234"];
    (redactKnown as typeof RedactKnown)("made-up-1234", values);
  },
  "src/mindsdb/redact/secretNames.ts": () => undefined,
  "src/mindsdb/redact/secretPatterns.ts": () => undefined,
  "src/mindsdb/redact/tokenPatterns.ts": () => undefined,
  "src/mindsdb/sql/parser/lexSql.ts": () => undefined,
  "src/shared/codeColors.ts": () => undefined,
  "src/sample/server/routes.ts": () => undefined,
  "src/sample/sql/tokens.ts": () => undefined,
  "src/sample/agents/tableConditions.ts": ({ readConditions }) => {
    for (const table of seed().tables) {
      (readConditions as typeof ReadConditions)(table, "Two rooms under 2000 in the harbor?");
    }
  },
  "src/sample/agents/tableRequest.ts": ({ readRequest }) => {
    const tables = seed().tables;
    for (const question of [
      "What are the three most expensive homes?",
      "How many homes with two bedrooms are there?",
      "Which neighborhoods have the most homes?",
      "List the homes under 1000",
    ]) {
      (readRequest as typeof ReadRequest)(tables, question);
    }
  },
};

/** Uses an expression as its file does: for all matches or for one. */
function use({ source, flags, findsAll }: FoundRegExp): (text: string) => void {
  if (!findsAll) {
    const expression = new RegExp(source, flags);
    return (text) => void expression.exec(text);
  }
  const expression = new RegExp(source, flags.includes("g") ? flags : `${flags}g`);
  return (text) => void text.replace(expression, "");
}

/** Does synchronous work and ends it when it takes too long: a regular expression can take for ever. */
function withTimeLimit(work: () => void, timeout: number): void {
  vm.runInContext("work()", vm.createContext({ work }), { timeout });
}

function assertLinearOnWorst(expression: FoundRegExp, timeLimit = usualTimeLimit): void {
  const run = use(expression);
  let name = "";
  const check = (): void => {
    for (const input of worstInputs(expression)) {
      name = `/${expression.source}/${expression.flags} on ${JSON.stringify(input)}`;
      assertLinear({ name, size, floorMs, make: (length) => textOf(input, length), run });
    }
  };
  try {
    withTimeLimit(check, timeLimit);
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    throw new Error(`Too slow or too much: ${name}`, { cause: error });
  }
}

describe("Every regular expression in src", () => {
  for (const file of new Set(literals.map(({ place }) => place.split(":")[0]))) {
    it(`takes linear time: ${file}`, () => {
      for (const expression of literals) {
        if (expression.place.startsWith(`${file}:`)) assertLinearOnWorst(expression);
      }
    });
  }

  it("is a literal, or made in a file that this test knows", () => {
    assert.deepEqual([...constructing].sort(), Object.keys(constructors).sort());
  });

  for (const [file, drive] of Object.entries(constructors)) {
    it(`takes linear time where it is made of texts: ${file}`, async () => {
      const expressions = await recordConstructed(path.join(root, file), drive);
      assert.ok(expressions.length > 0);
      for (const expression of expressions) assertLinearOnWorst(expression);
    });
  }

  it("would be found out if it took more", () => {
    const slow = [/\s+$/, /^(a+)+$/, /<!--.*?-->/, /\d+(?=x)/, /^(?:a|b)*(?:b|c)*d/m];
    for (const { source, flags } of slow) {
      const expression = { place: "", source, flags, findsAll: false };
      assert.throws(() => assertLinearOnWorst(expression, 500), source);
    }
  });
});
