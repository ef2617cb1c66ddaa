// Short test files that ask for gigabytes or hours: a process with little memory reads them in seconds.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import path from "node:path";

const head = "providers: ['mindsdb:shop/helper']\nprompts: ['{{question}}']\n";
const child = path.join(import.meta.dirname, "readInChild.ts");
const tooLarge = "The tests are too large, including repeated values.";
const tooManyValues = "The file has too many values, including aliases.";

const list = (count: number, item: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => item(n)).join(", ");
const numbers = (count: number): string => `[${list(count, (n) => `"${String(n)}"`)}]`;
/** 990 variables, each of which becomes five times a long text. */
const many = `${list(990, (n) => `v${String(n)}: "${"{{t}}".repeat(5)}"`)}, t: "${"x".repeat(600_000)}"`;
const manyNames = list(990, (n) => `{{v${String(n)}}}`);
const bomb = `a: &a [${list(10, () => "1")}], b: &b [${list(10, () => "*a")}], c: &c [${list(10, () => "*b")}], d: &d [${list(10, () => "*c")}], e: [${list(10, () => "*d")}]`;

interface Result {
  tests: number;
  messages: string[];
  readMs: number;
  state?: string;
}

function read(yaml: string): Result {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ["--max-old-space-size=300", child],
    { input: head + yaml, encoding: "utf8", timeout: 60_000 },
  );
  assert.equal(status, 0, `the process died: ${stderr.slice(-2_000)}`);
  return JSON.parse(stdout) as Result;
}

/** What is said of the file, and how an answer to its first test is judged. */
const cases: [name: string, yaml: string, messages: string[], state?: string][] = [
  ["variables that nothing names", `tests:\n- vars: {question: q, ${many}}`, [], "passed"],
  ["variables in the question", `tests:\n- vars: {question: "${manyNames}", ${many}}`, [tooLarge]],
  [
    "variables in an assertion",
    `tests:\n- vars: {question: q, ${many}}\n  assert: [{type: contains, value: "${manyNames}"}]`,
    [tooLarge],
  ],
  [
    "one variable in many texts of an assertion",
    `tests:\n- vars: {question: q, t: "${"x".repeat(500_000)}"}\n  assert: [{type: contains-all, value: [${list(30_000, () => '"{{t}}"')}]}]`,
    [],
    "error",
  ],
  [
    "a long variable of many tests that nothing names",
    `tests:\n- vars: {question: ${numbers(4_900)}, t: "${"x".repeat(900_000)}"}`,
    [],
    "passed",
  ],
  [
    "a long variable of many tests",
    `tests:\n- vars: {question: "{{t}} {{n}}", n: ${numbers(4_900)}, t: "${"x".repeat(900_000)}"}`,
    [tooLarge],
  ],
  [
    "a long default assertion of many tests",
    `defaultTest: {assert: [{type: contains, value: "${"{{n}} ".repeat(100_000)}"}]}\ntests:\n- vars: {question: q, n: ${numbers(4_900)}}`,
    [],
    "failed",
  ],
  [
    "aliases of a long text",
    `x: &x "${"x ".repeat(250_000)}"\ntests:\n${"- vars: {question: *x}\n".repeat(4_900)}`,
    [tooManyValues],
  ],
  [
    "aliases of a long pattern",
    `x: &x "${"(a|b)".repeat(4_000)}"\ntests:\n- assert: [${list(15_000, () => "{type: regex, value: *x}")}]`,
    [tooManyValues],
  ],
  [
    "maps merged into each other",
    `x: &x {${list(1_000, (n) => `k${String(n)}: 1`)}}\ntests:\n- vars: {<<: [${list(3_000, () => "*x")}]}`,
    [tooManyValues, "Only a map can be merged with <<."],
  ],
  [
    "schemas that are long with their aliases",
    `tests:\n- assert: [${list(1_500, () => `{type: is-json, value: '{${bomb}}'}`)}]`,
    [tooLarge],
  ],
];

describe("A short test file that becomes long by", () => {
  for (const [name, yaml, messages, state] of cases) {
    it(name, () => {
      const result = read(yaml);
      assert.deepEqual([...new Set(result.messages)].slice(0, 3), messages);
      assert.equal(result.state, state);
      assert.ok(result.readMs < 8_000, `it takes ${String(result.readMs)} ms`);
    });
  }
});
