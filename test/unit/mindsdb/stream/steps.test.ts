import assert from "node:assert/strict";
import { StepNormalizer } from "../../../../src/mindsdb/stream/stepNormalizer.ts";
import type { StepEvent } from "../../../../src/mindsdb/stream/stepEvents.ts";

/** Returns the events of a stream with these frames. Text is sent unchanged, anything else as JSON. */
function eventsOf(...frames: unknown[]): StepEvent[] {
  const normaliser = new StepNormalizer();
  return frames.flatMap((frame) =>
    normaliser.read(typeof frame === "string" ? frame : JSON.stringify(frame)),
  );
}

/** Summarizes the steps as `n kind state` and their parts. */
function stepsOf(...frames: unknown[]): [string, ...string[]][] {
  const steps: [string, ...string[]][] = [];
  for (const event of eventsOf(...frames)) {
    const parts = (list: { kind: string; text: string }[]) =>
      list.map(({ kind, text }) => `${kind}: ${text}`);
    if (event.type === "step") {
      steps.push([`${event.step.kind} ${event.step.state}`, ...parts(event.step.parts)]);
    } else if (event.type === "add") {
      const step = steps[event.n - 1];
      assert.ok(step);
      step[0] = step[0].replace(/\w+$/, event.state);
      step.push(...parts(event.parts));
    }
  }
  return steps;
}

const answersOf = (...frames: unknown[]) =>
  eventsOf(...frames).flatMap((event) =>
    event.type === "answer" ? [`${event.format}: ${event.text}`] : [],
  );

const context = (content: unknown) => ({ type: "context", content });
const action = (tool: string, tool_input: unknown, log = "") => ({ tool, tool_input, log });
const observed = (of: object, observation: unknown) => ({ action: of, observation });

describe("steps of 25.x", () => {
  const list = action("kb_list_tool", "", "I look.");
  const query = action("sql_db_query", "SELECT 1");

  it("combine an action and its observation", () => {
    assert.deepEqual(stepsOf({ actions: [list] }, { steps: [observed(list, '["kb"]')] }), [
      ["tool done", "thought: I look.", 'observation: ["kb"]'],
    ]);
  });

  it("end at the server's limit if a tool call is sent instead of an answer", () => {
    const call =
      "Thought: Do I need to use a tool? Yes\nAction: sql_db_query\nAction Input: SELECT 1";
    const last = { output: call, messages: [{ content: call }] };
    assert.deepEqual(stepsOf({ actions: [list] }, last), [
      ["tool running", "thought: I look."],
      ["thinking unfinished", `thought: ${call}`],
    ]);
    assert.deepEqual(answersOf(last), []);
    assert.deepEqual(
      eventsOf(last).filter(({ type }) => type === "failed"),
      [{ type: "failed", message: "", early: false, stepLimit: true }],
    );
    for (const output of [
      "Thought: nothing more to do",
      "Write it like this:\nThought: …\nAction: …\nAction Input: …",
    ]) {
      assert.deepEqual(answersOf({ output, messages: [{ content: output }] }), [
        `markdown: ${output}`,
      ]);
    }
  });

  it("combine several actions of one frame, in any order of their observations", () => {
    const other = action("kb_info_tool", "kb");
    assert.deepEqual(
      stepsOf(
        { actions: [list, other, list, other] },
        { steps: [observed(other, "o"), observed(list, "first")] },
        { steps: [observed(list, "second"), observed(other, "p")] },
      ),
      [
        ["tool done", "thought: I look.", "observation: first"],
        ["tool done", "input: kb", "observation: o"],
        ["tool done", "thought: I look.", "observation: second"],
        ["tool done", "input: kb", "observation: p"],
      ],
    );
  });

  it("show an observation without its action as a step of its own", () => {
    const again = observed(query, "2");
    assert.deepEqual(stepsOf({ actions: [query] }, { steps: [observed(query, "1"), again] }), [
      ["sql done", "sql: SELECT 1", "observation: 1"],
      ["sql done", "sql: SELECT 1", "observation: 2"],
    ]);
  });

  it("leave an action without its observation running", () => {
    assert.deepEqual(stepsOf({ actions: [query] }, { output: "x", messages: [] }), [
      ["sql running", "sql: SELECT 1"],
    ]);
  });

  it("read actions and observations from one frame", () => {
    assert.deepEqual(stepsOf({ actions: [query], steps: [observed(query, "1")] }), [
      ["sql done", "sql: SELECT 1", "observation: 1"],
    ]);
  });

  it("format inputs and observations that are not text as JSON", () => {
    const structured = action("t", { a: [1, null] });
    assert.deepEqual(stepsOf({ actions: [structured] }, { steps: [observed(structured, [{}])] }), [
      ["tool done", 'input: {"a":[1,null]}', "observation: [{}]"],
    ]);
  });

  it("fail if the observation starts with an error", () => {
    const states = (observation: string) =>
      stepsOf({ actions: [query] }, { steps: [observed(query, observation)] }).map(
        ([step]) => step,
      );
    assert.deepEqual(states("Error: Table x not found."), ["sql failed"]);
    assert.deepEqual(states("sql_db_query is not a valid tool, try one of []."), ["sql failed"]);
    assert.deepEqual(states("No Error: all is well"), ["sql done"]);
    assert.deepEqual(states("Errors: 0"), ["sql done"]);
  });

  it("contain the tool's name, and whether its input is SQL", () => {
    const tools = ["sql_db_query", "kb_query_tool", "kb_list_tool", "constructor"];
    const kinds = eventsOf({ actions: tools.map((tool) => action(tool, "x")) }).map((event) =>
      event.type === "step" ? `${event.step.kind} ${event.step.tool ?? ""}` : event.type,
    );
    assert.deepEqual(kinds, [
      "sql sql_db_query",
      "sql kb_query_tool",
      "tool kb_list_tool",
      "tool constructor",
    ]);
  });

  it("show the sql event only if no step had the same statement", () => {
    const last = { type: "sql", content: "SELECT 1" };
    assert.equal(stepsOf({ actions: [query] }, last).length, 1);
    assert.deepEqual(stepsOf({ actions: [list] }, last).at(-1), ["sql done", "sql: SELECT 1"]);
  });

  it("show retrieved documents, and context lists", () => {
    const documents = [
      { content: "text", metadata: { page: 3 } },
      { page_content: "other", metadata: {} },
      "plain",
      { unheard: "of" },
      ["list"],
    ];
    const expected = [
      [
        "documents done",
        "observation: text",
        'raw: {"page":3}',
        "observation: other",
        "observation: plain",
        'raw: {"unheard":"of"}',
        'raw: ["list"]',
      ],
    ];
    assert.deepEqual(
      stepsOf({ type: "event", name: "retriever_end", data: { documents } }),
      expected,
    );
    assert.deepEqual(stepsOf(context(documents)), expected);
  });

  it("never show the prompt", () => {
    const start = { type: "start", prompt: "SECRET TEMPLATE" };
    assert.ok(!JSON.stringify(eventsOf(start)).includes("SECRET"));
    assert.deepEqual(stepsOf(start, { actions: [list] })[0], ["thinking done"]);
  });

  describe("the answer", () => {
    const answer = (output: string, ...content: string[]) =>
      answersOf({ output, messages: content.map((text) => ({ content: text })) });

    it("is the output", () => {
      assert.deepEqual(answer("42", "Thought: no tool\nAI: 42"), ["markdown: 42"]);
      assert.deepEqual(answer(""), ["markdown: "]);
      assert.deepEqual(answer("", "Thought: no tool\nAI: "), ["markdown: "]);
      assert.deepEqual(answer("42", "something else"), ["markdown: 42"]);
      assert.deepEqual(answer("", "Thought: Do I need to use a tool? Yes"), ["markdown: "]);
      assert.deepEqual(answersOf({ type: "start" }, { output: "42" }), ["markdown: 42"]);
    });

    it("gets back the start that the server cut off at an AI:", () => {
      const words = "Thought: Do I need to use a tool? No\nAI: About AI: it is\nAI: here.";
      assert.deepEqual(answer("here.", words), ["markdown: About AI: it is\nAI: here."]);
      assert.deepEqual(answer("fine", "I think AI: fine"), ["markdown: I think AI: fine"]);
      assert.deepEqual(answer("b", "Thought: No. AI: a AI: b"), ["markdown: a AI: b"]);
      assert.deepEqual(answer("x\nAI", "Hello\nAI: x\nAI"), ["markdown: Hello\nAI: x\nAI"]);
    });

    it("is not another text in the messages", () => {
      assert.deepEqual(answer("42", "Thought: AI: 43"), ["markdown: 42"]);
      assert.deepEqual(answer("42", "Thought: what is AI: no\nAI: 42"), ["markdown: 42"]);
    });
  });
});

describe("steps of 26.x", () => {
  const thinking = context("Generating agent response...");
  const exploring = context("Executing exploratory SQL query: SELECT 1");

  it("combine planning and the plan into one step", () => {
    const plan = context("Proposed Execution Plan:\nStep 1\n\nEstimated steps: 1\n\n");
    const expected = [["plan done", "text: Step 1\n\nEstimated steps: 1"]];
    assert.deepEqual(stepsOf(context("Creating execution plan..."), plan), expected);
    assert.deepEqual(stepsOf(plan), expected);
  });

  it("combine a query, its success and its result into one step", () => {
    const events = eventsOf(
      thinking,
      context("Look"),
      exploring,
      context("Exploratory query 3/20 succeeded"),
      context("Query result: | a |"),
    );
    assert.deepEqual(events.slice(2), [
      {
        type: "step",
        step: {
          n: 2,
          kind: "sql",
          state: "running",
          label: "Look",
          query: { final: false },
          parts: [{ kind: "sql", text: "SELECT 1" }],
        },
      },
      { type: "add", n: 2, state: "running", parts: [], query: { k: 3, of: 20, final: false } },
      { type: "add", n: 2, state: "done", parts: [{ kind: "observation", text: "| a |" }] },
    ]);
  });

  it("fail with the query's error", () => {
    const failed = context("Error executing SQL query: no\nsuch table");
    assert.deepEqual(stepsOf(exploring, failed), [
      ["sql failed", "sql: SELECT 1", "error: no\nsuch table"],
    ]);
    assert.deepEqual(stepsOf(failed), [["sql failed", "error: no\nsuch table"]]);
  });

  it("show a description immediately and as the label of its query, but not of the next one", () => {
    const labels = eventsOf(thinking, context("Look"), exploring, thinking, exploring).flatMap(
      (event) => (event.type === "step" ? [`${event.step.kind} ${event.step.label ?? "-"}`] : []),
    );
    assert.deepEqual(labels, ["thinking -", "sql Look", "thinking -", "sql -"]);
    assert.deepEqual(stepsOf(thinking, context("Look")), [["thinking done", "thought: Look"]]);
  });

  it("treat a long or multi-line description as text", () => {
    for (const text of ["x".repeat(201), "two\nlines"]) {
      assert.deepEqual(stepsOf(context(text)), [["status running", `text: ${text}`]]);
      const [, , query] = eventsOf(thinking, context(text), exploring);
      assert.ok(query?.type === "step" && query.step.label === undefined);
    }
  });

  it("show a result without a query as a status", () => {
    assert.deepEqual(stepsOf(context("Query result: x")), [["status running"]]);
    assert.deepEqual(stepsOf(context("Exploratory query 1/20 succeeded")), [["status running"]]);
    assert.deepEqual(stepsOf(exploring, context("Exploratory query 1/20 went wrong")), [
      ["sql done", "sql: SELECT 1"],
      ["status running"],
    ]);
  });

  it("treat a status like a context", () => {
    assert.deepEqual(eventsOf({ type: "status", content: "Hm" }), eventsOf(context("Hm")));
  });

  it("answer with text, with a table, and with an empty table", () => {
    assert.deepEqual(answersOf({ type: "data", text: "hi" }), ["markdown: hi"]);
    assert.deepEqual(answersOf({ type: "data", content: "|a|" }), ["table: |a|"]);
    assert.deepEqual(answersOf({ type: "data", content: "" }), ["table: "]);
  });

  it("keep an answer that is replaced by another one as agent text", () => {
    const frames = [
      { type: "data", text: "first" },
      { type: "data", text: "second" },
    ];
    assert.deepEqual(answersOf(...frames), ["markdown: first", "markdown: second"]);
    assert.deepEqual(stepsOf(...frames), [["thinking done", "text: first"]]);
  });
});

describe("steps without text", () => {
  it("are not shown", () => {
    for (const content of ["", " \n"]) {
      assert.deepEqual(eventsOf(context(content), { type: "status", content }), []);
    }
  });
});

describe("failures in a stream", () => {
  const failures = (...frames: unknown[]) =>
    eventsOf(...frames).flatMap((event) => (event.type === "failed" ? [event] : []));
  const planning = context("Creating execution plan...");
  const plan = context("Proposed Execution Plan:\nx");

  it("are reported in both formats, with causes that are not text as JSON", () => {
    assert.deepEqual(failures({ type: "error", content: "bad", error_type: "general" }), [
      { type: "failed", message: "bad", early: false },
    ]);
    assert.deepEqual(failures({ error: { code: 1 } }), [
      { type: "failed", message: '{"code":1}', early: false },
    ]);
    const wrapped = { message: "too many requests", code: 429 };
    for (const frame of [{ error: wrapped }, { type: "error", content: wrapped }]) {
      assert.equal(failures(frame)[0]?.message, "too many requests");
    }
    assert.deepEqual(failures({ type: "error" })[0]?.message, "");
    for (const error of [null, false]) {
      const frame = { error, type: "data", text: "fine" };
      assert.deepEqual(failures(frame), []);
      assert.deepEqual(answersOf(frame), ["markdown: fine"]);
    }
  });

  it("are early only if they have no cause and come before a plan", () => {
    const early = (...frames: unknown[]) => failures(...frames)[0]?.early;
    const generic = { error: "Error in completion event generator" };
    assert.equal(early(generic), true);
    assert.equal(early(planning, generic), true);
    assert.equal(early(planning, plan, generic), false);
    assert.equal(early({ type: "start" }, generic), false);
    assert.equal(early(planning, { type: "error", content: "x" }), false);
    assert.equal(early({ error: "" }), true);
    assert.equal(early({ error: "The license has expired" }), false);
  });

  it("fail the current step", () => {
    assert.deepEqual(stepsOf(planning, { error: "x" }), [["plan failed"]]);
    assert.deepEqual(stepsOf(planning, plan, { error: "x" }), [["plan done", "text: x"]]);
  });

  it("are steps if they are not the first", () => {
    const frames = [{ error: "first" }, { type: "error", content: "second" }];
    assert.deepEqual(
      failures(...frames).map(({ message }) => message),
      ["first"],
    );
    assert.deepEqual(stepsOf(...frames), [["status failed", "error: second"]]);
  });
});

describe("unknown frames", () => {
  const nested = "[".repeat(200_000) + "]".repeat(200_000);
  const frames = [
    "[DONE]",
    "not JSON",
    '{"type": "context", "cont',
    "null",
    "42",
    '"text"',
    "[]",
    "{}",
    '[{"type": "end"}]',
    '{"type": "unheard of", "content": 1}',
    '{"type": ["end"]}',
    '{"output": "a chunk that is no object"}',
    '{"output": {"a": 1}, "messages": []}',
    '{"actions": []}',
    '{"actions": [{"tool": 1}]}',
    '{"actions": [null]}',
    '{"steps": [{"observation": "x"}]}',
    '{"type": "context", "content": {"a": 1}}',
    '{"type": "context"}',
    '{"type": "data", "content": [1]}',
    '{"type": "data"}',
    '{"type": "sql", "content": 1}',
    '{"type": "event", "name": "retriever_start", "data": {}}',
    '{"type": "event", "name": "retriever_end", "data": {"documents": 1}}',
    '{"__proto__": {"type": "end"}}',
    '{"constructor": {"prototype": {"type": "end"}}}',
    '{"type": "__proto__", "toString": 1, "hasOwnProperty": 1}',
    nested,
    `{"actions": [{"tool": "t", "tool_input": ${nested}}]}`,
    `{"type": "context", "content": [${nested}]}`,
    `{"error": ${nested}}`,
  ];

  for (const frame of frames) {
    it(`are shown unchanged: ${frame.slice(0, 60)}`, () => {
      assert.deepEqual(stepsOf(frame), [["unknown done", `raw: ${frame}`]]);
    });
  }

  it("are shown unchanged if their documents are too many", () => {
    const frame = JSON.stringify({ type: "context", content: Array(60_000).fill("") });
    const [first, second] = stepsOf(frame, frame);
    assert.equal(first?.length, 60_001);
    assert.deepEqual(second, ["unknown done", `raw: ${frame}`]);
  });

  it("do not end the current step", () => {
    const result = context("Query result: 1");
    const query = context("Executing final SQL query: SELECT 1");
    assert.deepEqual(stepsOf(query, "[DONE]", result), [
      ["sql done", "sql: SELECT 1", "observation: 1"],
      ["unknown done", "raw: [DONE]"],
    ]);
  });

  it("are ignored if they are blank", () => {
    assert.deepEqual(eventsOf("", "  "), []);
  });

  it("keep the part before deep nesting", () => {
    const frame = `{"actions": [{"tool": "a"}, {"tool": "b", "tool_input": ${nested}}]}`;
    assert.deepEqual(
      stepsOf(frame, { actions: [{ tool: "c" }] }).map(([step]) => step),
      ["tool running", "unknown done", "tool running"],
    );
  });
});

describe("the end of a stream", () => {
  it("is reported once", () => {
    const end = { type: "end", trace_id: "" };
    assert.deepEqual(eventsOf(end, end, end), [{ type: "end" }]);
  });
});
