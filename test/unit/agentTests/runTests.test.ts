// Running tests: what is asked, how often, what is never asked, and that no secret gets into a result.
import assert from "node:assert/strict";
import type { AskAgent } from "../../../src/agentTests/checks/agentOutcome.ts";
import { readTestFile } from "../../../src/agentTests/files/readTestFile.ts";
import { runTest } from "../../../src/agentTests/runs/runTests.ts";
import type { AgentTest } from "../../../src/agentTests/files/testFile.ts";
import type { AgentAccess } from "../../../src/chat/agentAccess.ts";
import { askOnce } from "../../../src/chat/askOnce.ts";
import { Secrets } from "../../../src/mindsdb/redact/redact.ts";
import type { StepEvent } from "../../../src/mindsdb/stream/stepEvents.ts";

const canary = "sk-canary-4711-0815-abcdefghijklmnop";
const never = new AbortController().signal;

const texts = {
  connectionRemoved: "connection removed",
  agentGone: () => "gone",
  timeLimit: () => "too late",
  agentFailed: (serverSays: string) => `failed: ${serverSays}`,
  modelFailed: () => "model failed",
  stepLimit: "too many steps",
  failedWithoutCause: "failed",
  failedEarly: "failed early",
};

function testOf(yaml: string): AgentTest {
  const [test] = readTestFile(
    `providers: ['mindsdb:a/b']\nprompts: '{{question}}'\ntests:\n- ${yaml}`,
  ).tests;
  assert.ok(test);
  return test;
}

/** Asks an agent that sends these events, each time the next ones. */
function agentThat(...runs: StepEvent[][]): { ask: AskAgent; questions: string[] } {
  const questions: string[] = [];
  const secrets = new Secrets();
  secrets.add(canary);
  const access: AgentAccess = {
    // eslint-disable-next-line @typescript-eslint/require-await
    async *ask(_agent, messages) {
      yield* runs[questions.push(messages.at(-1)?.question ?? "") - 1] ?? runs.at(-1) ?? [];
    },
    connectedData: () => Promise.resolve({ tables: [], knowledgeBases: [] }),
    connectionName: () => "Local",
    acceptsChanges: () => true,
    redact: (text) => secrets.redact(text),
    explain: (error) => ({ message: String(error) }),
  };
  const ask: AskAgent = async ({ project, name }, question, signal) => {
    const agent = { connectionId: "x", connection: "Local", project, name };
    const onError = (): void => undefined;
    const options = { chatId: "1", agent, question, access, texts, signal, onError };
    const run = await askOnce({ ...options, timeLimit: () => 0 });
    return { ...run, redact: (text) => secrets.redact(text) };
  };
  return { ask, questions };
}

const says = (text: string): StepEvent[] => [
  { type: "answer", format: "markdown", text },
  { type: "end" },
];

const toolStep = (n: number, tool: string, text: string): StepEvent => {
  const parts = [{ kind: "input" as const, text }];
  return { type: "step", step: { n, kind: "tool", tool, state: "done", parts } };
};

describe("running a test", () => {
  it("asks the rendered question and judges the answer", async () => {
    const { ask, questions } = agentThat(says("So what?"));
    const test = testOf(
      "{vars: {question: 'Why {{x}}?', x: so}, assert: [{type: contains, value: So}]}",
    );
    const { state, attempts } = await runTest(test, ask, never);
    assert.equal(state, "passed");
    assert.deepEqual(questions, ["Why so?"]);
    assert.equal(attempts[0]?.run?.runs[0]?.answer?.text, "So what?");
  });

  // What promptfoo 0.123.1 asks.
  const askedQuestions: [vars: string, question: string][] = [
    ["{question: '{{a}}{{b}}{{a}}{{b}}{{a}}{{b}}{{n}}', a: x, b: '{{a}}y', n: null}", "xxyxxyxxy"],
    ["{question: '{{a}}{{a}}{{a}}{{a}}{{a}}{{a}}{{b}}', a: x}", "xxxxx{{a}}{{b}}"],
    ["{question: '{{question}}?'}", `{{question}}${"?".repeat(64)}`],
    ['{question: "{{a}}!", a: "b\\n"}', "b!"],
    ["{question: 12}", "12"],
  ];
  for (const [vars, question] of askedQuestions) {
    it(`asks as promptfoo does for ${vars}`, async () => {
      const { ask, questions } = agentThat(says("x"));
      await runTest(testOf(`{vars: ${vars}}`), ask, never);
      assert.deepEqual(questions, [question]);
    });
  }

  it("judges with variables that have no line break at their end", async () => {
    const { ask } = agentThat(says("So it is."));
    const test = testOf(
      "{vars: {question: q, x: \"it\\n\"}, assert: [{type: contains, value: '{{x}} is'}]}",
    );
    assert.equal((await runTest(test, ask, never)).state, "passed");
  });

  it("refuses a template that variables make together", async () => {
    const { ask, questions } = agentThat(says("x"));
    const test = testOf("{vars: {question: '{{a}}% if x %}', a: '{'}}");
    assert.equal((await runTest(test, ask, never)).state, "error");
    assert.deepEqual(questions, []);
  });

  it("compares numbers and booleans as they are written", async () => {
    for (const [value, answer, state] of [
      ["1.5", "1.5", "passed"],
      ["1.5", "1.50", "failed"],
      ["false", "false", "passed"],
      ["false", "False", "failed"],
    ] as const) {
      const test = testOf(`{vars: {question: q}, assert: [{type: equals, value: ${value}}]}`);
      const result = await runTest(test, agentThat(says(answer)).ask, never);
      assert.equal(result.state, state, `${value} and ${answer}`);
    }
  });

  it("repeats, and passes only if every attempt does", async () => {
    const { ask, questions } = agentThat(says("yes"), says("no"), says("yes"));
    const test = testOf(
      "{vars: {question: q}, assert: [{type: equals, value: 'yes'}], options: {repeat: 3}}",
    );
    const { state, passed, attempts } = await runTest(test, ask, never);
    assert.deepEqual([state, passed, attempts.length, questions.length], ["failed", 2, 3, 3]);
  });

  it("asks nothing where the file has a problem, or there is no question", async () => {
    const { ask, questions } = agentThat(says("x"));
    for (const yaml of [
      "{vars: {question: q}, assert: [{type: javascript, value: 'true'}]}",
      "{vars: {question: ' '}}",
      "{vars: {other: q}}",
    ]) {
      const { state, attempts } = await runTest(testOf(yaml), ask, never);
      assert.equal(state, "error", yaml);
      assert.match(attempts[0]?.message ?? "", /^Not run: /);
    }
    assert.deepEqual(questions, []);
  });

  it("is an error where the agent fails or does not answer", async () => {
    for (const events of [
      [{ type: "failed", message: "no key", early: false }, { type: "end" }],
      [{ type: "end" }],
    ] as StepEvent[][]) {
      const { state, attempts } = await runTest(
        testOf("{vars: {question: q}}"),
        agentThat(events).ask,
        never,
      );
      assert.equal(state, "error");
      assert.notEqual(attempts[0]?.message, undefined);
    }
  });

  it("rejects when it is cancelled", async () => {
    const stop = new AbortController();
    const ask: AskAgent = (agent, question, signal) => {
      stop.abort();
      return agentThat(says("x")).ask(agent, question, signal);
    };
    await assert.rejects(runTest(testOf("{vars: {question: q}}"), ask, stop.signal), {
      name: "AbortError",
    });
  });

  it("judges the way to the answer", async () => {
    const { ask } = agentThat([
      {
        type: "step",
        step: { n: 1, kind: "sql", state: "done", parts: [{ kind: "sql", text: "SELECT 1" }] },
      },
      toolStep(2, "find", '{"q":1}'),
      ...says("x"),
    ]);
    const test = testOf(`{vars: {question: q}, assert: [
      {type: 'trajectory:tool-sequence', value: [sql, find]},
      {type: 'trajectory:tool-args-match', value: {name: find, args: {q: 1}}},
      {type: 'trajectory:tool-args-match', value: {name: sql, args: {query: SELECT 1}}},
      {type: 'trajectory:step-count', value: {type: tool, max: 2}},
      {type: 'not-trajectory:tool-used', value: web}]}`);
    assert.equal((await runTest(test, ask, never)).state, "passed");
  });

  it("judges the answer as it came, with what is secret in it", async () => {
    const { ask } = agentThat(says(`The key is ${canary}.`));
    const test = testOf("{vars: {question: q}, assert: [{type: contains, value: canary-4711}]}");
    assert.equal((await runTest(test, ask, never)).state, "passed");
  });

  it("ends a pattern that takes exponential time, as an error", async () => {
    const { ask } = agentThat(says(`${"a".repeat(40)}!`));
    const test = testOf("{vars: {question: q}, assert: [{type: regex, value: '^(a+)+$'}]}");
    assert.equal((await runTest(test, ask, never)).state, "error");
  });

  const hostileAnswers: [name: string, answer: string, assertion: string][] = [
    // Each of these ended the process, or took minutes.
    ["nested braces", "{ a ".repeat(25_000), "type: contains-json"],
    ["nested brackets in braces", "{[ ".repeat(33_000), "type: contains-json"],
    ["many braces", "{ 'a', ".repeat(150) + "b, ".repeat(30_000), "type: contains-json"],
    ["too long a text", "a ".repeat(2_000_000), "type: word-count, value: 3"],
    [
      "a text that nearly has each of many items",
      "a".repeat(900_000),
      `type: contains-any, value: [${`${"a".repeat(20)}z, `.repeat(20_000)}b]`,
    ],
    [
      "another text than one of gigabytes",
      "a",
      `type: contains, value: "${"{{v}}".repeat(60_000)}"`,
    ],
  ];
  for (const [name, answer, assertion] of hostileAnswers) {
    it(`is an error for ${name}`, async () => {
      const { ask } = agentThat(says(answer));
      const test = testOf(
        `{vars: {question: q, v: ${"v".repeat(1_000)}}, assert: [{${assertion}}]}`,
      );
      assert.deepEqual(test.problems, []);
      const { state, attempts } = await runTest(test, ask, never);
      assert.equal(state, "error", attempts[0]?.results[0]?.reason);
    });
  }

  it("is an error where a tool's arguments are nested too deeply", async () => {
    const input = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const { ask } = agentThat([toolStep(1, "search", input), ...says("done")]);
    const value = "{name: search, args: {a: 1}}";
    const test = testOf(
      `{vars: {question: q}, assert: [{type: 'trajectory:tool-args-match', value: ${value}}]}`,
    );
    const { state, attempts } = await runTest(test, ask, never);
    assert.equal(state, "error");
    assert.match(attempts[0]?.results[0]?.reason ?? "", /can't be judged/);
  });

  it("can be cancelled while an answer is judged, and lets others work meanwhile", async () => {
    const { ask } = agentThat(says(`${"a".repeat(40)}!`));
    const slow = "{type: regex, value: '^(a+)+$'}, ".repeat(40);
    const test = testOf(`{vars: {question: q}, assert: [${slow}]}`);
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("stopped")), 500);
    await assert.rejects(runTest(test, ask, stop.signal), { message: "stopped" });
  });
});
