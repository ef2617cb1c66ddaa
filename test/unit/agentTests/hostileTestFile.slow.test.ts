// Hostile test files: each has problems that are shown, and reading it takes bounded time and memory.
import assert from "node:assert/strict";
import { readTestFile } from "../../../src/agentTests/files/readTestFile.ts";

const head = "providers: ['mindsdb:shop/helper']\nprompts: ['{{question}}']\n";

describe("a hostile test file", () => {
  const hostile: [name: string, text: string][] = [
    ["nothing", ""],
    ["only a text", "hello"],
    ["a list", "- a\n- b"],
    ["an unclosed text", 'tests: "a'],
    ["deep brackets", `tests: ${"[".repeat(100_000)}`],
    ["deep lists", "- ".repeat(50_000)],
    ["deep maps", Array.from({ length: 900 }, (_, at) => `${" ".repeat(at)}a:`).join("\n")],
    ["stray maps", "{a: 1}".repeat(50_000)],
    ["many documents", "---\n".repeat(50_000)],
    ["many keys", Array.from({ length: 40_000 }, (_, at) => `k${String(at)}: 1`).join("\n")],
    ["an alias of itself", "tests: &a [*a]"],
    ["an unknown alias", "tests: *a"],
    [
      "an anchor bomb",
      `a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n${Array.from(
        { length: 12 },
        (_, at) => `a${String(at + 1)}: &a${String(at + 1)} [${`*a${String(at)}, `.repeat(10)}]`,
      ).join("\n")}`,
    ],
    ["too much text", `# ${"x".repeat(1_000_001)}`],
    ["carriage returns alone", `${head}tests:\n- vars: {question: a\rb}`],
    ["control characters", "\0\u0001\uFEFF\uD800: \uDFFF"],
    ["prototypes", "__proto__: {isOurs: true}\nconstructor: 1\ntests: [{vars: {__proto__: x}}]"],
  ];
  const list = (count: number, item: (n: number) => string): string =>
    Array.from({ length: count }, (_, n) => item(n)).join(", ");
  const matrix = `[${list(4_000, (n) => `q${String(n)}`)}]`;
  const expanding: [name: string, yaml: string][] = [
    [
      "many assertions for many tests",
      `defaultTest: {assert: [${list(15_000, () => "{type: is-json}")}]}\ntests:\n- vars: {question: ${matrix}}`,
    ],
    ["many variables", `tests:\n- vars: {question: q, ${list(60_000, (n) => `v${String(n)}: 1`)}}`],
    [
      "many variables for many tests",
      `tests:\n- vars: {question: ${matrix}, ${list(900, (n) => `v${String(n)}: 1`)}}`,
    ],
    [
      "many default variables",
      `defaultTest: {vars: {${list(40_000, (n) => `v${String(n)}: 1`)}}}\ntests:\n${"- {}\n".repeat(4_000)}`,
    ],
    [
      "many problems for many tests",
      `${list(40_000, (n) => `k${String(n)}: 1`).replaceAll(", ", "\n")}\ntests:\n- vars: {question: ${matrix}}`,
    ],
    ["many errors of YAML", `tests:\n${'- "a" "b"\n'.repeat(50_000)}`],
    [
      "long questions for many tests",
      `tests:\n- vars: {question: "{{big}} {{n}}", big: "${"x ".repeat(400_000)}", n: ${matrix}}`,
    ],
    [
      "a template that repeats a text",
      `tests:\n- vars: {question: "${"x".repeat(300_000)}{{a}}", a: "${"$`".repeat(150_000)}"}`,
    ],
    [
      "variables in variables",
      `tests:\n- vars: {v0: "${"x".repeat(10_000)}", ${list(900, (n) => `v${String(n + 1)}: "{{v${String(n)}}}{{v${String(n)}}}"`)}, question: "{{v900}}"}`,
    ],
    [
      "a schema with a long list",
      `tests:\n- assert: [{type: is-json, value: {enum: [${list(50_000, String)}]}}]`,
    ],
    [
      "a schema with a long list of maps",
      `tests:\n- assert: [{type: is-json, value: '{"enum": [${list(20_000, (n) => `{"a": ${String(n)}}`)}]}'}]`,
    ],
    // V8 ends the process where its compiler's stack overflows.
    [
      "a nested pattern",
      `tests:\n- assert: [{type: regex, value: '${"(?:".repeat(20_000)}a${"|b)".repeat(20_000)}'}]`,
    ],
    [
      "a nested pattern of a schema",
      `tests:\n- assert: [{type: is-json, value: {pattern: '${"(?=".repeat(100_000)}a${")".repeat(100_000)}'}}]`,
    ],
    ["deep lists in a list", `tests:\n- ${"- ".repeat(10_000)}a`],
    ["deep keys", `tests:\n- ${"? ".repeat(10_000)}a`],
    [
      "a map of keys without values that is repeated",
      `x: &a {${list(5_000, (n) => `k${String(n)}`)}}\ntests: [${list(8_000, () => "*a")}]`,
    ],
    [
      "a map of keys that are no texts that is repeated",
      `x: &a {${list(5_000, () => "[]:")}}\ntests: [${list(8_000, () => "*a")}]`,
    ],
    [
      "a map with a long key that is repeated",
      `x: &a {${"k".repeat(500_000)}: 1}\ntests: [${list(60_000, () => "*a")}]`,
    ],
    [
      "a test with many problems that is repeated",
      `x: &a {${list(150, (n) => `asser${String(n)}: 1`)}}\ntests: [${list(1_000, () => "*a")}]`,
    ],
  ];
  for (const [name, yaml] of expanding) hostile.push([name, `${head}${yaml}`]);
  for (const [name, text] of hostile) {
    it(`can be ${name}`, () => {
      const { problems, tests } = readTestFile(text);
      assert.ok(problems.length > 0);
      assert.ok(tests.every((test) => test.problems.length > 0));
      const held = tests.reduce(
        (sum, test) => sum + test.problems.length + test.assertions.length,
        problems.length,
      );
      assert.ok(held < 300_000, "it holds too much");
      assert.ok(problems.every(({ message }) => message.length <= 500));
    });
  }
});
