// A run that becomes a test: what is suggested, and what is written into the file.
import assert from "node:assert/strict";
import { addTest, type NewTest } from "../../../src/agentTests/files/addTest.ts";
import { readTestFile } from "../../../src/agentTests/files/readTestFile.ts";
import {
  describeSuggestion,
  suggestAssertions,
} from "../../../src/agentTests/files/suggestAssertions.ts";
import { mask } from "../../../src/mindsdb/redact/secretNames.ts";
import { runTest } from "../../../src/agentTests/runs/runTests.ts";
import type { AgentRun, Transcript } from "../../../src/chat/transcript.ts";
import { assertLinear } from "../../linearTime.ts";
import { hostileTexts } from "../../page/hostile.ts";

const agent = { project: "mindsdb", name: "rental_agent" };

const run = (text: string, more: Partial<AgentRun> = {}): AgentRun => ({
  id: 1,
  question: "What does a studio cost?",
  startedAt: 0,
  state: "answered",
  took: 2_400,
  answeredAt: 2_400,
  steps: [],
  answer: { format: "markdown", text },
  ...more,
});

const sqlStep: AgentRun["steps"][number] = {
  n: 1,
  kind: "sql",
  state: "done",
  at: 0,
  parts: [{ kind: "sql", text: "SELECT 1" }],
};

const values = (text: string): unknown[] =>
  suggestAssertions(run(text)).flatMap(({ type, value }) => (type === "icontains" ? value : []));

describe("a run that becomes a test", () => {
  it("suggests what is in bold, numbers, and a short answer", () => {
    assert.deepEqual(values("It costs **1,200**."), ["1,200", "It costs **1,200**."]);
    assert.deepEqual(values("| city | homes |\n| --- | --- |\n| **Ulm** | 34.5 |"), [
      "Ulm",
      "34.5",
    ]);
    assert.deepEqual(values("2024-01-05 and 2024-01-06"), ["2024-01-05 and 2024-01-06"]);
    assert.deepEqual(values("{{secret}}"), []);
    // Templates, and files that promptfoo would load.
    assert.deepEqual(values("**{% if x %}** or **package:x:y**"), []);
    assert.deepEqual(values(`{'api_key': '${mask}'}`), []);
  });

  it("suggests the tools, their number and the time", () => {
    const found = suggestAssertions(run("x", { steps: [sqlStep, { ...sqlStep, n: 2 }] }));
    assert.deepEqual(found.slice(1), [
      { type: "trajectory:tool-used", value: "sql", isLikely: true },
      { type: "trajectory:step-count", value: { type: "tool", max: 2 }, isLikely: false },
      { type: "latency", threshold: 5_000, isLikely: false },
    ]);
  });

  it("describes what it suggests in words", () => {
    const found = suggestAssertions(run("**1,200**", { steps: [sqlStep] })).map(describeSuggestion);
    assert.deepEqual(found, [
      "Contains “1,200”, ignoring case",
      "Contains “**1,200**”, ignoring case",
      "Uses the tool sql",
      "At most 1 tool call",
      "Answered within 5 s",
    ]);
  });

  it("suggests no heading, unless it is the whole answer", () => {
    const answer = "A **small fee** is due.\n\n**Sources**\n- pets\n\n**More:**\nx";
    assert.deepEqual(values(answer), ["small fee"]);
    assert.deepEqual(values("**Sources**"), ["Sources", "**Sources**"]);
  });

  it("suggests nothing for a run without an answer", () => {
    assert.deepEqual(suggestAssertions(run("x", { state: "failed" })), []);
  });

  it("becomes a file whose test passes for the same run, whatever the texts are", async () => {
    const texts = [
      "It costs **1,200**.",
      "yes",
      "2024-01-05",
      "0x1F",
      "1_000",
      "~",
      "# a\n- b",
      "It is \u007f**b\u0085\u0090\uFFFE**",
    ];
    for (const text of [...texts, ...hostileTexts.map((hostile) => hostile.slice(0, 200))]) {
      const original = run(text, { question: text, steps: [sqlStep] });
      const test: NewTest = { agent, question: text, assertions: suggestAssertions(original) };
      const written = addTest("", test);
      if (/\{\{|\{%/.test(text)) {
        assert.equal(written, undefined);
        continue;
      }
      const { tests, problems } = readTestFile(written ?? "");
      // What no YAML file may hold is reported, and not asked.
      if (/[^\t\n\r\x20-\uFFFF]/.test(text)) continue;
      assert.deepEqual(problems, [], JSON.stringify(text));
      const [read] = tests;
      assert.ok(read);
      const transcript = { chatId: "x", agent, runs: [original], waiting: [] };
      let asked = "";
      const result = await runTest(
        read,
        (_, question) => {
          asked = question;
          return Promise.resolve({
            transcript: transcript as unknown as Transcript,
            original,
            redact: (said: string) => said,
          });
        },
        new AbortController().signal,
      );
      assert.equal(asked, text);
      assert.equal(result.state, "passed", JSON.stringify([text, result]));
    }
  });

  it("becomes the last test of a file, whose comments stay", () => {
    const before = `# Rentals
providers: ['mindsdb:mindsdb/rental_agent']
prompts: ['{{question}}'] # as it is
tests:
  # the first
  - vars: { question: Why? }
    assert:
      - type: contains
        value: because
`;
    const test: NewTest = { agent, question: "How?", assertions: suggestAssertions(run("So.")) };
    const after = addTest(before, test) ?? "";
    assert.equal(
      after,
      `${before.trimEnd()}
  - vars:
      question: "How?"
    assert:
      - type: "icontains"
        value: "So."
      - type: "latency"
        threshold: 5000
`,
    );
    const { tests, problems } = readTestFile(after);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      tests.map(({ vars }) => vars["question"]),
      ["Why?", "How?"],
    );
  });

  it("is not added if the question would not be asked as it is", () => {
    for (const question of ["{{x}}", "{% x %}", "Which {# one?", "file://a.txt", "package:a:b"]) {
      assert.equal(addTest("", { agent, question, assertions: [] }), undefined, question);
    }
  });

  it("suggests no tool whose name a test file cannot have", () => {
    const tool = (name: string) => ({ ...sqlStep, kind: "tool" as const, tool: name });
    const steps = ["{{x}}", "file://a.js", "search"].map(tool);
    const found = suggestAssertions(run("x", { steps })).filter(({ type }) =>
      type.endsWith("used"),
    );
    assert.deepEqual(
      found.map(({ value }) => value),
      ["search"],
    );
  });

  it("is not added to a file that asks in other words, or is broken", () => {
    const test: NewTest = { agent, question: "How?", assertions: [] };
    for (const text of ["prompts: ['Be brief: {{question}}']", "- 1", "prompts: [", "tests: 1"]) {
      assert.equal(addTest(text, test), undefined, text);
    }
  });

  it("keeps the tests of a file in another form", () => {
    const test: NewTest = { agent, question: "How?", assertions: [] };
    const head = "providers: ['mindsdb:mindsdb/rental_agent']\nprompts: '{{question}}'\n";
    const questions = (text: string) =>
      readTestFile(addTest(head + text, test) ?? "").tests.map(({ vars }) => vars["question"]);
    assert.deepEqual(questions("tests: [{vars: {question: Why?}}] # one\n"), ["Why?", "How?"]);
    for (const text of ["tests:\n", "tests: []\n", ""]) assert.deepEqual(questions(text), ["How?"]);
    for (const text of ["tests: file://tests.csv\n", "tests: {vars: {question: Why?}}\n"]) {
      assert.equal(addTest(head + text, test), undefined, text);
    }
  });

  const head = "prompts: ['{{question}}']\n";
  const tests = "tests:\n- vars: {question: Why?}\n";
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

  const large: [name: string, make: (size: number) => string][] = [
    [
      "keys",
      (size) =>
        `x:\n${numbers(size)
          .map((n) => ` k${String(n)}: 1\n`)
          .join("")}`,
    ],
    [
      "keys in braces",
      (size) =>
        `x: {${numbers(size)
          .map((n) => `k${String(n)}: 1`)
          .join(", ")}}\n`,
    ],
    [
      "keys of the file",
      (size) =>
        numbers(size)
          .map((n) => `k${String(n)}: 1\n`)
          .join(""),
    ],
    ["aliases", (size) => `a: &a 1\nx:\n${" - *a\n".repeat(size)}`],
  ];
  for (const [name, make] of large) {
    it(`takes linear time for a file with many ${name}`, () => {
      const test: NewTest = { agent, question: "How?", assertions: [] };
      for (const end of [tests, "", tests.replace("- vars: {question: Why?}", " [{}]")]) {
        assertLinear({
          name,
          make: (size) => head + make(size) + end,
          run: (text) => assert.ok(addTest(text, test)),
          size: 2_000,
          floorMs: 200,
        });
      }
    });
  }

  it("is not added to a file that is too large, nested too deeply, or has a key twice", () => {
    const test: NewTest = { agent, question: "How?", assertions: [] };
    for (const more of [
      `x: ${"[".repeat(5_000)}${"]".repeat(5_000)}\n`,
      `x: ${"- ".repeat(5_000)}a\n`,
      `# ${"x".repeat(1_000_000)}\n`,
      "x: a\u0007\n",
      "x: 1\nx: 2\n",
      head,
      tests,
      `${tests}---\n`,
      "{a: 1}".repeat(1_000),
    ]) {
      assert.ok(addTest(head + more + tests, test) === undefined, more.slice(0, 20));
    }
  });
});
