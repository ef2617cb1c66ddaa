// When a run is drawn.
import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import type { RunState } from "../../../src/predict/messages.ts";
import { DrawSchedule } from "../../../src/predict/run/drawSchedule.ts";
import { eventually } from "../../e2e/lib/eventually.ts";

describe("the drawing of a run", () => {
  let state: RunState;
  let drawn: string[];

  function schedule(intervalMs: number): DrawSchedule {
    drawn = [];
    state = { kind: "running" };
    const run = {
      get isRunning() {
        return ["running", "waiting", "paused"].includes(state.kind);
      },
      get progress() {
        return { state, count: 0, refused: 0, notes: [] };
      },
    };
    const add = (what: string) => () => Promise.resolve(void drawn.push(what));
    const drawing = {
      draw: add("all"),
      postProgress: () => void add("progress")(),
      drawEnd: add("end"),
    };
    return new DrawSchedule(run, drawing, { first: intervalMs, progress: intervalMs });
  }

  it("happens once where the run ends soon", async () => {
    const soon = schedule(10_000);
    soon.update();
    await setTimeout(50);
    soon.update();
    state = { kind: "done" };
    soon.update();
    assert.deepEqual(drawn, []);
    await soon.end();
    assert.deepEqual(drawn, ["all"]);
  });

  it("begins during a long run, tells of its progress now and then, and of its end", async () => {
    const long = schedule(60);
    await eventually(() => assert.deepEqual(drawn, ["all"]));
    for (let update = 0; update < 10; update++) long.update();
    assert.deepEqual(drawn, ["all", "progress"]);
    await eventually(() => assert.deepEqual(drawn, ["all", "progress", "progress"]));
    state = { kind: "done" };
    await long.end();
    assert.equal(drawn.at(-1), "end");
  });

  it("does not wait where the user must decide", async () => {
    const paused = schedule(10_000);
    state = { kind: "paused", message: "The server is gone." };
    paused.update();
    assert.deepEqual(drawn, ["all"]);
    paused.update();
    state = { kind: "running" };
    paused.update();
    assert.deepEqual(drawn, ["all", "progress", "progress"]);
    state = { kind: "stopped" };
    await paused.end();
    assert.equal(drawn.at(-1), "end");
  });

  it("ends with the run, also if that failed", async () => {
    const failed = schedule(20);
    failed.dispose();
    await setTimeout(60);
    assert.deepEqual(drawn, []);
  });
});
