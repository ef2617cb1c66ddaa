// Assertions and answers that are made to be slow: judging ends soon, with a verdict or as an error.
import assert from "node:assert/strict";
import type { AgentOutcome, ToolCall } from "../../../src/agentTests/checks/agentOutcome.ts";
import { readTestFile } from "../../../src/agentTests/files/readTestFile.ts";
import type { AgentTest } from "../../../src/agentTests/files/testFile.ts";
import { judge, type Verdict } from "../../../src/agentTests/checks/verdict.ts";

function testOf(assertions: object[]): AgentTest {
  // JSON is YAML.
  const { tests } = readTestFile(
    JSON.stringify({
      providers: ["mindsdb:a/b"],
      prompts: ["{{question}}"],
      tests: [{ vars: { question: "q", long: "ab".repeat(25_000) }, assert: assertions }],
    }),
  );
  assert.ok(tests[0]);
  return tests[0];
}

/** Judges once. What takes too long fails at the suite's time limit, which has room for a slow machine. */
async function judgeOnce(assertions: object[], outcome: Partial<AgentOutcome>): Promise<Verdict> {
  const test = testOf(assertions);
  assert.deepEqual(test.problems, []);
  return judge(
    test,
    { output: "", latencyMs: 1, toolCalls: [], reasoningSteps: 0, ...outcome },
    new AbortController().signal,
  );
}

const list = <T>(length: number, item: (n: number) => T): T[] =>
  Array.from({ length }, (_, n) => item(n));

describe("judging the way to an answer", () => {
  const calls: ToolCall[] = list(2_000, (n) => ({ name: `tool ${String(n)}`, args: { x: 1 } }));
  const last = "tool 1999";
  const args = Object.fromEntries(list(20_000, (n) => [`k${String(n)}`, n]));
  const longCalls = list(200, (n) => ({ name: "a".repeat(3_000) + String(n), args: {} }));

  const passing: [name: string, type: string, value: unknown, toolCalls: ToolCall[]][] = [
    ["names of the last of many tools", "tool-used", list(900, () => last), calls],
    [
      "names in capitals, each once",
      "tool-used",
      list(900, (n) => `TOOL ${String(1_999 - n)}`),
      calls,
    ],
    [
      "one long name for many tools",
      "step-count",
      { type: "tool", name: "z".repeat(500_000), max: 0 },
      calls,
    ],
    [
      "arguments to be ignored, each in full",
      "tool-args-match",
      { name: "a", args: { x: 1 }, ignore: list(900, (n) => `z${String(n)}`) },
      [{ name: "a", args: { ...args, x: 1 } }],
    ],
  ];
  for (const [name, type, value, toolCalls] of passing) {
    it(`takes little time for ${name}`, async () => {
      // A busy machine can need more than the 250 ms that an assertion has, but not every time.
      let verdict: Verdict | undefined;
      for (let attempt = 0; attempt < 20 && verdict?.state !== "passed"; attempt++) {
        verdict = await judgeOnce([{ type: `trajectory:${type}`, value }], { toolCalls });
      }
      assert.equal(verdict?.state, "passed", verdict?.results[0]?.reason);
    });
  }

  const wild = (n: number): string => `z*${"?a".repeat(20)}${String(n)}`;
  const endless: [name: string, type: string, value: unknown, toolCalls: ToolCall[]][] = [
    [
      "wildcards that nearly fit many tools",
      "tool-used",
      [...list(900, () => `*${"a?".repeat(100)}*7`), "no"].toReversed(),
      longCalls,
    ],
    [
      "not any of many wildcards",
      "tool-used",
      list(900, (n) => `*a${"?a".repeat(100)}*z${String(n)}`),
      longCalls,
    ],
    [
      "wildcards for many arguments to be ignored",
      "tool-args-match",
      { name: "*", args: { x: 1 }, ignore: list(900, wild) },
      list(40, () => ({ name: "a", args })),
    ],
  ];
  for (const [name, type, value, toolCalls] of endless) {
    it(`ends soon for ${name}`, async () => {
      for (const not of ["", "not-"]) {
        await judgeOnce([{ type: `${not}trajectory:${type}`, value }], { toolCalls });
      }
    });
  }

  it("is not tried with a list of more than 1,000 tools or arguments", () => {
    const names = list(1_001, String);
    const values: [type: string, value: unknown][] = [
      ["tool-used", names],
      ["tool-sequence", names],
      ["tool-sequence", { steps: names }],
      ["tool-args-match", { name: "a", args: {}, ignore: names }],
    ];
    for (const [type, value] of values) {
      const { problems } = testOf([{ type: `trajectory:${type}`, value }]);
      assert.match(problems[0]?.message ?? "", /1,?000/, JSON.stringify(type));
    }
  });
});

describe("judging an answer by many slow assertions", () => {
  const patterns = list(60, () => ({ type: "regex", value: "(a+)+$b" }));

  it("ends after five seconds, in a set and after it, and says so", async () => {
    const assertions = [{ type: "assert-set", assert: patterns }, ...patterns];
    const { state, results } = await judgeOnce(assertions, { output: "a".repeat(40) });
    assert.equal(state, "error");
    const [set, ...rest] = results;
    assert.deepEqual([set?.members?.length, rest.length], [60, 60]);
    assert.match(set?.members?.[0]?.reason ?? "", /more than 250 ms/);
    for (const last of [set?.members?.at(-1), rest[0], rest.at(-1)]) {
      assert.match(last?.reason ?? "", /more than 5 s/);
    }
  });

  it("ends each edit distance soon, and says so", async () => {
    const assertions = [{ type: "levenshtein", value: "{{long}}" }];
    const { results } = await judgeOnce(assertions, { output: "ba".repeat(25_000) });
    // It takes half a second. A busy machine has more time for it, and can come to its end.
    assert.match(results[0]?.reason ?? "", /more than 250 ms|^The distance is 2/);
  });
});

describe("what is said of thousands of failed assertions", () => {
  const total = ({ results }: Verdict): number =>
    results.reduce((sum, { reason, expected = "", actual = "" }) => {
      return sum + reason.length + expected.length + actual.length;
    }, 0);

  it("is no longer than a few answers, however long each text is", async () => {
    const toolCalls = list(500, (n) => ({
      name: `tool ${String(n)}`,
      args: { x: "y".repeat(5_000) },
    }));
    const value = { name: "*", args: { x: 1 } };
    const assertions = list(2_000, () => ({ type: "trajectory:tool-args-match", value }));
    const verdict = await judgeOnce(assertions, { toolCalls });
    assert.match(verdict.results[0]?.actual ?? "", /^{"x":"yyy.*…$/s);
    assert.ok(total(verdict) < 60_000_000, String(total(verdict)));
  });

  it("is cut for a value that a template makes long", async () => {
    const { results } = await judgeOnce([{ type: "contains", value: "{{long}}" }], {
      output: "no",
    });
    assert.equal(results[0]?.expected?.length, 20_000);
    assert.equal(results[0].reason.length, 20_000);
  });

  it("takes little time for a schema that a template makes long", async () => {
    const schema = "- a: 1\n  b: {x: y}\n".repeat(40_000);
    const test = testOf([{ type: "is-json", value: "{{long}}" }]);
    const outcome = { output: "{}", latencyMs: 1, toolCalls: [], reasoningSteps: 0 };
    const { signal } = new AbortController();
    const { results } = await judge({ ...test, vars: { long: schema } }, outcome, signal);
    assert.match(results[0]?.reason ?? "", /more than 250 ms/);
  });
});
