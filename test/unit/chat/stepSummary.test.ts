// What stands beside a step's words.
import assert from "node:assert/strict";
import { summarizeStep } from "../../../src/chat/stepSummary.ts";
import type { StepPart } from "../../../src/mindsdb/stream/stepEvents.ts";

const sql: StepPart = { kind: "sql", text: "SELECT 1\n  FROM t" };
const result: StepPart = { kind: "observation", text: "1" };
const thought = (text: string): StepPart => ({ kind: "thought", text });
const ofQuery = (...parts: StepPart[]) => summarizeStep({ kind: "sql", parts });

describe("A step's hint", () => {
  const form = "Do I need to use a tool? Yes";
  const call = "Action: sql_db_query\nAction Input: SELECT 1\n  FROM t";

  it("is the query, where the thought is nothing but its form", () => {
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

  it("is the thought in its own words, without the call that follows it", () => {
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

  it("takes no word for a call that is inside a sentence", () => {
    const { text } = ofQuery(thought("The next Action: none. Do I need more?"), sql);
    assert.equal(text, "The next Action: none. Do I need more?");
  });

  it("is never what came back to a thought of nothing but its form", () => {
    const hint = ofQuery(thought(`Thought: ${form}\nAction: list\nAction Input: `), result);
    assert.deepEqual(hint, { text: "", isCode: false });
  });

  it("is the server's description before anything else", () => {
    const hint = summarizeStep({ kind: "sql", label: "Average price", parts: [sql] });
    assert.deepEqual(hint, { text: "Average price", isCode: false });
  });

  it("is the beginning of what there is, and nothing beside a status or a plan", () => {
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
