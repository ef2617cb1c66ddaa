// Comparing agents: the order of the questions, what stands in the grid, and running again what failed.
import assert from "node:assert/strict";
import type { AskedRun } from "../../../src/agentTests/checks/agentOutcome.ts";
import {
  Comparison,
  listTestsOfOneAgent,
  redactTypedQuestions,
  type ComparedAgent,
  type KeptAnswer,
} from "../../../src/agentTests/runs/comparison.ts";
import { readTestFile } from "../../../src/agentTests/files/readTestFile.ts";
import { createTypedTest } from "../../../src/agentTests/runs/createTypedTest.ts";
import type { AgentTest } from "../../../src/agentTests/files/testFile.ts";
import { formatTableFile } from "../../../src/chat/tables/tableFile.ts";
import type { AgentRun } from "../../../src/chat/transcript.ts";

const canary = "sk-canary-4711-0815";
const redact = (text: string): string => text.replaceAll(canary, "***");

const agent = (connectionId: string, name: string): ComparedAgent => {
  return { connectionId, project: "p", name, label: name };
};

function answered(text: string): AskedRun {
  const run = (answer: string, sql: string): AgentRun => ({
    id: 1,
    question: "q",
    startedAt: 0,
    state: "answered",
    steps: [{ n: 1, kind: "sql", state: "done", parts: [{ kind: "sql", text: sql }], at: 0 }],
    answer: { format: "markdown", text: answer },
    took: 12.3,
  });
  const sql = `SELECT '${text}'`;
  const head = { chatId: "", agent: { connectionId: "", connection: "", project: "", name: "" } };
  return {
    transcript: { ...head, runs: [run(redact(text), redact(sql))], waiting: [] },
    original: run(text, sql),
    redact,
  };
}

function failed(): AskedRun {
  const asked = answered("");
  for (const run of [asked.original, ...asked.transcript.runs]) {
    run.state = "failed";
    run.reason = "no key";
    delete run.answer;
  }
  return asked;
}

const typed = (...questions: string[]): AgentTest[] => questions.map(createTypedTest);

describe("comparing agents", () => {
  it("asks each server one question after the other, and several servers at once", async () => {
    const open = new Map<string, number>();
    let most = 0;
    const order: string[] = [];
    const comparison = new Comparison({
      agents: [agent("one", "a"), agent("one", "b"), agent("two", "c")],
      tests: typed("q1", "q2"),
      ask: async ({ connectionId, name }, question) => {
        order.push(`${name} ${question}`);
        const now = (open.get(connectionId) ?? 0) + 1;
        assert.equal(now, 1);
        open.set(connectionId, now);
        most = Math.max(most, [...open.values()].filter((count) => count > 0).length);
        await new Promise((resolve) => setTimeout(resolve, 5));
        open.set(connectionId, 0);
        return answered("x");
      },
      onChanged: () => undefined,
    });
    await comparison.run();
    assert.equal(most, 2);
    assert.deepEqual(
      order.filter((one) => !one.startsWith("c")),
      ["a q1", "b q1", "a q2", "b q2"],
    );
    assert.deepEqual(comparison.progress, { done: 6, of: 6, open: 0 });
  });

  it("shows verdict, answer, time, steps and SQL of each agent, without secrets", async () => {
    const { tests } = readTestFile(
      "providers: ['mindsdb:a/b']\nprompts: '{{question}}'\ntests:\n- {vars: {question: q1}, assert: [{type: contains, value: Rome}]}\n- {vars: {question: q2}}",
    );
    const comparison = new Comparison({
      agents: [agent("one", "a"), agent("two", "b")],
      tests,
      ask: ({ name }, question) =>
        Promise.resolve(
          name === "b" && question === "q2"
            ? failed()
            : answered(name === "a" ? `Rome ${canary}` : "=Oslo"),
        ),
      onChanged: () => undefined,
    });
    await comparison.run();
    const table = comparison.toTable();
    assert.deepEqual(table.columns.slice(0, 6), [
      "Question",
      "a: Verdict",
      "a: Answer",
      "b: Verdict",
      "b: Answer",
      "a: Time (ms)",
    ]);
    const sql = "SELECT 'Rome ***'";
    const failure = table.rows[0]![3]!;
    assert.match(failure, /^Failed\n.*Rome/);
    assert.deepEqual(comparison.verdicts, [
      ["passed", "failed"],
      ["passed", "error"],
    ]);
    assert.deepEqual(comparison.summarize(), [
      { label: "a", passed: 2, of: 2, meanMs: 12.3, meanSteps: 1 },
      { label: "b", passed: 0, of: 2, meanMs: 12.3, meanSteps: 1 },
    ]);
    assert.equal(comparison.isJudged, true);
    assert.equal(comparison.findRun(1, 3)?.runs[0]?.reason, "no key");
    assert.equal(comparison.findRun(0, 6)?.runs[0]?.answer?.text, "=Oslo");
    assert.deepEqual(table.rows, [
      ["q1", "Passed", "Rome ***", failure, "=Oslo", "12", "12", "1", "1", sql, "SELECT '=Oslo'"],
      ["q2", "Answered", "Rome ***", "Error", "no key", "12", "12", "1", "1", sql, "SELECT ''"],
    ]);
    for (const format of ["csv", "json"] as const) {
      const text = formatTableFile(table, format);
      assert.ok(text.includes("Rome ***") && !text.includes(canary));
    }
    assert.ok(formatTableFile(table, "csv").includes("'=Oslo"));
  });

  it("cuts long texts for the page, the more the more answers there are, but not for the file", async () => {
    const text = "1".repeat(1_000_000);
    for (const [questions, most] of [
      [2, 10_000],
      [1_000, 1_400],
    ] as const) {
      const comparison = new Comparison({
        agents: [agent("one", "a"), agent("two", "b"), agent("three", "c")],
        tests: typed(
          ...Array.from({ length: questions }, (_, at) => `${at}${text.slice(0, 20_000)}`),
        ),
        ask: () => Promise.resolve(answered(text)),
        onChanged: () => undefined,
      });
      await comparison.runCell(0, 0);
      const [shown] = comparison.toShownTable().rows;
      const [whole] = comparison.toTable().rows;
      assert.equal(shown?.length, whole?.length);
      for (const cell of shown ?? []) assert.ok(cell.length <= most, String(cell.length));
      assert.equal(shown?.[2]?.endsWith("1…"), true);
      assert.equal(whole?.[2], text);
      assert.equal(whole?.at(-1), `SELECT '${text}'`);
    }
  });

  it("judges nothing if nothing is expected of the answers", () => {
    const tests = [createTypedTest("q1", 0)];
    const ask = () => Promise.resolve(answered("x"));
    const comparison = new Comparison({ agents: [], tests, ask, onChanged: () => undefined });
    assert.equal(comparison.isJudged, false);
  });

  it("runs only what failed again, and keeps the rest after Cancel", async () => {
    let fails = true;
    const order: string[] = [];
    const stopped = new Set<string>();
    const comparison: Comparison = new Comparison({
      agents: [agent("one", "a"), agent("one", "b")],
      tests: typed("q1", "q2"),
      ask: ({ name }, question, signal) => {
        order.push(`${name} ${question}`);
        if (stopped.has(question)) {
          comparison.cancel();
          return Promise.reject(signal.reason as Error);
        }
        return Promise.resolve(fails && name === "b" ? failed() : answered("x"));
      },
      onChanged: () => undefined,
    });
    await comparison.run();
    assert.deepEqual(comparison.progress, { done: 4, of: 4, open: 2 });
    fails = false;
    order.length = 0;
    stopped.add("q2");
    await comparison.run();
    assert.deepEqual(order, ["b q1", "b q2"]);
    assert.equal(comparison.isRunning, false);
    assert.deepEqual(comparison.progress, { done: 3, of: 4, open: 1 });
    stopped.clear();
    order.length = 0;
    await comparison.run();
    assert.deepEqual(order, ["b q2"]);
    assert.deepEqual(comparison.progress, { done: 4, of: 4, open: 0 });
  });

  it("runs one cell again, or a question's cells, also if they have passed", async () => {
    const order: string[] = [];
    const comparison = new Comparison({
      agents: [agent("one", "a"), agent("one", "b")],
      tests: typed("q1", "q2"),
      ask: ({ name }, question) => {
        order.push(`${name} ${question}`);
        return Promise.resolve(answered("x"));
      },
      onChanged: () => undefined,
    });
    const { columns } = comparison.toTable();
    await comparison.runCell(1, columns.indexOf("b: Answer"));
    assert.deepEqual(comparison.progress, { done: 1, of: 4, open: 3 });
    await comparison.runCell(1, columns.indexOf("b: SQL"));
    await comparison.runCell(0, 0);
    await comparison.runCell(7, 1);
    assert.deepEqual(order, ["b q2", "b q2", "a q1", "b q1"]);
    assert.equal(comparison.isRunning, false);
  });

  it("takes each question of a file once, whatever is first in it", () => {
    const { tests } = readTestFile(
      "providers: ['mindsdb-search:a/notes', 'mindsdb:a/b', 'mindsdb:a/c']\nprompts: '{{question}}'\ntests:\n- vars: {question: [x, y]}\n- vars: {question: z}",
    );
    assert.deepEqual(
      listTestsOfOneAgent(tests).map(({ question, agent: { name } }) => [question, name]),
      [
        ["x", "b"],
        ["y", "b"],
        ["z", "b"],
      ],
    );
  });

  it("asks a typed question as it is", async () => {
    const asked: string[] = [];
    const question = "What is {{x}}?";
    const comparison = new Comparison({
      agents: [agent("one", "a"), agent("one", "b")],
      tests: typed(question),
      ask: (_, text) => {
        asked.push(text);
        return Promise.resolve(answered("x"));
      },
      onChanged: () => undefined,
    });
    await comparison.run();
    assert.deepEqual(asked, [question, question]);
  });

  it("has the answers of an earlier window, but those of questions that were changed", async () => {
    const kept: KeptAnswer[] = [];
    const order: string[] = [];
    const open = (...questions: string[]) =>
      new Comparison({
        agents: [agent("one", "a"), agent("one", "b")],
        tests: typed(...questions),
        ask: ({ name }, question) => {
          order.push(`${name} ${question}`);
          return Promise.resolve(answered(`${name} of ${question} ${canary}`));
        },
        onChanged: () => undefined,
        kept: JSON.parse(JSON.stringify(kept)) as KeptAnswer[],
        onAnswer: (answer) => kept.push(answer),
      });
    const before = open("q1", "q2");
    await before.run();
    assert.doesNotMatch(JSON.stringify(kept), new RegExp(canary));
    assert.deepEqual(open("q1", "q2").toTable(), before.toTable());
    assert.ok(open("q1", "q2").findRun(0, 1));
    order.length = 0;
    const changed = open("q1", "q3");
    assert.deepEqual(changed.progress, { done: 2, of: 4, open: 2 });
    await changed.run();
    assert.deepEqual(order, ["a q3", "b q3"]);
  });

  it("is saved without secrets in typed questions, and still has their answers", async () => {
    const questions = [
      "Why does api_key=canary-4711-Qz fail?",
      "Read postgres://ada:canary-4711@host.example/shop",
      "Is Bearer canary4711canary4711canary a token?",
      "What is sold most?",
    ];
    const agents = [agent("one", "a"), agent("one", "b")];
    const saved = redactTypedQuestions({ id: "1", agents, questions });
    assert.doesNotMatch(JSON.stringify(saved), /canary/);
    assert.equal(saved.questions?.at(-1), questions.at(-1));
    const file = { id: "1", agents, file: "file:///a.yaml" };
    assert.deepEqual(redactTypedQuestions(file), file);
    const kept: KeptAnswer[] = [];
    const open = (asked: readonly string[]) =>
      new Comparison({
        agents,
        tests: typed(...asked),
        ask: () => Promise.resolve(answered("x")),
        onChanged: () => undefined,
        kept: [...kept],
        onAnswer: (answer) => kept.push(answer),
      });
    await open(questions).run();
    assert.deepEqual(open(saved.questions ?? []).progress, { done: 8, of: 8, open: 0 });
  });
});
