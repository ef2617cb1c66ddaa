// Spans of all recorded streams, and of runs as no server sends them.
import assert from "node:assert/strict";
import { Ajv } from "ajv";
import { toOutcome } from "../../../../src/agentTests/checks/agentOutcome.ts";
import { buildSpans, type Span } from "../../../../src/chat/trace/spans.ts";
import type { AgentRun, TimedStep } from "../../../../src/chat/transcript.ts";
import { Secrets } from "../../../../src/mindsdb/redact/redact.ts";
import { findRun, recordedRuns, traceOptions } from "./recordedRuns.ts";

/** What the conventions' schemas require of the contents (gen-ai-output-messages.json and its neighbors). */
const message = {
  type: "object",
  required: ["role", "parts"],
  properties: {
    role: { type: "string" },
    parts: {
      type: "array",
      items: {
        type: "object",
        required: ["type", "content"],
        properties: { type: { const: "text" }, content: { type: "string" } },
      },
    },
  },
};
const object = { type: "object" };
const schemas: Record<string, object> = {
  "gen_ai.input.messages": { type: "array", items: message },
  "gen_ai.output.messages": {
    type: "array",
    items: {
      allOf: [
        message,
        { required: ["finish_reason"], properties: { finish_reason: { type: "string" } } },
      ],
    },
  },
  "gen_ai.tool.call.arguments": object,
  "gen_ai.tool.call.result": object,
  "gen_ai.retrieval.documents": {
    type: "array",
    items: {
      type: "object",
      properties: { id: { type: "string" }, score: { type: ["number", "null"] } },
    },
  },
};
const ajv = new Ajv({ strict: false });

const withContent = { ...traceOptions, hasContent: true };

/** All keys of a trace without content. */
const plainKeys = [
  "error.type",
  "gen_ai.agent.name",
  "gen_ai.conversation.id",
  "gen_ai.operation.name",
  "gen_ai.provider.name",
  "gen_ai.tool.name",
  "gen_ai.tool.type",
  "mindsdb.clock",
  "mindsdb.project",
  "mindsdb.run.state",
  "openinference.span.kind",
  "server.address",
  "server.port",
];

function textsOf({ question, answer, reason, steps }: AgentRun): string[] {
  const parts = steps.flatMap((step) => step.parts.map(({ text }) => text));
  const labels = steps.map(({ label }) => label);
  return [question, answer?.text, reason, ...parts, ...labels].filter((text) => text !== undefined);
}

function rename(spans: Span[]): string[] {
  return spans.map(({ name, kind, error }) => [name, kind, error].filter(Boolean).join(" | "));
}

describe("The spans of a run", () => {
  for (const { name, run } of recordedRuns) {
    it(`are well formed for ${name}`, () => {
      const spans = buildSpans(run, withContent);
      const [root, ...steps] = spans;
      assert.equal(steps.length, run.steps.length);
      assert.equal(new Set(spans.map(({ spanId }) => spanId)).size, spans.length);
      assert.equal(root.parentSpanId, undefined);
      assert.deepEqual([root.start, root.end - root.start], [run.startedAt, run.took]);
      let last = root.start;
      for (const span of spans) assert.equal(span.traceId, root.traceId);
      for (const { spanId, parentSpanId, start, end } of steps) {
        assert.match(spanId, /^[0-9a-f]{16}$/);
        assert.equal(parentSpanId, root.spanId);
        assert.ok(last <= start && start <= end && end <= root.end);
        last = end;
      }
      assert.match(root.traceId, /^[0-9a-f]{32}$/);
      // The same again, and another in another conversation.
      assert.deepEqual(buildSpans(run, withContent), spans);
      assert.notEqual(buildSpans(run, { ...withContent, chatId: "b" })[0].traceId, root.traceId);
      assert.notEqual(buildSpans(run, traceOptions)[0].traceId, root.traceId);
    });

    it(`name the agent, its tools and what failed for ${name}`, () => {
      const [root, ...steps] = buildSpans(run, withContent);
      assert.deepEqual([root.name, root.kind], ["invoke_agent rental_agent", "client"]);
      assert.equal(root.attributes["mindsdb.run.state"], run.state);
      const hasFailed = run.state === "failed" || run.state === "cutOff";
      assert.equal(root.attributes["error.type"], hasFailed ? run.state : undefined);
      assert.equal(root.error !== undefined, hasFailed);
      assert.deepEqual(
        steps.map(({ attributes, error }) => [attributes["error.type"], error]),
        run.steps.map(({ state }) => {
          const error = state === "failed" ? "step_failed" : undefined;
          return [error, error];
        }),
      );
      // Assertions about a trajectory count the same tools and thoughts.
      const outcome = toOutcome(run);
      if (!outcome) return;
      const tools = steps.filter(({ name: span }) => span.startsWith("execute_tool "));
      assert.deepEqual(
        tools.map(({ attributes }) => ({
          name: attributes["gen_ai.tool.name"],
          args: JSON.parse(String(attributes["gen_ai.tool.call.arguments"] ?? "{}")) as unknown,
        })),
        outcome.toolCalls.map(({ name: tool, args = {} }) => ({
          name: tool,
          args: typeof args === "string" ? { input: args } : args,
        })),
      );
      const thoughts = steps.filter(({ name: span }) => span === "reasoning");
      assert.equal(thoughts.length, outcome.reasoningSteps);
    });

    it(`have no content for ${name}, unless it is asked for`, () => {
      const plain = buildSpans(run, traceOptions);
      const keys = new Set(plain.flatMap(({ attributes }) => Object.keys(attributes)));
      for (const key of keys) assert.ok(plainKeys.includes(key), key);
      const json = JSON.stringify(plain);
      for (const text of textsOf(run).filter(({ length }) => length > 12)) {
        assert.ok(!json.includes(JSON.stringify(text).slice(1, -1)), text);
      }
      const values = buildSpans(run, withContent).flatMap(({ attributes }) =>
        Object.values(attributes).map(String),
      );
      const parts = run.steps.flatMap((step) => step.parts);
      const shown = [run.question, run.answer?.text ?? "", ...parts.map(({ text }) => text)];
      const isTool = ({ kind }: TimedStep): boolean => kind === "tool" || kind === "sql";
      const thoughts = run.steps
        .filter(isTool)
        .flatMap((step) => step.parts.filter(({ kind }) => kind === "thought"))
        .map(({ text }) => text);
      for (const text of shown.filter((one) => !thoughts.includes(one))) {
        assert.ok(
          values.some((value) => value.includes(text)),
          text,
        );
      }
    });

    it(`have no key in ${name}, in whatever text it stands`, () => {
      const key = 'sk-canary-"1234567890\\abcdef';
      const secrets = new Secrets();
      secrets.add(key);
      const stained = (text: string): string => `${text} ${key}`;
      const run2: AgentRun = {
        ...run,
        question: stained(run.question),
        reason: stained(run.reason ?? ""),
        answer: { format: "markdown", text: stained(run.answer?.text ?? "") },
        steps: run.steps.map((step) => ({
          ...step,
          ...(step.tool !== undefined && { tool: stained(step.tool) }),
          label: stained(step.label ?? ""),
          parts: step.parts.map((part) => ({ ...part, text: stained(part.text) })),
        })),
      };
      for (const hasContent of [true, false]) {
        const redact = (text: string): string => secrets.redact(text);
        const agent = { ...traceOptions.agent, name: stained("agent"), project: stained("p") };
        const spans = buildSpans(run2, { ...traceOptions, agent, hasContent, redact });
        assert.ok(!/canary|1234567890/.test(JSON.stringify(spans)), JSON.stringify(spans));
        for (const { attributes } of spans) {
          for (const name of Object.keys(attributes).filter((one) =>
            /messages|arguments|result|documents/.test(one),
          )) {
            JSON.parse(String(attributes[name]));
          }
        }
      }
    });
  }

  it("are named by the conventions", () => {
    assert.deepEqual(rename(buildSpans(findRun("26.1.0/sql_error_then_recovery"), traceOptions)), [
      "invoke_agent rental_agent | client",
      "status | internal",
      "plan rental_agent | internal",
      "reasoning | internal",
      "execute_tool sql | internal | step_failed",
      "reasoning | internal",
      "execute_tool sql | internal",
    ]);
    assert.deepEqual(rename(buildSpans(findRun("25.14.1/01_kb"), traceOptions)), [
      "invoke_agent rental_agent | client",
      "reasoning | internal",
      "execute_tool kb_list_tool | internal",
      "execute_tool kb_query_tool | internal",
    ]);
  });

  it("have the attributes of the conventions", () => {
    const run = findRun("26.1.0/text_kb_query");
    const [root, , plan, thought, sql] = buildSpans(run, withContent);
    assert.deepEqual(root.attributes, {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.provider.name": "mindsdb",
      "gen_ai.agent.name": "rental_agent",
      "gen_ai.conversation.id": traceOptions.chatId,
      "server.address": "127.0.0.1",
      "server.port": 47334,
      "mindsdb.project": "mindsdb",
      "mindsdb.run.state": "answered",
      "mindsdb.clock": "client: when events arrived",
      "openinference.span.kind": "AGENT",
      "gen_ai.input.messages": JSON.stringify([
        { role: "user", parts: [{ type: "text", content: run.question }] },
      ]),
      "input.value": run.question,
      "gen_ai.output.messages": JSON.stringify([
        {
          role: "assistant",
          parts: [{ type: "text", content: run.answer?.text }],
          finish_reason: "stop",
        },
      ]),
      "output.value": run.answer?.text,
      "output.mime_type": "text/plain",
    });
    assert.deepEqual(Object.entries(plan?.attributes ?? {}).slice(0, 3), [
      ["gen_ai.operation.name", "plan"],
      ["gen_ai.agent.name", "rental_agent"],
      ["openinference.span.kind", "CHAIN"],
    ]);
    assert.equal(thought?.attributes["gen_ai.operation.name"], undefined);
    const [query, result] = run.steps[3]?.parts.map(({ text }) => text) ?? [];
    assert.deepEqual(sql?.attributes, {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "sql",
      "gen_ai.tool.type": "datastore",
      "openinference.span.kind": "TOOL",
      "input.value": query,
      "output.value": result,
      "output.mime_type": "text/plain",
      "gen_ai.tool.call.arguments": JSON.stringify({ query }),
      "gen_ai.tool.call.result": JSON.stringify({ output: result }),
    });
  });

  for (const { name, run } of recordedRuns) {
    it(`have contents as the conventions' schemas want them for ${name}`, () => {
      for (const { attributes } of buildSpans(run, withContent)) {
        for (const [key, schema] of Object.entries(schemas)) {
          if (!(key in attributes)) continue;
          const value = JSON.parse(String(attributes[key])) as unknown;
          assert.ok(ajv.validate(schema, value), `${key}: ${ajv.errorsText()}`);
        }
      }
    });
  }

  it("have tool calls and results that are objects, whatever was given and returned", () => {
    const callOf = (kind: "sql" | "tool", given: string, result: string): unknown[] => {
      const parts = [
        { kind: kind === "sql" ? "sql" : "input", text: given },
        { kind: "observation", text: result },
      ] as TimedStep["parts"];
      const step: TimedStep = { n: 1, kind, state: "done", at: 1, until: 2, parts };
      const run: AgentRun = { ...findRun("26.1.0/text_direct"), steps: [step] };
      const { attributes = {} } = buildSpans(run, withContent)[1] ?? {};
      return ["arguments", "result"].map((what) => attributes[`gen_ai.tool.call.${what}`]);
    };
    assert.deepEqual(callOf("sql", "SELECT 1", "1"), ['{"query":"SELECT 1"}', '{"output":"1"}']);
    assert.deepEqual(callOf("tool", '{"a": 1}', '{"b": 9007199254740993}'), [
      '{"a": 1}',
      '{"b": 9007199254740993}',
    ]);
    assert.deepEqual(callOf("tool", "plain", '["x", 9007199254740993]'), [
      '{"input":"plain"}',
      '{"output":["x", 9007199254740993]}',
    ]);
    assert.deepEqual(callOf("tool", "null", "12"), ['{"input":"null"}', '{"output":"12"}']);
  });

  it("say why an answer ended", () => {
    const reasonOf = (state: AgentRun["state"]): unknown => {
      const run = { ...findRun("26.1.0/text_direct"), state };
      const { attributes } = buildSpans(run, withContent)[0];
      const [message] = JSON.parse(String(attributes["gen_ai.output.messages"])) as unknown[];
      return (message as Record<string, unknown>)["finish_reason"];
    };
    assert.deepEqual(
      ["answered", "failed", "cutOff"].map((s) => reasonOf(s as AgentRun["state"])),
      ["stop", "error", "error"],
    );
  });

  it("have one for each list of documents that the stream brings", () => {
    const spans = buildSpans(findRun("made/retrieval"), withContent);
    const [first, second] = spans.filter(({ name }) => name === "retrieval");
    assert.deepEqual([first?.name, first?.kind], ["retrieval", "client"]);
    const { "output.value": output, ...attributes } = first?.attributes ?? {};
    assert.deepEqual(attributes, {
      "gen_ai.operation.name": "retrieval",
      "gen_ai.provider.name": "mindsdb",
      "server.address": "127.0.0.1",
      "server.port": 47334,
      "openinference.span.kind": "RETRIEVER",
      "output.mime_type": "text/plain",
      "gen_ai.retrieval.documents": '[{"id":"d1","score":0.75},{"id":"7","score":0.5}]',
    });
    assert.match(String(output), /^Pets are welcome\.[^]*A garden[^]*Nobody knows/);
    assert.equal(second?.attributes["gen_ai.retrieval.documents"], '[{"id":"d1","score":0.75}]');
  });

  it("know the port that an address does not name, and no server of a removed connection", () => {
    const run = findRun("26.1.0/text_direct");
    const serverOf = (address: string | undefined): unknown[] => {
      const { attributes } = buildSpans(run, { ...traceOptions, address })[0];
      return [attributes["server.address"], attributes["server.port"]];
    };
    assert.deepEqual(serverOf("https://mindsdb.test/a"), ["mindsdb.test", 443]);
    assert.deepEqual(serverOf("http://mindsdb.test"), ["mindsdb.test", 80]);
    assert.deepEqual(serverOf(undefined), [undefined, undefined]);
  });

  it("list retrieved documents by id and score, only with content", () => {
    const step: TimedStep = {
      n: 1,
      kind: "documents",
      state: "done",
      at: 1,
      until: 2,
      parts: [
        { kind: "observation", text: "Pets are welcome." },
        { kind: "raw", text: '{"id": "d1", "score": 0.75}' },
        { kind: "observation", text: "No id" },
        { kind: "raw", text: '{"id": 7, "relevance": 0.5, "place": "attic"}' },
        { kind: "raw", text: '{"source": "attic"}' },
        { kind: "raw", text: "no JSON" },
      ],
    };
    const run: AgentRun = { ...findRun("26.1.0/text_direct"), steps: [step] };
    const [, plain] = buildSpans(run, traceOptions);
    assert.deepEqual([plain?.name, plain?.kind], ["retrieval", "client"]);
    assert.equal(plain?.attributes["gen_ai.retrieval.documents"], undefined);
    const [, full] = buildSpans(run, withContent);
    assert.deepEqual(JSON.parse(String(full?.attributes["gen_ai.retrieval.documents"])), [
      { id: "d1", score: 0.75 },
      { id: "7", score: 0.5 },
    ]);
  });

  it("stay within the run if the clock was changed, and bound the names of tools", () => {
    const at = (from: number, until?: number): TimedStep => ({
      n: 1,
      kind: "tool",
      tool: "x".repeat(10_000),
      state: "done",
      parts: [],
      at: from,
      ...(until !== undefined && { until }),
    });
    const run: AgentRun = {
      id: 1,
      question: "?",
      startedAt: 1000,
      state: "stopped",
      took: 50,
      steps: [at(-5, 10), at(60, 40), at(20)],
    };
    const times = ({ start, end }: Span): number[] => [start, end];
    assert.deepEqual(buildSpans(run, traceOptions).map(times), [
      [1000, 1050],
      [1000, 1010],
      [1050, 1050],
      [1020, 1050],
    ]);
    assert.deepEqual(times(buildSpans({ ...run, took: -3 }, traceOptions)[0]), [1000, 1000]);
    assert.equal(
      buildSpans(run, traceOptions)[1]?.attributes["gen_ai.tool.name"]?.toString().length,
      200,
    );
  });
});
