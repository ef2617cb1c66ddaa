// Whatever a server sends: nothing throws, nothing that came is lost, and a run ends once.
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { AppError } from "../../../../src/mindsdb/errors.ts";
import { StepNormalizer } from "../../../../src/mindsdb/stream/stepNormalizer.ts";
import type { StepEvent } from "../../../../src/mindsdb/stream/stepEvents.ts";
import { bodyOf, toBytes } from "./recorded.ts";
import { runOf } from "./runOf.ts";

const numRuns = 3000;

/** Any JSON value, where the keys and texts that the dialects use are likely. */
const anyJson = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom("context", "data", "end", "error", "event", "retriever_end", "sql", "start"),
    fc.constantFrom("Query result: x", "Executing final SQL query: x", "AI: x", "Error: x"),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.dictionary(
    fc.oneof(
      fc.constantFrom("type", "content", "text", "error", "name", "data", "documents", "metadata"),
      fc.constantFrom("actions", "action", "tool", "tool_input", "log", "steps", "observation"),
      fc.constantFrom("output", "messages", "__proto__", "constructor", "toString", "toJSON"),
      fc.string(),
    ),
    tie("value"),
    { maxKeys: 6 },
  ),
})).value;

/** Frames as both dialects have them; where a text holds "<>", the test puts a mark of the frame's own. */
const knownFrame = fc.constantFrom("sql_db_query", "kb_query_tool", "t").chain((tool) => {
  const action = { tool, tool_input: "input <>", log: "log <>" };
  const repeated = { tool, tool_input: "always the same" };
  return fc.constantFrom(
    { type: "context", content: "status <>" },
    { type: "context", content: "Proposed Execution Plan: plan <>" },
    { type: "context", content: "Executing exploratory SQL query: sql <>" },
    { type: "context", content: "Query result: result <>" },
    { type: "context", content: "Error executing SQL query: message <>" },
    { type: "context", content: ["document <>", { content: "other <>", metadata: { a: "b <>" } }] },
    { type: "data", text: "text <>" },
    { type: "data", content: "table <>" },
    { type: "error", content: "error <>" },
    { error: "error <>" },
    { actions: [action, { ...repeated, log: "second <>" }] },
    { steps: [{ action: repeated, observation: "observation <>" }, { action }] },
    { output: "output <>", messages: [{ content: "Thought: no AI: output <>" }] },
    { type: "sql", content: "SELECT <>" },
    { unheard: "of <>" },
  );
});

/** Frames without a text to keep, which change how others are taken. */
const silentFrame = fc.constantFrom(
  { type: "end" },
  { type: "start", prompt: "x" },
  { type: "context", content: "Creating execution plan..." },
  { type: "context", content: "Generating agent response..." },
  { type: "context", content: "Exploratory query 1/20 succeeded" },
  { type: "context", content: "Returning text response" },
);

/** Numbers are given in order, are not used before they are given, and an end comes once. */
function assertInOrder(events: readonly StepEvent[]): void {
  let steps = 0;
  for (const event of events) {
    if (event.type === "step") assert.equal(event.step.n, ++steps);
    if (event.type === "add") assert.ok(event.n >= 1 && event.n <= steps);
  }
  assert.ok(events.filter(({ type }) => type === "end").length <= 1);
}

describe("any frames", () => {
  it("never throw and never vanish", () => {
    fc.assert(
      fc.property(fc.array(anyJson, { maxLength: 8 }), (values) => {
        const normaliser = new StepNormalizer();
        const all: StepEvent[] = [];
        let ends = 0;
        for (const value of values) {
          const frame = JSON.stringify(value);
          const events = normaliser.read(frame);
          const type =
            typeof value === "object" && value !== null && Object.hasOwn(value, "type")
              ? (value as { type: unknown }).type
              : undefined;
          const mayBeSilent = (type === "end" && ends++ > 0) || type === "sql";
          assert.ok(events.length > 0 || mayBeSilent, frame);
          all.push(...events);
        }
        assertInOrder(all);
      }),
      { numRuns },
    );
  });

  it("keep all of their texts", async () => {
    const frames = fc.array(fc.oneof({ weight: 3, arbitrary: knownFrame }, silentFrame), {
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(frames, async (list) => {
        const texts = list.map((frame, index) =>
          JSON.stringify(frame).replaceAll("<>", `<${String(index)}>`),
        );
        const body = bodyOf([toBytes(texts.map((text) => `data: ${text}\n\n`).join(""))]);
        const { steps, answer, reason } = await runOf("?", body);
        const kept = JSON.stringify([steps, answer, reason]);
        for (const text of texts) {
          for (const [word] of text.matchAll(/[a-zA-Z]+ <\d+>/g)) {
            assert.ok(kept.includes(word), `${word} of ${text}`);
          }
        }
      }),
      { numRuns },
    );
  });

  it("give exactly one end, whatever the bytes and however the body closes", async () => {
    const bytes = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 20 }),
        anyJson.map((value) => toBytes(`data: ${JSON.stringify(value)}\n\n`)),
        fc
          .constantFrom('data: {"type": "end"}\n\n', 'data: {"type": "data", "text": "x"}\n\n')
          .map(toBytes),
      ),
      { maxLength: 6 },
    );
    const failures = [undefined, new Error("reset"), new AppError("timeout", "Too slow.")];
    await fc.assert(
      fc.asyncProperty(bytes, fc.constantFrom(...failures), async (pieces, failure) => {
        const close = () => (failure ? Promise.reject(failure) : Promise.resolve());
        const run = await runOf("?", bodyOf(pieces, close));
        const text = JSON.stringify(run);
        assert.ok(["answered", "failed", "cutOff", "noAnswer"].includes(run.state), run.state);
        assert.equal(run.state === "failed" || run.state === "cutOff", run.reason !== undefined);
        assert.ok(run.state !== "answered" || run.answer);
        assert.ok(!text.includes('"state":"running"'));
      }),
      { numRuns },
    );
  });
});
