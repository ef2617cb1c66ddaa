// A run from question to end: what is stored, what is sent, and that it ends exactly once.
import assert from "node:assert/strict";
import type { AgentAccess } from "../../../src/chat/agentAccess.ts";
import { Conversation, type ConversationOptions } from "../../../src/chat/conversation.ts";
import { emptyTranscript, reduce, type ChatEvent } from "../../../src/chat/transcript.ts";
import { AppError, isAppError } from "../../../src/mindsdb/errors.ts";
import type { AgentStep, StepEvent } from "../../../src/mindsdb/stream/stepEvents.ts";

const agent = { connectionId: "local", connection: "Local", project: "mindsdb", name: "sales" };

function step(n: number, more: Partial<AgentStep> = {}): StepEvent {
  return {
    type: "step",
    step: { n, kind: "tool", tool: "t", state: "running", parts: [], ...more },
  };
}

const answer: StepEvent = { type: "answer", format: "markdown", text: "42" };

/** A scripted agent that records its requests. */
class FakeAgent {
  readonly asked: { question: string; answer: string }[][] = [];
  readonly signals: AbortSignal[] = [];
  /** What its streams send. */
  frames: string[] = [];
  connection: string | undefined = "Local";
  script: (signal: AbortSignal) => AsyncIterable<StepEvent> = () => says(answer);

  readonly access: AgentAccess = {
    ask: (_, messages, signal, onFrame) => {
      this.asked.push(messages);
      this.signals.push(signal);
      for (const frame of this.frames) onFrame(frame);
      return this.script(signal);
    },
    connectedData: () => Promise.resolve({ tables: [], knowledgeBases: [] }),
    connectionName: () => this.connection,
    acceptsChanges: () => true,
    redact: (text) => text.replaceAll("s3cret", "******"),
    explain: (error) => ({
      message: `explained: ${(error as Error).message}`,
      ...(isAppError(error, "signInNeeded")
        ? { action: { title: "Sign In", command: "signIn", arguments: ["local"] } }
        : {}),
    }),
  };
}

// eslint-disable-next-line @typescript-eslint/require-await
async function* says(...events: (StepEvent | Error)[]): AsyncGenerator<StepEvent> {
  for (const event of events) {
    if (event instanceof Error) throw event;
    yield event;
  }
}

/** Yields the given events, then nothing until it is aborted. */
async function* saysThenHangs(
  signal: AbortSignal,
  ...events: StepEvent[]
): AsyncGenerator<StepEvent> {
  yield* says(...events);
  await new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });
}

function start(more: Partial<ConversationOptions> = {}) {
  const fake = new FakeAgent();
  const events: ChatEvent[] = [];
  const offers: string[] = [];
  const frames: string[] = [];
  const logged: unknown[] = [];
  let clock = 1000;
  const conversation = new Conversation({
    transcript: emptyTranscript({ chatId: "c", agent }),
    access: fake.access,
    now: () => (clock += 10),
    timeLimit: () => 0,
    onEvent: (event) => events.push(event),
    onFrame: (run, redacted) => frames.push(`${String(run)}: ${redacted()}`),
    onOffer: (run, action) => {
      // The page shows the run's end with the button.
      assert.equal(conversation.running, true);
      offers.push(`${String(run)}: ${action.title}`);
    },
    onError: (_, error) => logged.push(error),
    ...more,
  });
  return { fake, conversation, events, frames, offers, logged, runs: conversation.transcript.runs };
}

/** Lets all pending promises settle. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("A conversation", () => {
  it("stores the events of the stream, with the times of its clock", async () => {
    const { fake, conversation, runs, events } = start();
    fake.script = () => says(step(1), step(2), answer, { type: "end" });
    conversation.ask("  How much?  ");
    assert.equal(conversation.running, true);
    await settled();
    assert.equal(conversation.running, false);
    assert.equal(runs.length, 1);
    assert.equal(runs[0]?.question, "How much?");
    assert.equal(runs[0]?.state, "answered");
    assert.deepEqual(
      runs[0]?.steps.map(({ at, until }) => [at, until]),
      [
        [10, 20],
        [20, 50],
      ],
    );
    assert.equal(runs[0]?.took, 50);
    assert.deepEqual(
      events.map(({ type }) => type),
      [...["asked", "stepped", "stepped", "stepped", "stepped", "ended"]],
    );
  });

  it("passes the stream's raw events on, redacted", async () => {
    const { fake, conversation, frames } = start();
    fake.frames = ['{"type":"start","trace_id":"t-1"}', '{"api_key":"s3cret"}'];
    conversation.ask("How much?");
    await settled();
    assert.deepEqual(frames, ['1: {"type":"start","trace_id":"t-1"}', '1: {"api_key":"******"}']);
  });

  it("asks again with the typed question, though it stores it redacted", async () => {
    const { fake, conversation, runs } = start();
    conversation.ask("Is s3cret good?");
    await settled();
    conversation.retry();
    await settled();
    assert.deepEqual(
      runs.flatMap(({ question, former = [] }) => [question, former[0]?.question]),
      ["Is ****** good?", "Is ****** good?"],
    );
    assert.deepEqual(
      fake.asked.map((messages) => messages.at(-1)?.question),
      ["Is s3cret good?", "Is s3cret good?"],
    );
  });

  it("says so if a failure has no cause", async () => {
    const { fake, conversation, runs } = start();
    fake.script = () => says(step(1), { type: "failed", message: " ", early: false });
    conversation.ask("Why?");
    await settled();
    assert.equal(runs[0]?.reason, "The agent failed. The server gave no reason.");
  });

  it("does not send an empty question", async () => {
    const { fake, conversation, runs } = start();
    conversation.ask(" \n ");
    await settled();
    assert.equal(runs.length, 0);
    assert.equal(fake.asked.length, 0);
  });

  describe("with questions asked during a run", () => {
    const asks = ({ fake }: ReturnType<typeof start>) =>
      fake.asked.map((messages) => messages.at(-1)?.question);

    /** A conversation with a run that ends on demand, and queued questions. */
    async function startWaiting(...questions: string[]) {
      const started = start();
      const { fake, conversation } = started;
      let end: (event: StepEvent) => void = () => undefined;
      const ended = new Promise<StepEvent>((resolve) => (end = resolve));
      fake.script = async function* () {
        fake.script = () => says(answer);
        yield await ended;
      };
      for (const question of ["first", ...questions]) conversation.ask(question);
      await settled();
      return { ...started, end };
    }

    it("queues them and sends them one by one after the answer", async () => {
      const started = await startWaiting("second", "third s3cret");
      const { conversation, runs, end } = started;
      assert.deepEqual(asks(started), ["first"]);
      assert.deepEqual(conversation.transcript.waiting, ["second", "third ******"]);
      end(answer);
      await settled();
      assert.deepEqual(asks(started), ["first", "second", "third s3cret"]);
      assert.deepEqual(conversation.transcript.waiting, []);
      assert.deepEqual(
        runs.map(({ question }) => question),
        ["first", "second", "third ******"],
      );
    });

    it("removes a queued question", async () => {
      const started = await startWaiting("second", "third");
      started.conversation.removeWaiting("second");
      started.conversation.removeWaiting("never");
      started.end(answer);
      await settled();
      assert.deepEqual(asks(started), ["first", "third"]);
    });

    it("keeps them queued after Stop and after a failure", async () => {
      for (const fails of [true, false]) {
        const started = await startWaiting("second", "third");
        const { conversation } = started;
        if (fails) started.end({ type: "failed", message: "no", early: false });
        else conversation.stop();
        await settled();
        assert.deepEqual(asks(started), ["first"]);
        assert.deepEqual(conversation.transcript.waiting, ["second", "third"]);
        conversation.sendWaiting("third");
        await settled();
        assert.deepEqual(asks(started), ["first", "third", "second"]);
      }
    });

    it("restores them after a reload, and sends them only on request", async () => {
      const before = await startWaiting("second");
      before.conversation.abandon();
      const transcript = emptyTranscript({ chatId: "c", agent });
      for (const event of before.events) reduce(transcript, event);
      reduce(transcript, { type: "ended", run: 1, at: 5, state: "cutOff" });
      const { fake, conversation } = start({ transcript });
      await settled();
      assert.equal(fake.asked.length, 0);
      conversation.sendWaiting("second");
      await settled();
      assert.equal(fake.asked[0]?.at(-1)?.question, "second");
    });
  });

  it("sends the answered turns, then the new question with an empty answer", async () => {
    const { fake, conversation } = start();
    conversation.ask("one");
    await settled();
    fake.script = () => says();
    conversation.ask("without an answer");
    await settled();
    fake.script = () => says(answer);
    conversation.ask("two");
    await settled();
    assert.deepEqual(fake.asked[2], [
      { question: "one", answer: "42" },
      { question: "two", answer: "" },
    ]);
  });

  it("asks again in place of the run, with the turns before it, and keeps the earlier one", async () => {
    const { fake, conversation, runs } = start();
    conversation.retry();
    for (const question of ["one", "two", "three"]) {
      conversation.ask(question);
      await settled();
    }
    conversation.retry(2);
    await settled();
    conversation.retry(4);
    await settled();
    assert.deepEqual(
      runs.map(({ id, question, former = [] }) => [id, question, former.map((run) => run.id)]),
      [
        [1, "one", []],
        [5, "two", [2, 4]],
        [3, "three", []],
      ],
    );
    assert.deepEqual(
      fake.asked.at(-1)?.map(({ question }) => question),
      ["one", "two"],
    );
  });

  it("asks an edited question in a branch of its own, and sends the shown branch only", async () => {
    const { fake, conversation, runs, events } = start();
    const shown = () => runs.map(({ question }) => question);
    const sent = () => fake.asked.at(-1)?.map(({ question }) => question);
    for (const question of ["one", "two", "three"]) {
      conversation.ask(question);
      await settled();
    }
    conversation.editAndAsk(2, " second ");
    await settled();
    assert.deepEqual(
      [shown(), sent()],
      [
        ["one", "second"],
        ["one", "second"],
      ],
    );
    conversation.ask("third");
    await settled();
    assert.deepEqual(sent(), ["one", "second", "third"]);
    conversation.showBranch(2);
    assert.deepEqual(shown(), ["one", "two", "three"]);
    conversation.ask("four");
    await settled();
    assert.deepEqual(sent(), ["one", "two", "three", "four"]);
    conversation.showBranch(4);
    assert.deepEqual(shown(), ["one", "second", "third"]);
    const stored = emptyTranscript({ chatId: "c", agent });
    for (const event of events) reduce(stored, event);
    assert.deepEqual(stored, conversation.transcript);
  });

  it("neither edits nor switches during a run, nor edits what is not there", async () => {
    const { fake, conversation, runs } = start();
    conversation.ask("one");
    await settled();
    conversation.editAndAsk(1, "first");
    await settled();
    conversation.editAndAsk(1, "not shown");
    conversation.editAndAsk(2, " ");
    fake.script = (signal) => saysThenHangs(signal);
    conversation.ask("two");
    conversation.editAndAsk(2, "other");
    conversation.showBranch(1);
    assert.deepEqual(
      runs.map(({ question }) => question),
      ["first", "two"],
    );
    conversation.stop();
  });

  it("edits a question whose earlier answer is shown", async () => {
    const { conversation, runs } = start();
    conversation.ask("one");
    await settled();
    conversation.retry(1);
    await settled();
    conversation.editAndAsk(1, "first");
    await settled();
    conversation.retry(3);
    await settled();
    const [shown] = runs;
    assert.deepEqual(
      [shown?.id, shown?.former?.map(({ id }) => id), shown?.branches?.earlier[0]?.[0]?.id],
      [4, [3], 2],
    );
    assert.equal(shown?.former?.[0]?.branches, undefined);
  });

  it("sends the last answer of a question that failed when it was asked again", async () => {
    const { fake, conversation } = start();
    conversation.ask("one");
    await settled();
    fake.script = () => says(new AppError("cutOff", "broke"));
    conversation.retry(1);
    await settled();
    conversation.ask("two");
    await settled();
    assert.deepEqual(fake.asked.at(-1), [
      { question: "one", answer: "42" },
      { question: "two", answer: "" },
    ]);
  });

  it("asks the typed question if the page resends it as shown", async () => {
    const { fake, conversation } = start();
    for (const question of ["my s3cret", "my ******"]) {
      conversation.ask(question);
      await settled();
    }
    assert.equal(fake.asked[1]?.at(-1)?.question, "my s3cret");
  });

  describe("ends a run", () => {
    it("without an answer", async () => {
      const { fake, conversation, runs } = start();
      fake.script = () => says(step(1), { type: "end" });
      conversation.ask("x");
      await settled();
      assert.equal(runs[0]?.state, "noAnswer");
      assert.equal(runs[0]?.steps[0]?.state, "unfinished");
    });

    it("as stopped, at once, and ignores everything after that", async () => {
      const { fake, conversation, runs, events } = start();
      let release: () => void = () => undefined;
      fake.script = async function* () {
        yield step(1);
        await new Promise<void>((resolve) => (release = resolve));
        yield step(2);
        yield answer;
      };
      conversation.ask("x");
      await settled();
      conversation.stop();
      assert.equal(runs[0]?.state, "stopped");
      assert.equal(fake.signals[0]?.aborted, true);
      release();
      await settled();
      assert.equal(runs[0]?.steps.length, 1);
      assert.deepEqual(
        events.map(({ type }) => type),
        ["asked", "stepped", "ended"],
      );
    });

    it("as cut off, with everything received and the reason", async () => {
      const { fake, conversation, runs } = start();
      fake.script = () => says(step(1), new AppError("cutOff", "broke"));
      conversation.ask("x");
      await settled();
      assert.equal(runs[0]?.state, "cutOff");
      assert.equal(runs[0]?.reason, "explained: broke");
      assert.equal(runs[0]?.steps.length, 1);
    });

    it("as failed, with one action that helps", async () => {
      const { fake, conversation, runs, offers, logged } = start();
      const error = new AppError("signInNeeded", "who are you");
      fake.script = () => says(error);
      conversation.ask("x");
      await settled();
      assert.equal(runs[0]?.state, "failed");
      assert.equal(runs[0]?.reason, "explained: who are you");
      assert.deepEqual(offers, ["1: Sign In"]);
      assert.deepEqual(logged, [error]);
    });

    it("as failed, with the stream's reason in one line, and all of it in the details and the log", async () => {
      const { fake, conversation, runs, logged } = start();
      const message = "Agent streaming failed: 401\nTraceback …";
      fake.script = () => says({ type: "failed", message, early: false }, { type: "end" });
      conversation.ask("x");
      await settled();
      assert.equal(runs[0]?.state, "failed");
      assert.equal(runs[0]?.reason, "The agent failed: Agent streaming failed: 401");
      assert.equal(runs[0]?.detail, message);
      assert.equal((logged[0] as Error).message, message);
    });

    it("as failed, without details if the reason is complete", async () => {
      const { fake, conversation, runs } = start();
      fake.script = () => says({ type: "failed", message: "no such table", early: false });
      conversation.ask("x");
      await settled();
      assert.equal(runs[0]?.reason, "The agent failed: no such table");
      assert.equal(runs[0]?.detail, undefined);
    });

    it("as failed, with the language model's message instead of Python's", async () => {
      const message = "status_code: 429, model_name: m, body: {'message': 'Slow down'}";
      const scripts = [
        () => says({ type: "failed", message: `Agent streaming failed: ${message}`, early: false }),
        () => says(new AppError("serverFault", message)),
      ];
      for (const script of scripts) {
        const { fake, conversation, runs } = start();
        fake.script = script;
        conversation.ask("x");
        await settled();
        assert.equal(runs[0]?.reason, "The language model refused: rate limit reached (429)");
        assert.ok(runs[0]?.detail?.endsWith(message));
      }
    });

    it("as failed at the server's limit of steps", async () => {
      const { fake, conversation, runs } = start();
      fake.script = () => says({ type: "failed", message: "", early: false, stepLimit: true });
      conversation.ask("x");
      await settled();
      assert.equal(runs[0]?.state, "failed");
      assert.match(runs[0].reason ?? "", /^The agent reached the server's step limit before/);
    });

    it("as failed early if the server names no cause", async () => {
      const { fake, conversation, runs } = start();
      fake.script = () => says({ type: "failed", message: "Error in generator", early: true });
      conversation.ask("x");
      await settled();
      assert.match(runs[0]?.reason ?? "", /^The server failed before the agent started and gave/);
    });

    it("as failed if the agent was deleted, with the offer to create it again", async () => {
      const { fake, conversation, runs, offers } = start();
      fake.script = () => says(new AppError("notFound", "404", { status: 404 }));
      conversation.ask("x");
      await settled();
      assert.equal(runs[0]?.reason, "The agent sales no longer exists in mindsdb.");
      assert.deepEqual(offers, ["1: Create Agent Again"]);
    });

    it("as failed if the connection was removed, without a request", async () => {
      const { fake, conversation, runs } = start();
      fake.connection = undefined;
      conversation.ask("x");
      await settled();
      assert.equal(runs[0]?.reason, "The connection of this conversation has been removed.");
      assert.equal(fake.asked.length, 0);
    });

    it("as failed if it takes too long", async () => {
      const { fake, conversation, runs } = start({ timeLimit: () => 0.001 });
      fake.script = (signal) => saysThenHangs(signal, step(1));
      conversation.ask("x");
      await settled();
      await settled();
      assert.equal(runs[0]?.state, "failed");
      assert.match(runs[0]?.reason ?? "", /^No answer within 0\.001 s, the limit set by/);
      assert.equal(fake.signals[0]?.aborted, true);
    });

    it("but not when the window closes", async () => {
      const { fake, conversation, events } = start();
      fake.script = (signal) => saysThenHangs(signal, step(1));
      conversation.ask("x");
      await settled();
      conversation.abandon();
      await settled();
      assert.equal(fake.signals[0]?.aborted, true);
      assert.deepEqual(
        events.map(({ type }) => type),
        ["asked", "stepped"],
      );
    });
  });

  it("stores no secrets of servers or users, but sends the user's text unchanged", async () => {
    const { fake, conversation, events } = start();
    fake.script = () =>
      says(
        step(1, {
          label: "label s3cret",
          tool: "tool s3cret",
          parts: [{ kind: "input", text: "part s3cret" }],
        }),
        { type: "add", n: 1, state: "done", parts: [{ kind: "observation", text: "s3cret" }] },
        { type: "answer", format: "markdown", text: "answer s3cret" },
        { type: "failed", message: "s3cret", early: false },
        new AppError("serverFault", "s3cret"),
      );
    conversation.ask("my s3cret");
    await settled();
    assert.doesNotMatch(JSON.stringify([events, conversation.transcript]), /s3cret/);
    assert.equal(fake.asked[0]?.[0]?.question, "my s3cret");
  });

  it("sends follow-ups with the typed questions and answers, which are masked in the transcript", async () => {
    const { fake, conversation } = start();
    fake.script = () =>
      says({ type: "answer", format: "markdown", text: "answer s3cret" }, { type: "end" });
    conversation.ask("my s3cret");
    await settled();
    conversation.ask("And then?");
    await settled();
    assert.deepEqual(fake.asked[1], [
      { question: "my s3cret", answer: "answer s3cret" },
      { question: "And then?", answer: "" },
    ]);
    assert.doesNotMatch(JSON.stringify(conversation.transcript), /s3cret/);
  });
});
