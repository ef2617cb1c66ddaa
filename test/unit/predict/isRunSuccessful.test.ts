import assert from "node:assert/strict";
import type { RunState } from "../../../src/predict/messages.ts";
import { isRunSuccessful } from "../../../src/predict/run/isRunSuccessful.ts";

describe("A cell's mark", () => {
  const mark = (kind: RunState["kind"], count = 0, refused = 0) =>
    isRunSuccessful({ state: { kind, message: "" }, count, refused, notes: [] });

  it("is a check where rows were predicted, or none were asked for", () => {
    assert.deepEqual([mark("done", 20, 0), mark("done", 20, 19), mark("done")], [true, true, true]);
  });

  it("is a cross where the server refused every row, and after a failure", () => {
    assert.deepEqual(
      [mark("done", 20, 20), mark("failed"), mark("blocked")],
      [false, false, false],
    );
  });

  it("is none after a stop", () => {
    assert.equal(mark("stopped", 5, 5), undefined);
  });
});
