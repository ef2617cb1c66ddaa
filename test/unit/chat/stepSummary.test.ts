// The summary beside a step's label.
import assert from "node:assert/strict";
import { summarizeStep } from "../../../src/chat/stepSummary.ts";
import type { StepPart } from "../../../src/mindsdb/stream/stepEvents.ts";

const sql: StepPart = { kind: "sql", text: "SELECT 1\n  FROM t" };
const result: StepPart = { kind: "observation", text: "1" };
const thought = (text: string): StepPart => ({ kind: "thought", text });
const ofQuery = (...parts: StepPart[]) => summarizeStep({ kind: "sql", parts });

describe("A step's summary", () => {
  const form = "Do I need to use a tool? Yes";
  const call = "Action: sql_db_query\nAction Input: SELECT 1\n  FROM t";

  it("is the query if the thought is only a tool call", () => {
    for (const text of [
      `Thought: ${form}\n${call}`,
      `${form}\n${call}`,
      `Thought:\n${call}`,
      call,
      "",
    ]) {
      const hint = ofQuery(thought(text), sql, result);
      assert.deepEqual(hint, { text: "SELECT 1 FROM t", isCode: true }, text);
    }
  });

  it("is the thought, without the call that follows it", () => {
    for (const text of [
      `Thought: ${form}\nI want the prices.\n${call}`,
      `Thought: ${form}. I want the prices.\n${call}`,
      `Thought: I want\n  the prices.\n${call}`,
      `I want the prices.\n${call}`,
      "I want the prices.",
    ]) {
      const hint = ofQuery(thought(text), sql);
      assert.deepEqual(hint, { text: "I want the prices.", isCode: false }, text);
    }
  });

  it("does not mistake a word in a sentence for a call", () => {
    const { text } = ofQuery(thought("The next Action: none. Do I need more?"), sql);
    assert.equal(text, "The next Action: none. Do I need more?");
  });

  it("is never the result of a thought that is only a tool call", () => {
    const hint = ofQuery(thought(`Thought: ${form}\nAction: list\nAction Input: `), result);
    assert.deepEqual(hint, { text: "", isCode: false });
  });

  it("is the server's description if there is one", () => {
    const hint = summarizeStep({ kind: "sql", label: "Average price", parts: [sql] });
    assert.deepEqual(hint, { text: "Average price", isCode: false });
  });

  it("is the beginning of the text, and empty for a status or a plan", () => {
    const found = summarizeStep({ kind: "documents", parts: [result] });
    assert.deepEqual(found, { text: "1", isCode: true });
    const long = summarizeStep({ kind: "thinking", parts: [thought("word ".repeat(400_000))] });
    assert.equal(long.text.length, 200);
    for (const kind of ["status", "plan"] as const) {
      assert.equal(summarizeStep({ kind, label: "x", parts: [thought("y")] }).text, "");
    }
    assert.equal(summarizeStep({ kind: "thinking", parts: [] }).text, "");
  });
});
