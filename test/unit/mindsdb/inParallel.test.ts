// Many requests to one server, a few of them at a time.
import assert from "node:assert/strict";
import { setImmediate as pause } from "node:timers/promises";
import { inParallel } from "../../../src/mindsdb/http/inParallel.ts";

describe("work for many items", () => {
  it("is done for three at a time, and its results are in the items' order", async () => {
    let [now, most] = [0, 0];
    const results = await inParallel([5, 1, 4, 2, 3], async (turns) => {
      most = Math.max(most, ++now);
      for (let turn = 0; turn < turns; turn++) await pause();
      now--;
      return 10 * turns;
    });
    assert.deepEqual(results, [50, 10, 40, 20, 30]);
    assert.equal(most, 3);
  });

  it("fails as the first of them fails", async () => {
    const work = (item: number) =>
      item === 2 ? Promise.reject(new Error("two")) : Promise.resolve(item);
    await assert.rejects(inParallel([1, 2, 3], work), { message: "two" });
  });

  it("is nothing without items", async () => {
    assert.deepEqual(await inParallel([], () => Promise.reject(new Error("asked"))), []);
  });
});
