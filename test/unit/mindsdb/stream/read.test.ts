import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../../../src/mindsdb/errors.ts";
import { maxFrameLength } from "../../../../src/mindsdb/stream/frameParser.ts";
import { readSteps, type ReadOptions } from "../../../../src/mindsdb/stream/readSteps.ts";
import type { StepEvent } from "../../../../src/mindsdb/stream/stepEvents.ts";
import { bodyOf, toBytes } from "./recorded.ts";

const answer = 'data: {"type": "data", "text": "42"}\n\n';
const end = 'data: {"type": "end"}\n\n';
const never = () => new Promise<void>(() => undefined);

/** A body that stays open after its texts and records how it was read. */
class OpenBody {
  readonly texts: string[];
  reads = 0;
  returned = false;
  close = (): Promise<IteratorResult<Uint8Array>> =>
    Promise.resolve({ done: true, value: undefined });

  constructor(...texts: string[]) {
    this.texts = texts;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return {
      next: () => {
        const text = this.texts[this.reads++];
        return text === undefined
          ? new Promise(() => undefined)
          : Promise.resolve({ done: false, value: toBytes(text) });
      },
      return: () => {
        this.returned = true;
        return this.close();
      },
    };
  }
}

/** Returns the events and the error that was thrown, if any. */
async function read(
  body: AsyncIterable<Uint8Array>,
  options?: ReadOptions,
): Promise<{ events: StepEvent[]; error: unknown }> {
  const events: StepEvent[] = [];
  try {
    for await (const event of readSteps(body, options)) events.push(event);
    return { events, error: undefined };
  } catch (error) {
    return { events, error };
  }
}

function bodyOfTexts(texts: string[], then?: () => Promise<void>): AsyncIterable<Uint8Array> {
  return bodyOf(texts.map(toBytes), then);
}

const types = (events: StepEvent[]) => events.map(({ type }) => type);

function assertKind(error: unknown, kind: string): asserts error is AppError {
  assert.ok(error instanceof AppError, String(error));
  assert.equal(error.kind, kind);
}

describe("reading an agent's answer", () => {
  it("ends when the body closes after an end event", async () => {
    const { events, error } = await read(bodyOfTexts([answer, end]));
    assert.equal(error, undefined);
    assert.deepEqual(types(events), ["answer", "end"]);
  });

  it("keeps events between two end events, and reports one end", async () => {
    const { events, error } = await read(bodyOfTexts([end, answer, end]));
    assert.equal(error, undefined);
    assert.deepEqual(types(events), ["end", "answer"]);
  });

  it("ends some time after the first end event if the body stays open, and closes it", async () => {
    const body = new OpenBody(answer, end);
    const { events, error } = await read(body, { graceMs: 20 });
    assert.equal(error, undefined);
    assert.deepEqual(types(events), ["answer", "end"]);
    assert.ok(body.returned);
  });

  it("waits for the given time after the first end event", async () => {
    const late = async function* () {
      yield toBytes(end);
      await sleep(30);
      yield toBytes(answer);
      await never();
    };
    assert.deepEqual(types((await read(late(), { graceMs: 5 })).events), ["end"]);
    assert.deepEqual(types((await read(late(), { graceMs: 300 })).events), ["end", "answer"]);
  });

  it("is incomplete if the body closes without an end event", async () => {
    const { events, error } = await read(bodyOfTexts([answer]));
    assert.deepEqual(types(events), ["answer"]);
    assertKind(error, "cutOff");
    assert.equal(error.cause, undefined);
  });

  it("is incomplete if the body is empty", async () => {
    assertKind((await read(bodyOfTexts([]))).error, "cutOff");
  });

  it("shows the received part of a truncated frame", async () => {
    const { events, error } = await read(bodyOfTexts([answer, 'data: {"type": "e']));
    assertKind(error, "cutOff");
    assert.deepEqual(events.at(-1), {
      type: "step",
      step: {
        n: 1,
        kind: "unknown",
        state: "done",
        parts: [{ kind: "raw", text: '{"type": "e' }],
      },
    });
  });

  it("is incomplete, with the cause, if the body fails", async () => {
    const cause = new Error("other side closed");
    const { events, error } = await read(
      bodyOfTexts([answer, 'data: {"ty'], () => Promise.reject(cause)),
    );
    assert.deepEqual(types(events), ["answer", "step"]);
    assertKind(error, "cutOff");
    assert.equal(error.cause, cause);
  });

  it("passes the body's own AppError on", async () => {
    const cause = new AppError("timeout", "Nothing came for 10 s.");
    const { error } = await read(bodyOfTexts([answer], () => Promise.reject(cause)));
    assert.equal(error, cause);
  });

  it("ignores a body that fails after the end event", async () => {
    const broken = () => Promise.reject(new Error("reset"));
    assert.equal((await read(bodyOfTexts([answer, end], broken))).error, undefined);
  });

  it("fails for an event over the limit, after the events before it", async () => {
    const large = `data: ${"x".repeat(maxFrameLength + 1)}\n\n`;
    const { events, error } = await read(bodyOfTexts([answer + large + end]));
    assert.deepEqual(types(events), ["answer"]);
    assertKind(error, "tooLarge");
  });

  it("closes the body when the reader leaves early", async () => {
    const body = new OpenBody(answer + answer, end);
    for await (const event of readSteps(body)) {
      assert.equal(event.type, "answer");
      break;
    }
    assert.ok(body.returned);
    assert.equal(body.reads, 1);
  });

  describe("when aborted", () => {
    it("rejects with the signal's reason even if no data arrives, and closes the body", async () => {
      const body = new OpenBody(answer);
      const stop = new AbortController();
      const reading = read(body, { signal: stop.signal });
      await sleep(10);
      const reason = new Error("stop");
      stop.abort(reason);
      const { events, error } = await reading;
      assert.deepEqual(types(events), ["answer"]);
      assert.equal(error, reason);
      assert.ok(body.returned);
    });

    it("does not read if it was aborted before", async () => {
      const body = new OpenBody(answer, end);
      const { events, error } = await read(body, { signal: AbortSignal.abort("before") });
      assert.deepEqual(events, []);
      assert.equal(error, "before");
      assert.equal(body.reads, 0);
      assert.ok(body.returned);
    });

    it("rejects if that was between two reads", async () => {
      const stop = new AbortController();
      const steps = readSteps(new OpenBody(answer), { signal: stop.signal });
      await steps.next();
      stop.abort(new Error("stop"));
      await assert.rejects(steps.next(), /stop/);
    });

    it("stops in the middle of a chunk", async () => {
      const stop = new AbortController();
      const steps = readSteps(new OpenBody(answer.repeat(100)), { signal: stop.signal });
      let count = 0;
      const reading = async () => {
        for await (const event of steps) {
          assert.equal(event.type, count % 2 === 0 ? "answer" : "step");
          if (++count === 10) stop.abort(new Error("stop"));
        }
      };
      await assert.rejects(reading, /stop/);
      assert.equal(count, 10);
    });

    it("returns normally after an end event, because the answer is complete", async () => {
      const body = new OpenBody(answer, end);
      const stop = new AbortController();
      const reading = read(body, { signal: stop.signal });
      await sleep(10);
      stop.abort();
      const { events, error } = await reading;
      assert.equal(error, undefined);
      assert.deepEqual(types(events), ["answer", "end"]);
    });

    it("rejects with the signal's reason if the body fails because of the abort", async () => {
      const stop = new AbortController();
      const failing = () => {
        stop.abort("stopped");
        return Promise.reject(new Error("socket closed"));
      };
      const { error } = await read(bodyOfTexts([answer], failing), { signal: stop.signal });
      assert.equal(error, "stopped");
    });
  });

  it("passes on every raw frame after its events, and none after the reader stopped", async () => {
    const order: string[] = [];
    const onFrame = (frame: string): void => void order.push(frame);
    const texts = [answer + 'data: {"type": "mystery"}\n\n', "data: not JSON\n\n" + end + end];
    for await (const event of readSteps(bodyOfTexts(texts), { onFrame })) order.push(event.type);
    assert.deepEqual(order, [
      ...["answer", '{"type": "data", "text": "42"}'],
      ...["step", '{"type": "mystery"}'],
      ...["step", "not JSON"],
      ...["end", '{"type": "end"}', '{"type": "end"}'],
    ]);
    const frames: string[] = [];
    const steps = readSteps(bodyOfTexts(texts), { onFrame: (frame) => void frames.push(frame) });
    await steps.next();
    await steps.return(undefined);
    assert.deepEqual(frames, []);
  });

  it("removes its listeners from the signal", async () => {
    const { signal } = new AbortController();
    await read(bodyOfTexts([answer, end]), { signal });
    await read(bodyOfTexts([answer]), { signal });
    assert.equal(getEventListeners(signal, "abort").length, 0);
  });

  it("ignores a body that fails to close", async () => {
    const unhandled: unknown[] = [];
    const keep = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", keep);
    const body = new OpenBody(end);
    body.close = () => Promise.reject(new Error("cannot"));
    assert.equal((await read(body, { graceMs: 5 })).error, undefined);
    await sleep(5);
    process.off("unhandledRejection", keep);
    assert.deepEqual(unhandled, []);
  });
});
