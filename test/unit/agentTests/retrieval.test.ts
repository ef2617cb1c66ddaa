// Tests of searches: what is computed of a ranking, and what a failed one says.
import assert from "node:assert/strict";
import type { AskAgent } from "../../../src/agentTests/checks/agentOutcome.ts";
import { readTestFile } from "../../../src/agentTests/files/readTestFile.ts";
import {
  hitAtK,
  meanReciprocalRank,
  rankDocuments,
  reciprocalRank,
} from "../../../src/agentTests/checks/searchMetrics.ts";
import { Secrets } from "../../../src/mindsdb/redact/redact.ts";
import { runTest, type TestResult } from "../../../src/agentTests/runs/runTests.ts";

const canary = "sk-canary-4711-0815";
const secrets = new Secrets();
secrets.add(canary);
const redact = (text: string): string => secrets.redact(text);
const hit = "file://mindsdb-provider.mjs:hitAtK";
const rank = "file://mindsdb-provider.mjs:reciprocalRank";

function readTests(assertions: string) {
  return readTestFile(
    `providers: ['mindsdb-search:docs/guide']\nprompts: '{{question}}'\ntests:\n- vars: {question: pets}\n  assert:\n${assertions}`,
  );
}

async function judge(
  ids: string[],
  assertions: string,
): Promise<TestResult & { asked: unknown[] }> {
  const { tests, problems } = readTests(assertions);
  assert.deepEqual(problems, []);
  const asked: unknown[] = [];
  const ask: AskAgent = ({ kind, project, name, limit }, question) => {
    asked.push({ kind, project, name, limit, question });
    const documents = ids.map((id) => ({ id, relevance: 0.5, content: `About ${id}` }));
    return Promise.resolve({ documents, tookMs: 12, redact });
  };
  return { ...(await runTest(tests[0]!, ask, new AbortController().signal)), asked };
}

describe("a test of a search", () => {
  it("counts each document once, at its most relevant chunk", () => {
    const chunk = (id: unknown, relevance: number, content: string) => ({ id, relevance, content });
    assert.deepEqual(
      rankDocuments([chunk("a", 0.4, "1"), chunk(7, 0.9, "2"), chunk("a", 0.6, "3")]),
      [chunk("7", 0.9, "2"), chunk("a", 0.6, "3")],
    );
    assert.deepEqual(rankDocuments([]), []);
  });

  it("shows the beginning of a long chunk", async () => {
    const assertions = "  - {type: contains, value: 'the end'}";
    const { state, attempts } = await judge([`${"token ".repeat(30_000)}the end`], assertions);
    const [document] = attempts[0]?.ranking?.documents ?? [];
    assert.equal(state, "passed");
    assert.ok((document?.id.length ?? 0) <= 100_000 && (document?.content.length ?? 0) <= 100_000);
  });

  it("computes hit@k and the reciprocal rank", () => {
    const ids = ["a", "b", "c"];
    assert.deepEqual(
      [1, 2, 3].map((k) => hitAtK(ids, ["b", "x"], k)),
      [0, 1, 1],
    );
    assert.equal(reciprocalRank(ids, ["x", "c", "b"]), 1 / 2);
    assert.equal(reciprocalRank(ids, ["x"]), 0);
  });

  it("passes and fails by its thresholds, and shows the ranking", async () => {
    const assertions = [
      `  - {type: javascript, value: '${hit}', config: {expected: [pets, 7], k: 1}}`,
      `  - {type: javascript, value: '${rank}', config: {expected: [pets]}, threshold: 0.5}`,
      "  - {type: contains, value: pets}",
    ].join("\n");
    const { state, attempts, asked } = await judge(["hills", "pets", "7"], assertions);
    assert.deepEqual(asked, [
      { kind: "knowledgeBase", project: "docs", name: "guide", limit: undefined, question: "pets" },
    ]);
    assert.equal(state, "failed");
    const [attempt] = attempts;
    const [first, second, third] = attempt!.results;
    assert.deepEqual([first?.isPassed, first?.score], [false, 0]);
    assert.match(first?.reason ?? "", /hit@1 pets, 7[\s\S]*pets has rank 2/);
    assert.equal(first?.actual, "1. hills\n2. pets\n3. 7");
    assert.deepEqual([second?.isPassed, second?.score], [true, 0.5]);
    assert.equal(third?.isPassed, true);
    assert.deepEqual(attempt?.ranking?.expected, ["pets", "7"]);
    assert.equal(attempt?.ranking?.documents[0]?.content, "About hills");
    assert.equal((await judge(["pets"], assertions)).state, "passed");
    assert.equal((await judge([], assertions)).state, "failed");
  });

  it("computes the MRR of searches, of whatever is expected", async () => {
    assert.deepEqual(meanReciprocalRank([1, undefined, 0.5, 0]), { mean: 0.5, searches: 3 });
    assert.equal(meanReciprocalRank([undefined]), undefined);
    const hitOnly = `  - {type: javascript, value: '${hit}', config: {expected: [pets], k: 9}}`;
    assert.equal((await judge(["hills", "pets"], hitOnly)).reciprocalRank, 1 / 2);
    assert.equal((await judge([], hitOnly)).reciprocalRank, 0);
    assert.ok(!("reciprocalRank" in (await judge(["pets"], "  - {type: is-json}"))));
    // Masked documents have their true rank.
    const secret = `  - {type: javascript, value: '${hit}', config: {expected: ['${canary}']}}`;
    assert.equal((await judge(["b", canary], secret)).reciprocalRank, 1 / 2);
  });

  it("is an error for an agent, whose answer is no ranking", async () => {
    const { tests } = readTestFile(
      `providers: ['mindsdb:a/b']\nprompts: '{{question}}'\ntests:\n- vars: {question: q}\n  assert: [{type: javascript, value: '${rank}', config: {expected: [a]}}]`,
    );
    const ask: AskAgent = () =>
      Promise.resolve({
        transcript: { chatId: "", agent: {} as never, runs: [], waiting: [] },
        original: {
          id: 1,
          question: "q",
          startedAt: 0,
          state: "answered",
          steps: [],
          answer: { format: "markdown", text: "Rome" },
        },
        redact,
      });
    const { state } = await runTest(tests[0]!, ask, new AbortController().signal);
    assert.equal(state, "error");
  });

  it("refuses what is not computed here", () => {
    for (const assertion of [
      "{type: javascript, value: 'file://other.mjs:hitAtK', config: {expected: [a]}}",
      "{type: javascript, value: 'file://mindsdb-provider.mjs:other', config: {expected: [a]}}",
      `{type: not-javascript, value: '${hit}', config: {expected: [a]}}`,
      `{type: javascript, value: '${hit}'}`,
      `{type: javascript, value: '${hit}', config: {expected: []}}`,
      `{type: javascript, value: '${hit}', config: {expected: [a], k: 0}}`,
      `{type: javascript, value: '${rank}', config: {expected: [a], k: 3}}`,
      `{type: javascript, value: '${hit}', config: {expected: [{a: 1}]}}`,
      `{type: contains, value: '${hit}'}`,
    ]) {
      const { tests, problems } = readTests(`  - ${assertion}`);
      assert.equal(problems.length, 1, assertion);
      assert.equal(tests[0]?.problems.length, 1, assertion);
    }
  });
});
