// A key that an agent prints and a search finds is in nothing that is shown, kept or handed over.
import assert from "node:assert/strict";
import type { AskAgent } from "../../../src/agentTests/checks/agentOutcome.ts";
import { Comparison } from "../../../src/agentTests/runs/comparison.ts";
import { reportTest, toJUnitXml } from "../../../src/agentTests/runs/junitXml.ts";
import { createRankingTable } from "../../../src/agentTests/checks/rankingTable.ts";
import { readTestFile } from "../../../src/agentTests/files/readTestFile.ts";
import { RunHistory } from "../../../src/agentTests/runs/runHistory.ts";
import { runTest } from "../../../src/agentTests/runs/runTests.ts";
import { suggestAssertions } from "../../../src/agentTests/files/suggestAssertions.ts";
import { askOnce } from "../../../src/chat/askOnce.ts";
import { formatConversation, formatRun } from "../../../src/chat/conversationMarkdown.ts";
import { ChatTextFormatter } from "../../../src/chat/chatTextFormatter.ts";
import { formatSavedRun } from "../../../src/chat/savedRun.ts";
import { formatTableFile } from "../../../src/chat/tables/tableFile.ts";
import { encodeTraceJson, encodeTraceProtobuf } from "../../../src/chat/trace/otlp.ts";
import { buildSpans } from "../../../src/chat/trace/spans.ts";
import type { StepEvent } from "../../../src/mindsdb/stream/stepEvents.ts";
import { Secrets } from "../../../src/mindsdb/redact/redact.ts";

/** In no known form of a key: only who knows it can hide it. */
const canary = "open-canary-4711-0815";
const secrets = new Secrets();
secrets.add(canary);
const redact = (text: string): string => secrets.redact(text);

const events: StepEvent[] = [
  {
    type: "step",
    step: {
      n: 1,
      kind: "sql",
      state: "done",
      parts: [
        { kind: "sql", text: `SELECT '${canary}'` },
        { kind: "observation", text: `| key |\n| --- |\n| ${canary} |` },
      ],
    },
  },
  {
    type: "step",
    step: {
      n: 2,
      kind: "tool",
      tool: canary,
      state: "done",
      parts: [{ kind: "input", text: `"${canary}"` }],
    },
  },
  { type: "answer", format: "markdown", text: `My key is ${canary}.` },
  { type: "end" },
];

const ask: AskAgent = async ({ kind, project, name }, question, signal) => {
  if (kind === "knowledgeBase") {
    const documents = [{ id: canary, relevance: 1, content: `The key ${canary}` }];
    return { documents, tookMs: 1, redact };
  }
  const run = await askOnce({
    chatId: "chat",
    agent: { connectionId: "x", connection: "Local", project, name },
    question,
    access: {
      // eslint-disable-next-line @typescript-eslint/require-await
      async *ask() {
        yield* events;
      },
      connectedData: () => Promise.reject(new Error("unused")),
      connectionName: () => "Local",
      acceptsChanges: () => true,
      redact,
      explain: (error) => ({ message: String(error) }),
    },
    timeLimit: () => 0,
    signal,
    onError: () => undefined,
  });
  return { ...run, redact };
};

const assertions = `
    - { type: equals, value: x }
    - { type: contains, value: "not there ${canary}" }
    - { type: regex, value: "^${canary}" }
    - { type: is-json }
    - { type: contains-all, value: [x, "${canary}"] }
    - { type: levenshtein, value: x }
    - { type: "trajectory:tool-used", value: x }
    - { type: "trajectory:tool-args-match", value: { name: "*", args: x } }
    - { type: "trajectory:tool-args-match", value: { name: sql, args: { query: SELECT 1 } } }
    - { type: assert-set, assert: [{ type: equals, value: "${canary}!" }] }`;

function readOne(provider: string, assert_: string) {
  const { tests, problems } = readTestFile(
    `providers: ['${provider}']\nprompts: '{{question}}'\ntests:\n- vars: { question: "What is ${canary}?" }\n  description: canary\n  assert:${assert_}\n`,
  );
  assert.deepEqual(problems, []);
  return tests[0]!;
}

describe("A key that an agent prints", () => {
  const { signal } = new AbortController();
  const found: Record<string, string> = {};

  before("make everything of it that the product makes", async () => {
    const test = readOne("mindsdb:a/b", assertions);
    const result = await runTest(test, ask, signal);
    assert.equal(result.state, "failed");
    found["test result"] = JSON.stringify(
      result.attempts.map(({ results, ...attempt }) => ({
        ...attempt,
        // As in the Test Explorer: what was written in the file stays in the file.
        results: results.map(({ reason, expected, actual, members = [] }) => [
          reason,
          expected,
          actual,
          members.map((member) => [member.reason, member.expected, member.actual]),
        ]),
      })),
    );
    const reported = reportTest("a.yaml", redact(test.name), result);
    found["JUnit file"] = toJUnitXml([reported]);
    const history = new RunHistory();
    history.add("test", reported);
    found["hover"] = JSON.stringify(history.stored);

    const [transcript] = result.attempts.flatMap(({ run }) => (run ? [run] : []));
    const [run] = transcript?.runs ?? [];
    assert.ok(transcript && run?.answer);
    const { agent } = transcript;
    const formatter = new ChatTextFormatter("en");
    found["readable run"] = formatRun(run, formatter);
    found["conversation"] = formatConversation(transcript, formatter, String);
    found["saved run"] = formatSavedRun(
      { run, agent, serverVersion: undefined, frames: undefined },
      redact,
    );
    found["saved test"] = JSON.stringify(suggestAssertions(run));
    const spans = buildSpans(run, {
      chatId: "c",
      agent,
      address: undefined,
      hasContent: true,
      redact,
    });
    const trace = { spans, project: "p", version: "1" };
    found["trace file"] = encodeTraceJson(trace);
    found["sent trace"] = Buffer.from(encodeTraceProtobuf(trace)).toString("latin1");

    const comparison = new Comparison({
      agents: ["a", "b"].map((name) => ({ connectionId: name, project: "p", name, label: name })),
      tests: [{ ...test, question: "What is the key?" }],
      ask: async (_agent, question, stop) => {
        const asked = await ask(test.agent, question, stop);
        if ("documents" in asked) throw new Error("no agent");
        return asked;
      },
      onChanged: () => undefined,
    });
    await comparison.run();
    const search = await runTest(
      readOne("mindsdb-search:a/b", "\n    - { type: equals, value: x }"),
      ask,
      signal,
    );
    found["search result"] = JSON.stringify(search);
    const tables = {
      comparison: comparison.toTable(),
      ranking: createRankingTable(search.attempts[0]!.ranking!),
    };
    for (const [name, table] of Object.entries(tables)) {
      for (const format of ["csv", "json", "jsonLines"] as const) {
        found[`${name} as ${format}`] = formatTableFile(table, format);
      }
    }
  });

  it("is in no result, run, trace, export or hover", () => {
    for (const [name, text] of Object.entries(found)) {
      assert.ok(text.length > 20, name);
      assert.ok(!text.includes("canary-4711"), `${name}: ${text}`);
    }
    assert.equal(Object.keys(found).length, 16);
  });
});
