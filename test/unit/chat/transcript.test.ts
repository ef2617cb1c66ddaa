// The transcript as data: how each event changes it, and what is sent, stored and shown of it.
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { trimForPage, maxPageTextLength } from "../../../src/chat/trimEvents.ts";
import {
  allRuns,
  emptyTranscript,
  findOutcome,
  parse,
  reduce,
  replay,
  serialize,
  buildTurns,
  type ChatEvent,
  type EndState,
  type AgentRun,
  type Transcript,
} from "../../../src/chat/transcript.ts";
import { AppError } from "../../../src/mindsdb/errors.ts";
import type { AgentStep, StepEvent } from "../../../src/mindsdb/stream/stepEvents.ts";

const head = {
  chatId: "chat",
  agent: { connectionId: "c", connection: "local", project: "mindsdb", name: "agent" },
};

const asked = (run: number, question = `question ${String(run)}`): ChatEvent => {
  return { type: "asked", run, question, startedAt: 1000 * run };
};
const stepped = (run: number, at: number, event: StepEvent): ChatEvent => {
  return { type: "stepped", run, at, event };
};
const step = (n: number, more: Partial<AgentStep> = {}): StepEvent => {
  return { type: "step", step: { n, kind: "tool", state: "running", parts: [], ...more } };
};
const add = (n: number, state: AgentStep["state"], ...texts: string[]): StepEvent => {
  return { type: "add", n, state, parts: texts.map((text) => ({ kind: "observation", text })) };
};
const answer = (text: string): StepEvent => ({ type: "answer", format: "markdown", text });
const ended = (run: number, state: EndState = "answered", at = 100): ChatEvent => {
  return { type: "ended", run, at, state };
};

const transcriptOf = (...events: ChatEvent[]): Transcript =>
  events.reduce(reduce, emptyTranscript(head));

/** The only run of these events. */
function runOf(...events: ChatEvent[]): AgentRun {
  const { runs } = transcriptOf(...events);
  assert.ok(runs[0] && runs.length === 1);
  return runs[0];
}

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

describe("A transcript", () => {
  it("applies each event", () => {
    const query = { k: 1, of: 20, final: false };
    const run = runOf(
      asked(1),
      stepped(1, 5, step(1, { tool: "t", parts: [{ kind: "input", text: "in" }] })),
      stepped(1, 7, { ...add(1, "done", "out"), query } as StepEvent),
      stepped(1, 9, answer("42")),
      stepped(1, 9, { type: "end" }),
      ended(1),
    );
    assert.deepEqual(run, {
      id: 1,
      question: "question 1",
      startedAt: 1000,
      state: "answered",
      took: 100,
      answer: { format: "markdown", text: "42" },
      answeredAt: 9,
      steps: [
        {
          n: 1,
          kind: "tool",
          tool: "t",
          state: "done",
          query,
          at: 5,
          until: 100,
          parts: [
            { kind: "input", text: "in" },
            { kind: "observation", text: "out" },
          ],
        },
      ],
    });
  });

  it("times a step until the next step or the end of the run", () => {
    const { steps } = runOf(asked(1), stepped(1, 5, step(1)), stepped(1, 8, step(2)), ended(1));
    assert.deepEqual(
      steps.map(({ at, until }) => [at, until]),
      [
        [5, 8],
        [8, 100],
      ],
    );
  });

  it("marks steps as unfinished that are running when the run ends", () => {
    const { steps } = runOf(
      asked(1),
      stepped(1, 1, step(1)),
      stepped(1, 2, step(2, { state: "done" })),
      stepped(1, 3, step(3, { state: "failed" })),
      ended(1, "stopped"),
    );
    assert.deepEqual(
      steps.map(({ state }) => state),
      ["unfinished", "done", "failed"],
    );
  });

  it("keeps the first reason of a failure, and the message of the end", () => {
    const failed = (message: string) => stepped(1, 1, { type: "failed", message, early: false });
    const events = [asked(1), failed("first"), failed("second")];
    assert.equal(runOf(...events).reason, "first");
    const end: ChatEvent = { type: "ended", run: 1, at: 2, state: "failed", reason: "redacted" };
    assert.equal(runOf(...events, end).reason, "redacted");
  });

  it("ends a run once and ignores events after that", () => {
    const events = [asked(1), stepped(1, 1, step(1)), ended(1, "stopped")];
    const before = copy(transcriptOf(...events));
    const after = transcriptOf(
      ...events,
      stepped(1, 200, step(2)),
      stepped(1, 200, answer("late")),
      ended(1, "failed", 200),
    );
    assert.deepEqual(after, before);
  });

  it("ignores unknown runs and steps", () => {
    const events = [asked(1), stepped(1, 1, step(1))];
    const odd = [stepped(2, 1, step(1)), ended(7), stepped(1, 2, add(9, "done", "x"))];
    assert.deepEqual(transcriptOf(...events, ...odd), transcriptOf(...events));
  });

  it("shares no mutable objects with its events", () => {
    const events = [asked(1), stepped(1, 1, step(1)), stepped(1, 2, add(1, "done", "x")), ended(1)];
    const before = copy(events);
    transcriptOf(...events);
    assert.deepEqual(events, before);
  });

  it("holds 10,000 steps, each with later events", () => {
    const transcript = transcriptOf(asked(1));
    for (let n = 1; n <= 10_000; n++) {
      reduce(transcript, stepped(1, n, step(n)));
      reduce(transcript, stepped(1, n, add(n, "done", "x")));
    }
    const [run] = transcript.runs;
    assert.equal(run?.steps.length, 10_000);
    assert.ok(
      run?.steps.every(({ n, parts, state }, index) => {
        return n === index + 1 && parts.length === 1 && state === "done";
      }),
    );
  });
});

describe("The end of a run", () => {
  const text = { format: "markdown", text: "" } as const;
  const cutOff = new AppError("cutOff", "It closed.");
  const abort = new DOMException("This operation was aborted", "AbortError");

  const table: [string, Parameters<typeof findOutcome>, ReturnType<typeof findOutcome>][] = [
    ["an answer", [{ answer: text }], { state: "answered" }],
    ["nothing", [{}], { state: "noAnswer" }],
    ["a failure", [{ reason: "r" }], { state: "failed", reason: "r" }],
    ["an answer and a failure", [{ answer: text, reason: "r" }], { state: "failed", reason: "r" }],
    ["closed early", [{}, cutOff], { state: "cutOff", reason: "It closed." }],
    [
      "an answer, closed early",
      [{ answer: text }, cutOff],
      { state: "cutOff", reason: "It closed." },
    ],
    ["a failure, closed early", [{ reason: "r" }, cutOff], { state: "failed", reason: "r" }],
    ["Stop", [{}, abort], { state: "stopped" }],
    ["Stop after an answer", [{ answer: text }, abort], { state: "stopped" }],
    ["Stop after a failure", [{ reason: "r" }, abort], { state: "stopped" }],
    [
      "no connection",
      [{}, new AppError("unreachable", "Nobody.")],
      { state: "failed", reason: "Nobody." },
    ],
    ["an internal error", [{}, new TypeError("oops")], { state: "failed", reason: "oops" }],
    ["a thrown value that is not an error", [{}, "x"], { state: "failed" }],
  ];
  for (const [what, given, expected] of table) {
    it(`after ${what} is ${expected.state}`, () => {
      assert.deepEqual(findOutcome(...given), expected);
    });
  }
});

describe("A follow-up request", () => {
  const answered = (run: number, text = `answer ${String(run)}`) => [
    asked(run),
    stepped(run, 1, answer(text)),
    ended(run),
  ];

  it("has only the question at first", () => {
    assert.deepEqual(buildTurns(transcriptOf(asked(1))), [{ question: "question 1", answer: "" }]);
    assert.deepEqual(buildTurns(transcriptOf()), []);
  });

  it("includes the answered turns, in order", () => {
    const failed = [asked(2), stepped(2, 1, answer("half")), ended(2, "failed")];
    const events = [...answered(1), ...failed, ...answered(3), ...answered(4, ""), asked(5)];
    assert.deepEqual(buildTurns(transcriptOf(...events)), [
      { question: "question 1", answer: "answer 1" },
      { question: "question 3", answer: "answer 3" },
      { question: "question 5", answer: "" },
    ]);
  });

  it("includes the last ten turns at most", () => {
    const events = Array.from({ length: 12 }, (_, index) => answered(index + 1)).flat();
    const list = buildTurns(transcriptOf(...events, asked(13)));
    assert.equal(list.length, 11);
    assert.deepEqual(list[0], { question: "question 3", answer: "answer 3" });
    assert.deepEqual(list[10], { question: "question 13", answer: "" });
  });
});

const anyText = fc.string({ unit: "binary", maxLength: 20 });
const anyPart = fc.record({
  kind: fc.constantFrom("thought", "input", "sql", "observation", "text", "error", "raw"),
  text: anyText,
});
const anyStepEvent: fc.Arbitrary<StepEvent> = fc.oneof(
  fc.record({
    type: fc.constant("step"),
    step: fc.record(
      {
        n: fc.constant(0),
        kind: fc.constantFrom("status", "tool", "sql", "unknown"),
        state: fc.constantFrom("running", "done", "failed"),
        tool: anyText,
        label: anyText,
        parts: fc.array(anyPart, { maxLength: 3 }),
      },
      { requiredKeys: ["n", "kind", "state", "parts"] },
    ),
  }),
  fc.record({
    type: fc.constant("add"),
    n: fc.integer({ min: -1, max: 8 }),
    state: fc.constantFrom("running", "done", "failed"),
    parts: fc.array(anyPart, { maxLength: 2 }),
  }),
  fc.record({ type: fc.constant("answer"), format: fc.constant("table"), text: anyText }),
  fc.record(
    { type: fc.constant("failed"), message: anyText, early: fc.boolean(), detail: anyText },
    { requiredKeys: ["type", "message", "early"] },
  ),
  fc.record({ type: fc.constant("end") }),
);
const anyEndState = fc.constantFrom("answered", "stopped", "failed", "cutOff", "noAnswer");

/** Generates whole conversations: one run after the other, with numbered steps; most runs end. */
const anyEvents = fc
  .array(
    fc.record({
      events: fc.array(anyStepEvent, { maxLength: 8 }),
      end: fc.option(anyEndState, { freq: 8, nil: undefined }),
      replaces: fc.option(fc.nat({ max: 5 }), { nil: undefined }),
      edits: fc.option(fc.nat({ max: 5 }), { nil: undefined }),
      switchesTo: fc.option(fc.nat({ max: 5 }), { nil: undefined }),
      waiting: fc.option(fc.array(anyText, { maxLength: 2 }), { nil: undefined }),
    }),
    { maxLength: 6 },
  )
  .map((runs) =>
    runs.flatMap(({ events, end, replaces, edits, switchesTo, waiting }, index): ChatEvent[] => {
      const run = index + 1;
      let n = 0;
      const numbered = events.map((event, at): ChatEvent => {
        if (event.type !== "step") return stepped(run, at, event);
        return stepped(run, at, { ...event, step: { ...event.step, n: ++n } });
      });
      // A running run is never replaced.
      const isEnded = replaces !== undefined && runs[replaces - 1]?.end !== undefined;
      const place = isEnded && replaces < run ? { replaces } : edits === undefined ? {} : { edits };
      const question = { ...asked(run), ...place };
      return copy([
        question as ChatEvent,
        ...numbered,
        ...(end ? [ended(run, end)] : []),
        ...(switchesTo === undefined ? [] : [{ type: "switched", run: switchesTo } as const]),
        ...(waiting ? [{ type: "waiting", questions: waiting } as const] : []),
      ]);
    }),
  );

describe("A replayed transcript", () => {
  it("is equal to the original", () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const transcript = transcriptOf(...events);
        assert.deepEqual(transcriptOf(...replay(transcript)), transcript);
      }),
      { numRuns: 2000 },
    );
  });

  it("shares no objects with the original", () => {
    const transcript = transcriptOf(asked(1), stepped(1, 1, step(1)));
    const other = transcriptOf(...replay(transcript));
    reduce(other, stepped(1, 2, add(1, "done", "x")));
    assert.deepEqual(transcript, transcriptOf(asked(1), stepped(1, 1, step(1))));
  });
});

describe("A stored conversation", () => {
  const stored = (...events: ChatEvent[]) =>
    [{ type: "chat", ...head } as const, ...events].map(serialize).join("");

  it("has one line per event", () => {
    const text = stored(asked(1, "two\nlines\u2028\r"), ended(1));
    assert.deepEqual(
      text.split("\n").map((line) => line.slice(0, 9)),
      ["", '{"type":"', '{"type":"', '{"type":"'],
    );
    assert.equal(parse(text)?.runs[0]?.question, "two\nlines\u2028\r");
  });

  it("is restored unchanged, with unfinished runs cut off", () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const expected = transcriptOf(...events);
        for (const run of allRuns(expected.runs)) {
          const at = run.steps.at(-1)?.at ?? 0;
          reduce(expected, { type: "ended", run: run.id, at, state: "cutOff" });
        }
        assert.deepEqual(parse(stored(...events)), expected);
      }),
      { numRuns: 2000 },
    );
  });

  it("has replaced runs that did not end as cut off too", () => {
    const again: ChatEvent = { type: "asked", run: 2, question: "x", startedAt: 1, replaces: 1 };
    const run = parse(stored(asked(1), stepped(1, 4, step(1)), again, ended(2)))?.runs[0];
    assert.deepEqual([run?.id, run?.state], [2, "answered"]);
    assert.deepEqual(
      run?.former?.map(({ id, state, took }) => [id, state, took]),
      [[1, "cutOff", 4]],
    );
  });

  it("keeps the reason of a run that was cut off by a reload", () => {
    const failed = stepped(1, 4, { type: "failed", message: "no model", early: false });
    const run = parse(stored(asked(1), failed))?.runs[0];
    assert.deepEqual([run?.state, run?.reason, run?.took], ["cutOff", "no model", 0]);
  });

  it("skips incomplete lines", () => {
    const text = stored(asked(1), stepped(1, 1, answer("42")), ended(1));
    const last = serialize(ended(1));
    const before = parse(text.slice(0, -last.length));
    for (let torn = 1; torn <= last.length; torn++) {
      const rest = text.slice(0, -torn);
      assert.deepEqual(parse(rest), before);
      assert.deepEqual(parse(rest + last), parse(text), "what is written after it counts");
    }
    const odd = ["null", "1", "{}", '{"type":"stepped","run":1}', '{"type":"x","run":1}', ""];
    const [none, chat, question, ...rest] = text.split("\n");
    assert.deepEqual(parse([none, chat, question, ...odd, ...rest].join("\n")), parse(text));
  });

  it("is undefined without its head", () => {
    assert.equal(parse(""), undefined);
    assert.equal(parse(serialize(asked(1))), undefined);
    const again = serialize({ type: "chat", ...head, chatId: "other" });
    assert.deepEqual(parse(stored(asked(1)) + again), parse(stored(asked(1))), "the first counts");
  });
});

describe("The events sent to a page", () => {
  const long = "x".repeat(maxPageTextLength + 5);
  const part = (text: string) => ({ kind: "observation" as const, text });

  it("are the events themselves if they are short", () => {
    const events = [
      asked(1, long),
      stepped(1, 1, step(1, { tool: "t", parts: [part("x".repeat(maxPageTextLength))] })),
      stepped(1, 1, add(1, "done", "x")),
      stepped(1, 1, answer("42")),
      stepped(1, 1, { type: "failed", message: "no", early: true }),
      stepped(1, 1, { type: "end" }),
      { type: "ended", run: 1, at: 1, state: "failed", reason: "no" } as const,
    ];
    assert.deepEqual(events.map(trimForPage), events);
  });

  it("are truncated if they are long, and include the full length", () => {
    const event = stepped(1, 1, answer(long));
    const text = long.slice(0, maxPageTextLength);
    const cut = { type: "answer", format: "markdown", text, length: long.length };
    assert.deepEqual(trimForPage(event), { ...event, event: cut });
    assert.equal(runOf(asked(1), trimForPage(event)).answer?.length, long.length);
    assert.equal((event as { event: { text: string } }).event.text, long, "not the event itself");
  });

  it("have all parts of a step within one limit", () => {
    const parts = [part("abc"), part(long), part(long)];
    for (const event of [step(1, { parts }), add(1, "done", "abc", long, long)]) {
      const got = trimForPage(stepped(1, 1, event));
      const [run] = transcriptOf(asked(1), stepped(1, 1, step(1)), got).runs;
      assert.deepEqual(
        run?.steps
          .at(event.type === "step" ? -1 : 0)
          ?.parts.map(({ text, length }) => [text.length, length]),
        [
          [3, undefined],
          [maxPageTextLength - 3, long.length],
          [0, long.length],
        ],
      );
    }
  });

  it("have truncated reasons, details, failures and tool names", () => {
    const events = [
      stepped(1, 1, step(1, { tool: long })),
      stepped(1, 1, { type: "failed", message: long, early: false, detail: long }),
      { type: "ended", run: 1, at: 1, state: "failed", reason: long, detail: long } as const,
    ];
    const around = 200;
    for (const event of events) {
      const texts = JSON.stringify(event).split(long).length - 1;
      assert.ok(JSON.stringify(trimForPage(event)).length < texts * maxPageTextLength + around);
    }
  });

  it("never contain half a character", () => {
    const text = "x".repeat(maxPageTextLength - 1) + "🏠🏠";
    const got = trimForPage(stepped(1, 1, answer(text)));
    assert.ok(got.type === "stepped" && got.event.type === "answer");
    assert.equal(got.event.text, "x".repeat(maxPageTextLength - 1));
    assert.equal(got.event.length, text.length);
  });
});
