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
  /** Asks one question after the other, and waits each time until all that follows has happened. */
  const ask = async (...questions: string[]): Promise<void> => {
    for (const question of questions) {
      conversation.ask(question);
      await settled();
    }
  };
  const retry = async (run?: number): Promise<void> => {
    conversation.retry(run);
    await settled();
  };
  const { runs } = conversation.transcript;
  return { fake, conversation, ask, retry, events, frames, offers, logged, runs };
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
    const { fake, ask, frames } = start();
    fake.frames = ['{"type":"start","trace_id":"t-1"}', '{"api_key":"s3cret"}'];
    await ask("How much?");
    assert.deepEqual(frames, ['1: {"type":"start","trace_id":"t-1"}', '1: {"api_key":"******"}']);
  });

  it("asks again with the typed question, though it stores it redacted", async () => {
    const { fake, ask, retry, runs } = start();
    await ask("Is s3cret good?");
    await retry();
    assert.deepEqual(
      runs.flatMap(({ question, former = [] }) => [question, former[0]?.question]),
      ["Is ****** good?", "Is ****** good?"],
    );
    assert.deepEqual(
      fake.asked.map((messages) => messages.at(-1)?.question),
      ["Is s3cret good?", "Is s3cret good?"],
    );
  });

  it("does not send an empty question", async () => {
    const { fake, ask, runs } = start();
    await ask(" \n ");
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
    const { fake, ask } = start();
    await ask("one");
    fake.script = () => says();
    await ask("without an answer");
    fake.script = () => says(answer);
    await ask("two");
    assert.deepEqual(fake.asked[2], [
      { question: "one", answer: "42" },
      { question: "two", answer: "" },
    ]);
  });

  it("asks again in place of the run, with the turns before it, and keeps the earlier one", async () => {
    const { fake, conversation, ask, retry, runs } = start();
    conversation.retry();
    await ask("one", "two", "three");
    await retry(2);
    await retry(4);
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
    const { fake, conversation, ask, runs, events } = start();
    const shown = () => runs.map(({ question }) => question);
    const sent = () => fake.asked.at(-1)?.map(({ question }) => question);
    await ask("one", "two", "three");
    conversation.editAndAsk(2, " second ");
    await settled();
    assert.deepEqual(
      [shown(), sent()],
      [
        ["one", "second"],
        ["one", "second"],
      ],
    );
    await ask("third");
    assert.deepEqual(sent(), ["one", "second", "third"]);
    conversation.showBranch(2);
    assert.deepEqual(shown(), ["one", "two", "three"]);
    await ask("four");
    assert.deepEqual(sent(), ["one", "two", "three", "four"]);
    conversation.showBranch(4);
    assert.deepEqual(shown(), ["one", "second", "third"]);
    const stored = emptyTranscript({ chatId: "c", agent });
    for (const event of events) reduce(stored, event);
    assert.deepEqual(stored, conversation.transcript);
  });

  it("neither edits nor switches during a run, nor edits what is not there", async () => {
    const { fake, conversation, ask, runs } = start();
    await ask("one");
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
    const { conversation, ask, retry, runs } = start();
    await ask("one");
    await retry(1);
    conversation.editAndAsk(1, "first");
    await settled();
    await retry(3);
    const [shown] = runs;
    assert.deepEqual(
      [shown?.id, shown?.former?.map(({ id }) => id), shown?.branches?.earlier[0]?.[0]?.id],
      [4, [3], 2],
    );
    assert.equal(shown?.former?.[0]?.branches, undefined);
  });

  it("sends the last answer of a question that failed when it was asked again", async () => {
    const { fake, ask, retry } = start();
    await ask("one");
    fake.script = () => says(new AppError("cutOff", "broke"));
    await retry(1);
    await ask("two");
    assert.deepEqual(fake.asked.at(-1), [
      { question: "one", answer: "42" },
      { question: "two", answer: "" },
    ]);
  });

  it("asks the typed question if the page resends it as shown", async () => {
    const { fake, ask } = start();
    await ask("my s3cret", "my ******");
    assert.equal(fake.asked[1]?.at(-1)?.question, "my s3cret");
  });

  describe("ends a run", () => {
    it("without an answer", async () => {
      const { fake, ask, runs } = start();
      fake.script = () => says(step(1), { type: "end" });
      await ask("x");
      assert.equal(runs[0]?.state, "noAnswer");
      assert.equal(runs[0]?.steps[0]?.state, "unfinished");
    });

    it("as stopped, at once, and ignores everything after that", async () => {
      const { fake, conversation, ask, runs, events } = start();
      let release: () => void = () => undefined;
      fake.script = async function* () {
        yield step(1);
        await new Promise<void>((resolve) => (release = resolve));
        yield step(2);
        yield answer;
      };
      await ask("x");
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
      const { fake, ask, runs } = start();
      fake.script = () => says(step(1), new AppError("cutOff", "broke"));
      await ask("x");
      assert.equal(runs[0]?.state, "cutOff");
      assert.equal(runs[0]?.reason, "explained: broke");
      assert.equal(runs[0]?.steps.length, 1);
    });

    it("as failed, with one action that helps", async () => {
      const { fake, ask, runs, offers, logged } = start();
      const error = new AppError("signInNeeded", "who are you");
      fake.script = () => says(error);
      await ask("x");
      assert.equal(runs[0]?.state, "failed");
      assert.equal(runs[0]?.reason, "explained: who are you");
      assert.deepEqual(offers, ["1: Sign In"]);
      assert.deepEqual(logged, [error]);
    });

    it("as failed, with the stream's reason in one line, and all of it in the details and the log", async () => {
      const { fake, ask, runs, logged } = start();
      const message = "Agent streaming failed: 401\nTraceback …";
      fake.script = () => says({ type: "failed", message, early: false }, { type: "end" });
      await ask("x");
      assert.equal(runs[0]?.state, "failed");
      assert.equal(runs[0]?.reason, "The agent failed: Agent streaming failed: 401");
      assert.equal(runs[0]?.detail, message);
      assert.equal((logged[0] as Error).message, message);
    });

    const failed = (message: string, more = {}): StepEvent => {
      return { type: "failed", message, early: false, ...more };
    };
    const ofModel = "status_code: 429, model_name: m, body: {'message': 'Slow down'}";
    const inStream = `Agent streaming failed: ${ofModel}`;
    const refused = /^The language model refused: rate limit reached \(429\)$/;
    const failures: [how: string, event: StepEvent | Error, reason: RegExp, detail?: string][] = [
      [
        "without details of a complete reason",
        failed("no such table"),
        /^The agent failed: no such table$/,
      ],
      [
        "which it says without a cause",
        failed(" "),
        /^The agent failed\. The server gave no reason\.$/,
      ],
      ["with the model's message, not Python's", failed(inStream), refused, inStream],
      ["with that of an answer", new AppError("serverFault", ofModel), refused, ofModel],
      [
        "at the server's limit of steps",
        failed("", { stepLimit: true }),
        /^The agent reached the server's step limit before/,
      ],
      [
        "early if the server names no cause",
        failed("Error in generator", { early: true }),
        /^The server failed before the agent started and gave/,
      ],
    ];
    for (const [how, event, reason, detail] of failures) {
      it(`as failed, ${how}`, async () => {
        const { fake, ask, runs } = start();
        fake.script = () => says(step(1), event);
        await ask("x");
        assert.equal(runs[0]?.state, "failed");
        assert.match(runs[0].reason ?? "", reason);
        assert.equal(runs[0].detail, detail);
      });
    }

    it("as failed if the agent was deleted, with the offer to create it again", async () => {
      const { fake, ask, runs, offers } = start();
      fake.script = () => says(new AppError("notFound", "404", { status: 404 }));
      await ask("x");
      assert.equal(runs[0]?.reason, "The agent sales no longer exists in mindsdb.");
      assert.deepEqual(offers, ["1: Create Agent Again"]);
    });

    it("as failed if the connection was removed, without a request", async () => {
      const { fake, ask, runs } = start();
      fake.connection = undefined;
      await ask("x");
      assert.equal(runs[0]?.reason, "The connection of this conversation has been removed.");
      assert.equal(fake.asked.length, 0);
    });

    it("as failed if it takes too long", async () => {
      const { fake, ask, runs } = start({ timeLimit: () => 0.001 });
      fake.script = (signal) => saysThenHangs(signal, step(1));
      await ask("x");
      await settled();
      assert.equal(runs[0]?.state, "failed");
      assert.match(runs[0]?.reason ?? "", /^No answer within 0\.001 s, the limit set by/);
      assert.equal(fake.signals[0]?.aborted, true);
    });

    it("but not when the window closes", async () => {
      const { fake, conversation, ask, events } = start();
      fake.script = (signal) => saysThenHangs(signal, step(1));
      await ask("x");
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
    const { fake, conversation, ask, events } = start();
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
    await ask("my s3cret");
    assert.doesNotMatch(JSON.stringify([events, conversation.transcript]), /s3cret/);
    assert.equal(fake.asked[0]?.[0]?.question, "my s3cret");
  });

  it("sends follow-ups with the typed questions and answers, which are masked in the transcript", async () => {
    const { fake, conversation, ask } = start();
    fake.script = () =>
      says({ type: "answer", format: "markdown", text: "answer s3cret" }, { type: "end" });
    await ask("my s3cret");
    await ask("And then?");
    assert.deepEqual(fake.asked[1], [
      { question: "my s3cret", answer: "answer s3cret" },
      { question: "And then?", answer: "" },
    ]);
    assert.doesNotMatch(JSON.stringify(conversation.transcript), /s3cret/);
  });
});
