import assert from "node:assert/strict";
import { RunHistory, summarizeRuns } from "../../../src/agentTests/runs/runHistory.ts";

const passed = (tookMs: number) => ({ state: "passed" as const, tookMs, messages: [] });
const failed = (message: string, tookMs = 1) => ({
  state: "failed" as const,
  tookMs,
  messages: [message, "another assertion"],
});

describe("The history of tests", () => {
  it("counts passed runs and keeps the reason of the last failure", () => {
    const history = new RunHistory();
    history.add("a", failed("no dog", 300));
    history.add("a", failed("no cat", 400));
    history.add("a", passed(100.4));
    history.add("a", { state: "error", tookMs: 900, messages: [] });
    history.add("a", failed("no bird", 2_000));
    history.add("a", passed(200));
    const runs = history.find("a")!;
    assert.deepEqual(summarizeRuns(runs), { count: 6, passed: 2, medianMs: 350 });
    assert.equal(runs.reason, "no bird");
    const again = new RunHistory(JSON.parse(JSON.stringify(history.stored)));
    assert.deepEqual(again.find("a"), runs);
  });

  it("forgets the reason with the last run that failed", () => {
    const history = new RunHistory();
    history.add("a", failed("no dog"));
    for (let count = 1; count < 10; count++) history.add("a", passed(1));
    assert.equal(history.find("a")?.reason, "no dog");
    history.add("a", passed(1));
    assert.equal(history.find("a")?.reason, undefined);
  });

  it("is bounded in runs, tests and length", () => {
    const history = new RunHistory();
    for (let at = 0; at < 50; at++) history.add("a", failed("x".repeat(10_000), at));
    assert.deepEqual(summarizeRuns(history.find("a")!), { count: 10, passed: 0, medianMs: 44.5 });
    assert.equal(history.find("a")?.reason?.length, 300);
    for (let at = 0; at < 600; at++) history.add(`test ${String(at)}`, passed(1));
    assert.equal(history.stored.length, 500);
    assert.equal(history.find("a"), undefined);
    assert.ok(history.find("test 599"));
    assert.equal(new RunHistory(history.stored).stored.length, 500);
  });

  it("starts empty where something else is stored", () => {
    for (const stored of [
      undefined,
      null,
      1,
      [["a"]],
      [["a", { runs: "x" }]],
      [["a", { runs: [] }]],
    ]) {
      assert.deepEqual(new RunHistory(stored).stored, []);
    }
  });
});
