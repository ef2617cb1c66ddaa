// Thousands of assertions with outputs, for which the verdicts of the real promptfoo are recorded
// (scripts/recordPromptfooVerdicts.ts) and ours are compared. All of it is inside of the supported subset, or an error in
// both.

import { createTextArgumentCases, createToolStepCases } from "./toolStepCases.ts";
import { formats, formatTexts, refusedByBoth, schemaOutputs, schemas } from "./schemaCases.ts";

/** A tool call, as an agent's step and as a span. */
export interface MatrixCall {
  name: string;
  args: unknown;
}

export interface MatrixCase {
  /** As in a test file. */
  assert: Record<string, unknown>[];
  threshold?: number;
  output: string;
  /** The calls on the way; only with a single assertion. */
  calls?: MatrixCall[];
}

export const matrixVars = { question: "Rome", number: 12, yes: true, nothing: null };
export const matrixLatencyMs = 5;

const outputs = [
  "",
  "Rome",
  "Rome is the capital of Italy.",
  " rome\n",
  "ROME, PARIS",
  '{"a":1}',
  '{"b":[1,2],"a":{"c":null}}',
  "[1,2]",
  "12",
  '"x"',
  "true",
  "null",
  "It is {a: 1}, then more",
  "x {} y",
  "{bad",
  "{a}",
  '{"a":1,}',
  "[1] and {",
  "}{ }",
  "a,b and 12",
  "😀 é\u0301 Ü",
  "line one\nline two\n\nline three",
  "{{question}}",
  "word ".repeat(60),
];

/** For contains-json, which reads what is in braces leniently. */
const jsonTexts = [
  "{a: b: c}",
  "{'a': 1}",
  "{a: 1, a: 2}",
  '{"a": 1 // comment\n}',
  '{"a": 1, // {\n "b": 2}',
  '{"a": "http://x"}',
  '{"a": "}"}',
  "{a: [1, 2}",
  "{a: [1, 2]",
  "{{a: 1}}",
  "{a: {b: {c: 1}}}",
  "{a: *b}",
  "{a: &b 1, c: *b}",
  "{a: !x 1}",
  "{a: !!str 1}",
  '{"a"}',
  "{,}",
  "{ }",
  "{: 1}",
  "{? a : b}",
  "{a: 'x}",
  '{"a: 1}',
  "{@a: 1}",
  "{`a`: 1}",
  "{%a: 1}",
  "{a: @b}",
  "{a:1}",
  "{a\n: 1}",
  "{a: 1\n\tb: 2}",
  "{a: |\n x}",
  "{a: >x}",
  "{a: -}",
  "{- a}",
  "{a: 1}}",
  "text } {a: 1} {",
  "function f() { return 1; }",
  "if (x) { y(); } else { z(); }",
  "{\n  # comment\n  a: 1\n}",
  "{a: 1; b: 2}",
  "{a = 1}",
  "{<<: {a: 1}}",
  "{[1]: 2}",
  "{{}: 1}",
  '{"a":\u00a01}',
  '{"a":\u0001}',
  "{\ta: 1}",
  "{a: 2024-01-01}",
  "{a: 0x1F, b: 1_000}",
  "{...}",
  "{---}",
  "{a: 1\n---\nb: 2}",
  "{constructor: 1}",
  "{__proto__: 1}",
  "# {a: 1}",
  "{".repeat(30),
  `${"{a: ".repeat(30)}1${"}".repeat(30)}`,
  `${"{ ".repeat(30)}{a: 1}`,
];

const texts: unknown[] = [
  "Rome",
  "rome",
  "ITALY",
  " ",
  "\n",
  "12",
  12,
  0,
  "{{question}}",
  "is {{question}}!",
  "{{number}}",
  "{{yes}}",
  "{{ nothing }}",
  "{{missing}}",
  "",
  true,
  null,
  [],
  ["Rome"],
  "😀",
  "É",
  "ü",
  "$&",
  '"',
];

const lists: unknown[] = [
  "Rome",
  "Paris, Rome",
  "paris,,  ROME ,",
  '"a,b", x',
  '"a,b" x',
  '"open',
  String.raw`"a\"b", c`,
  '"a""b"',
  ",",
  " , ",
  "",
  "{{question}}, Oslo",
  "{{missing}}",
  [],
  [""],
  ["Rome", "Paris"],
  ["{{question}}", 12],
  [12, true, null],
  ["x"],
  12,
  true,
  null,
  {},
];

const patterns: unknown[] = [
  "Rome",
  "^rome$",
  "(?i)rome",
  "/rome/i",
  "^R.*y\\.$",
  "[0-9]+",
  "(",
  "[",
  "\\d{2}",
  "^$",
  "^line two$",
  "{{question}} is",
  "{{missing}}",
  "",
  12,
  null,
  ["Rome"],
  ".{1,3}\u{1F600}?",
];

const valuesOf: Record<string, unknown[]> = {
  equals: [
    ...texts,
    { a: 1 },
    { a: { c: null }, b: [1, 2] },
    [1, 2],
    [2, 1],
    false,
    "word ".repeat(60),
    1.5,
  ],
  contains: [...texts, { a: 1 }],
  icontains: [...texts, { a: 1 }],
  "contains-any": lists,
  "contains-all": lists,
  "icontains-any": lists,
  "icontains-all": lists,
  "starts-with": [...texts, { a: 1 }],
  regex: patterns,
  "is-json": [undefined],
  "contains-json": [undefined],
  "word-count": [
    0,
    1,
    6,
    60,
    "6",
    "",
    "x",
    "{{number}}",
    null,
    [],
    { min: 1 },
    { max: 6 },
    { min: 2, max: 6 },
    { min: 3, max: 2 },
    {},
  ],
};

const callLists: MatrixCall[][] = [
  [],
  [{ name: "sql", args: { query: "SELECT 1" } }],
  [
    { name: "sql", args: { query: "SELECT 1" } },
    { name: "Web_Search", args: { q: "rome", top: 3, at: "now" } },
    { name: "sql", args: { query: "SELECT 2", deep: { a: [1, { b: 2 }] } } },
  ],
  [
    { name: "web_search", args: "plain text" },
    { name: "sql_db_query", args: { query: "SELECT 1" } },
  ],
  [{ name: "kb.find", args: undefined }],
];

const trajectories: [type: string, values: unknown[]][] = [
  [
    "tool-used",
    [
      "sql",
      "SQL*",
      "*search",
      "execute_tool *",
      "kb?find",
      "sq",
      [],
      ["sql", "web_search"],
      ["x", "sql"],
      ["x"],
      { name: "sql", min: 2 },
      { pattern: "*s*", max: 1 },
      { name: "sql", min: 0, max: 0 },
      { min: 1 },
      null,
      12,
    ],
  ],
  [
    "tool-sequence",
    [
      ["sql"],
      ["sql", "sql"],
      ["web_search", "sql*"],
      ["sql", "x"],
      [{ name: "sql" }, { pattern: "web*" }],
      { steps: ["sql", "web_search", "sql"], mode: "exact" },
      { steps: ["sql"], mode: "exact" },
      { steps: ["web_search"], mode: "in_order" },
      { steps: [] },
      [],
      "sql",
    ],
  ],
  [
    "tool-args-match",
    [
      { name: "sql", args: { query: "SELECT 1" } },
      { name: "sql", args: { query: "SELECT 2" } },
      { name: "sql", args: { query: "SELECT 2" }, mode: "exact" },
      { name: "sql*", arguments: {} },
      { name: "sql", args: { deep: { a: [1, { b: 2 }] } } },
      { name: "sql", args: { deep: { a: [1] } } },
      { pattern: "*search", args: { q: "rome" }, mode: "exact", ignore: ["t*", "at"] },
      { pattern: "*search", args: { q: "rome", top: 3 }, mode: "exact", ignore: "at" },
      { pattern: "*search", args: { q: "rome", at: "now" }, mode: "exact", defaults: { top: 3 } },
      { name: "web_search", args: "plain text" },
      { name: "kb.find", args: {} },
      { name: "kb.find", args: null },
      { args: {} },
      { name: "sql" },
      { name: "sql", args: {}, mode: "x" },
      { name: "sql", args: {}, ignore: "" },
      "sql",
    ],
  ],
  [
    "step-count",
    [
      { type: "tool", min: 1 },
      { type: "tool", max: 0 },
      { type: "tool", min: 1, max: 2 },
      { type: ["tool"], pattern: "sql*", min: 2 },
      { type: "tool", name: "web_search", max: 0 },
      { type: "tool" },
    ],
  ],
];

/** Every case, in an order that never changes: the recorded verdicts are in the same order. */
export function createMatrix(): MatrixCase[] {
  const cases: MatrixCase[] = [];
  const both = (type: string): string[] => [type, `not-${type}`];
  for (const [base, values] of Object.entries(valuesOf)) {
    for (const type of both(base)) {
      for (const value of values) {
        const assertion = value === undefined ? { type } : { type, value };
        for (const output of outputs) cases.push({ assert: [assertion], output });
      }
    }
  }
  for (const type of both("levenshtein")) {
    for (const value of ["Rome", "", "12", "{{question}}!", 12, null]) {
      for (const threshold of [undefined, 0, 3, 100]) {
        const assertion = { type, value, ...(threshold === undefined ? {} : { threshold }) };
        for (const output of outputs) cases.push({ assert: [assertion], output });
      }
    }
  }
  for (const type of both("contains-json")) {
    for (const output of jsonTexts) cases.push({ assert: [{ type }], output });
  }
  for (const type of both("latency")) {
    for (const threshold of [undefined, -1, 0, 4.9, 5, 1000]) {
      const assertion = { type, ...(threshold === undefined ? {} : { threshold }) };
      cases.push({ assert: [assertion], output: "x" });
    }
  }
  for (const [name, values] of trajectories) {
    for (const type of both(`trajectory:${name}`)) {
      for (const value of values) {
        for (const calls of callLists) {
          cases.push({ assert: [{ type, value }], output: "x", calls });
        }
      }
    }
  }
  return [
    ...cases,
    ...createSets(),
    ...createRankings(),
    ...createSchemas(),
    ...createToolStepCases(),
    ...createTextArgumentCases(),
  ];
}

function createSchemas(): MatrixCase[] {
  const cases: MatrixCase[] = [];
  const add = (types: string[], value: unknown, output: string): void => {
    for (const type of types) cases.push({ assert: [{ type, value }], output });
  };
  for (const [index, value] of schemas.entries()) {
    const types = index % 8 === 0 ? ["not-is-json", "not-contains-json"] : [];
    for (const output of schemaOutputs) add(["is-json", "contains-json", ...types], value, output);
  }
  // promptfoo looks at a schema only if there is something to judge by it.
  for (const value of refusedByBoth) {
    for (const output of ["{}", '{"ab":[1]}']) add(["is-json", "not-contains-json"], value, output);
  }
  for (const format of formats) {
    for (const text of formatTexts) add(["is-json"], { format }, JSON.stringify(text));
  }
  return cases;
}

/** Searches, judged by the functions of the provider file. */
function createRankings(): MatrixCase[] {
  const rankings = [[], ["a"], ["a", "b", "c", "d"], ["d", "c", "b", "a"], ["12", "x"]];
  const expectations = [["a"], ["c", "b"], ["nothing"], [12], ["a", "nothing"]];
  const limits = [undefined, 0, 0.25, 0.5, 1];
  return rankings.flatMap((ids) =>
    expectations.flatMap((expected) =>
      limits.flatMap((threshold) =>
        [
          ...[undefined, 1, 3].map((k) => ({ name: "hitAtK", config: { expected, k } })),
          { name: "reciprocalRank", config: { expected } },
        ].flatMap(({ name, config }) =>
          [undefined, 0, 2].map((weight): MatrixCase => {
            const value = `file://mindsdb-provider.mjs:${name}`;
            const ranked = { type: "javascript", value, config, threshold, weight };
            // JSON leaves out what is undefined, also for promptfoo.
            const assertion = JSON.parse(JSON.stringify(ranked)) as Record<string, unknown>;
            const other = { type: "contains", value: "d" };
            return { assert: [assertion, other], output: JSON.stringify(ids) };
          }),
        ),
      ),
    ),
  );
}

/** Tests with several assertions, weights, thresholds and sets, by a generator of its own with a fixed seed. */
function createSets(): MatrixCase[] {
  let state = 42;
  const next = (max: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % max;
  };
  const pick = <T>(items: readonly T[]): T => items[next(items.length)]!;
  const single = (): Record<string, unknown> => {
    const weight = pick([undefined, undefined, 0, 0.5, 2]);
    const type = pick(["contains", "not-contains", "regex", "not-regex", "is-json", "starts-with"]);
    const value = type === "is-json" ? undefined : pick(["Rome", "is", "{{question}}", "(", "x"]);
    return {
      type,
      ...(value === undefined ? {} : { value }),
      ...(weight === undefined ? {} : { weight }),
    };
  };
  const some = (max: number): Record<string, unknown>[] =>
    Array.from({ length: 1 + next(max) }, single);
  const limited = (): { threshold?: number } => {
    const threshold = pick([undefined, undefined, 0, 0.3, 0.5, 0.75, 1]);
    return threshold === undefined ? {} : { threshold };
  };
  return Array.from({ length: 1_500 }, (): MatrixCase => {
    const assert = some(3);
    if (next(3) === 0) {
      const weight = pick([undefined, 0, 2]);
      assert.push({
        type: "assert-set",
        assert: some(3),
        ...limited(),
        ...(weight === undefined ? {} : { weight }),
      });
    }
    const output = pick(["Rome", "Rome is the capital of Italy.", '{"a":1}', "Oslo"]);
    return { assert, output, ...limited() };
  });
}
