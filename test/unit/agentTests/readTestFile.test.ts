// Test files: what is read of them, and what is refused on its line.
import assert from "node:assert/strict";
import { readTestFile } from "../../../src/agentTests/files/readTestFile.ts";
import type { TestFile } from "../../../src/agentTests/files/testFile.ts";

const head = "providers: ['mindsdb:shop/helper']\nprompts: ['{{question}}']\n";

function read(tests: string): TestFile {
  return readTestFile(`${head}${tests}`);
}

/** The problems with the text that they are marked on. */
function problemsOf(text: string): [marked: string, message: string][] {
  return readTestFile(text).problems.map(({ message, range }) => [
    text.slice(range.start, range.end).trim(),
    message,
  ]);
}

describe("a test file", () => {
  it("has tests with an agent, variables and assertions at their places", () => {
    const text = `${head}tests:\n- vars: {question: Why?}\n  assert:\n  - {type: contains, value: so}\n`;
    const { isOurs, tests, problems } = readTestFile(text);
    assert.deepEqual(problems, []);
    assert.equal(isOurs, true);
    const [test] = tests;
    assert.ok(test);
    assert.equal(test.name, "Why?");
    assert.deepEqual(
      { ...test.agent, range: undefined },
      { kind: "agent", project: "shop", name: "helper", range: undefined },
    );
    assert.deepEqual(test.vars, { question: "Why?" });
    const [assertion] = test.assertions;
    assert.ok(assertion);
    assert.equal(
      text.slice(assertion.range.start, assertion.range.end),
      "{type: contains, value: so}",
    );
  });

  it("has its tests in itself", () => {
    for (const place of ["file://cases.jsonl", "cases.csv", "https://example.com/cases"]) {
      assert.deepEqual(problemsOf(`${head}tests: ${place}\n`), [
        [place, "Not supported here: tests in another file."],
      ]);
    }
    assert.deepEqual(
      problemsOf(`${head}tests:\n`).map(([, message]) => message),
      ["The file has no list of tests."],
    );
  });

  it("multiplies a test by lists of texts", () => {
    const { tests } = read(
      "tests:\n- description: Capital\n  vars: {question: 'Of {{land}} in {{year}}?', land: [Italy, Spain], year: ['1', '2']}\n",
    );
    assert.deepEqual(
      tests.map(({ name, vars }) => [name, vars["question"]]),
      [
        ["Capital: Italy, 1", "Of Italy in 1?"],
        ["Capital: Italy, 2", "Of Italy in 2?"],
        ["Capital: Spain, 1", "Of Spain in 1?"],
        ["Capital: Spain, 2", "Of Spain in 2?"],
      ],
    );
  });

  it("puts the assertions of defaultTest first and merges the rest", () => {
    const { tests, problems } = read(
      [
        "defaultTest:",
        "  vars: {place: Rome, question: 'What of {{place}}?'}",
        "  threshold: 0.5",
        "  options: {repeat: 2}",
        "  assert: [{type: contains, value: '{{place}}'}]",
        "tests:",
        "- assert: [{type: regex, value: x}]",
        "- {vars: {place: Oslo}, threshold: 1, options: {repeat: 3, disableDefaultAsserts: true}}",
      ].join("\n"),
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(
      tests.map(({ vars, threshold, repeat, assertions }) => [
        vars["question"],
        threshold,
        repeat,
        assertions.map(({ type }) => type),
      ]),
      [
        ["What of Rome?", 0.5, 2, ["contains", "regex"]],
        ["What of Oslo?", 1, 3, []],
      ],
    );
  });

  it("asks each agent, on the connection that it names", () => {
    const { tests } = readTestFile(
      "providers:\n- mindsdb:a/x\n- {id: 'mindsdb:b/y', config: {connection: Test}}\nprompts: '{{question}}'\ntests: [{vars: {question: q}}]",
    );
    assert.deepEqual(
      tests.map(({ name, agent }) => [name, agent.connection]),
      [
        ["q (a/x)", undefined],
        ["q (b/y)", "Test"],
      ],
    );
  });

  it("resolves anchors and merged maps", () => {
    const { tests, problems } = read(
      "defaultTest: {assert: [{type: contains, value: '{{b}}'}]}\ntests:\n- vars: &v {question: a, b: c}\n- vars: {<<: *v, question: d}\n",
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(
      tests.map(({ vars }) => ({ ...vars })),
      [
        { question: "a", b: "c" },
        { question: "d", b: "c" },
      ],
    );
  });

  const manyVars = `{${Array.from({ length: 1_001 }, (_, at) => `v${String(at)}: 1`).join(", ")}}`;
  const unsupported: [name: string, yaml: string, marked: string, inWholeFile?: true][] = [
    ["javascript", "tests:\n- assert: [{type: javascript, value: 'process.exit()'}]", "javascript"],
    ["python", "tests:\n- assert: [{type: python, value: x}]", "python"],
    ["a judge", "tests:\n- assert: [{type: llm-rubric, value: x}]", "llm-rubric"],
    ["an unknown type", "tests:\n- assert: [{type: constructor, value: x}]", "constructor"],
    [
      "a keyword of a schema",
      "tests:\n- assert: [{type: is-json, value: {minContains: 1}}]",
      "{minContains: 1}",
    ],
    [
      "a transform",
      "tests:\n- assert: [{type: contains, value: x, transform: output}]",
      "transform",
    ],
    ["a file", "tests:\n- assert: [{type: contains, value: 'file://x.js'}]", "'file://x.js'"],
    ["a variable file", "tests:\n- vars: {question: 'file://q.txt'}", "'file://q.txt'"],
    ["a filter", "tests:\n- vars: {question: '{{ x | upper }}'}", "'{{ x | upper }}'"],
    ["the environment", "tests:\n- vars: {question: '{{env}}'}", "'{{env}}'"],
    ["a tag", "tests:\n- vars: {question: '{% if x %}'}", "'{% if x %}'"],
    ["a list of numbers", "tests:\n- vars: {question: [1]}", "1"],
    ["a map as a variable", "tests:\n- vars: {question: {a: b}}", "{a: b}"],
    ["an unknown key", "tests:\n- provider: echo", "provider"],
    [
      "an untyped step count",
      "tests:\n- assert: [{type: 'trajectory:step-count', value: {max: 3}}]",
      "{max: 3}",
    ],
    [
      "a step count of spans",
      "tests:\n- assert: [{type: 'trajectory:step-count', value: {type: span, max: 3}}]",
      "{type: span, max: 3}",
    ],
    ...["name: ''", "pattern: ''", "name:", "pattern: 5, name: sql", "name: sql, pattern: ''"].map(
      (tool): [string, string, string] => {
        const value = `{type: tool, ${tool}, min: 1}`;
        const yaml = `tests:\n- assert: [{type: 'trajectory:step-count', value: ${value}}]`;
        return [`a step count of a tool without a name (${tool})`, yaml, value];
      },
    ),
    ["a test that is no map", "tests:\n- x", "x"],
    ["variables that are no map", "tests:\n- vars: [a]", "[a]"],
    ["too many variables", `tests:\n- vars: ${manyVars}`, manyVars],
    [
      "assertions that are no list",
      "tests:\n- assert: {type: regex, value: x}",
      "{type: regex, value: x}",
    ],
    ["options that are no map", "tests:\n- options: [x]", "[x]"],
    ["a switch that is no boolean", "tests:\n- options: {disableDefaultAsserts: 1}", "1"],
    ["a threshold that is no number", "tests:\n- threshold: high", "high"],
    ["a description that is no text", "tests:\n- description: [a]", "[a]"],
    ["too many repetitions", "tests:\n- options: {repeat: 101}", "101"],
    ["too many repetitions of all", "evaluateOptions: {repeat: 101}\ntests: [{}]", "101", true],
    ["options of all that are no map", "evaluateOptions: [x]\ntests: [{}]", "[x]", true],
    ["a default test in a file", "defaultTest: file://x.yaml\ntests: [{}]", "defaultTest", true],
    ["extensions", "extensions: ['file://x.js']\ntests: [{}]", "extensions", true],
    ["scenarios", "scenarios: []\ntests: [{}]", "scenarios", true],
    ["a date", "tests:\n- vars: {question: 2024-01-01}", "2024-01-01", true],
    ["a number with an underscore", "tests:\n- vars: {question: 1_000}", "1_000", true],
    ["a YAML tag", "tests:\n- vars: {question: !!js/function x}", "x", true],
    ["a YAML tag of a key", "tests:\n- vars: {!!str question: x}", "question", true],
    ["an unknown YAML tag of a key", "tests:\n- vars:\n    !!st question: x", "question", true],
    ["a YAML tag that says nothing", "tests:\n- vars: !!map {question: x}", "{question: x}", true],
    ["a number that is too large", "tests:\n- vars: {question: 1e400}", "1e400", true],
    [
      "an escaped quotation mark as the last one",
      'tests:\n- vars: {question: a}\n  description: "\\"',
      '"\\"',
      true,
    ],
    ["two documents", "tests: [{}]\n---\na: b", "---\na: b", true],
    ["a repeated key", "tests: [{}]\ntests: []", "tests", true],
  ];
  for (const [name, yaml, marked, inWholeFile] of unsupported) {
    it(`refuses ${name} on its line, and runs no test that it could change`, () => {
      const text = `${head}${yaml}`;
      assert.deepEqual(
        problemsOf(text).map(([where]) => where),
        [marked],
      );
      const { tests } = readTestFile(`${text}`);
      assert.equal(tests.length, 1);
      assert.equal(tests[0]?.problems.length, 1);
      if (inWholeFile) return;
      const both = readTestFile(`${text}\n- vars: {question: fine}`);
      assert.deepEqual(both.tests.at(-1)?.problems, []);
    });
  }

  it("repeats all tests as often as it says, and others as often as they say", () => {
    const { tests, problems } = read(
      "evaluateOptions: {repeat: 3}\ntests: [{}, {options: {repeat: 100}}]",
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(
      tests.map(({ repeat }) => repeat),
      [3, 100],
    );
  });

  it("without tests, without an agent, or with an empty list as a variable says so", () => {
    const messages = (text: string) => problemsOf(text).map(([, message]) => message);
    assert.deepEqual(messages("- a\n"), ["The file has no tests."]);
    assert.match(
      messages("prompts: ['{{question}}']\ntests: []").join(),
      /^The file needs an agent/,
    );
    assert.deepEqual(messages(`${head}tests:\n- vars: {question: []}`), [
      "Not supported here: an empty list.",
    ]);
  });

  it("is not ours without one of our providers", () => {
    assert.equal(readTestFile("providers: [openai:gpt-4]\nprompts: [a]\ntests: []").isOurs, false);
    assert.equal(readTestFile("providers: ['mindsdb:']\ntests: []").isOurs, true);
  });

  it("with a foreign provider beside ours runs nothing", () => {
    const { tests } = readTestFile(
      "providers: ['mindsdb:a/b', echo]\nprompts: '{{question}}'\ntests: [{vars: {question: x}}]",
    );
    assert.equal(tests.length, 1);
    assert.equal(tests[0]?.problems.length, 1);
  });

  it("needs its one prompt", () => {
    for (const prompts of ["", "prompts: ['Say {{question}}']", "prompts: ['{{question}}', x]"]) {
      const { tests } = readTestFile(
        `providers: ['mindsdb:a/b']\n${prompts}\ntests: [{vars: {question: x}}]`,
      );
      assert.equal(tests[0]?.problems.length, 1, prompts);
    }
  });

  it("has no more tests than are read, and runs none of too many", () => {
    const list = JSON.stringify(Array.from({ length: 80 }, (_, at) => `v${String(at)}`));
    const { tests, problems } = read(
      `tests:\n- vars: {question: q}\n- vars: {question: q, a: ${list}, b: ${list}}`,
    );
    assert.equal(tests.length, 1);
    assert.equal(problems.length, 1);
    assert.equal(tests[0]?.problems.length, 1);
  });

  it("shows control characters and marks of direction in names, and obeys none", () => {
    const { tests, problems } = read(
      'tests:\n- {description: "a\\e[2J\\u202Eb\\x9B\\Lc"}\n- vars: {question: "\\a?"}\n- {"\\e]8;;x": 1}',
    );
    assert.deepEqual(
      tests.map(({ name }) => name),
      [String.raw`a\u{1B}[2J\u{202E}b\u{9B} c`, String.raw`\u{7}?`, "Test 3"],
    );
    assert.deepEqual(
      problems.map(({ message }) => message),
      [String.raw`Not supported here: \u{1B}]8;;x.`],
    );
  });

  it("refuses variables that templates find in every object", () => {
    for (const name of ["constructor", "__proto__", "toString"]) {
      const defined = read(`tests:\n- vars: {question: q, ${name}: x}`);
      assert.equal(defined.tests[0]?.problems.length, 1, name);
      const used = read(
        `tests:\n- {vars: {question: q}, assert: [{type: contains, value: '{{${name}}}'}]}`,
      );
      assert.equal(used.tests[0]?.problems.length, 1, name);
    }
  });
});
