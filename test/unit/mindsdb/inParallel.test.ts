// Many requests to one server, a few at a time.
import assert from "node:assert/strict";
import { setImmediate as pause } from "node:timers/promises";
import { inParallel } from "../../../src/mindsdb/http/inParallel.ts";

describe("work for many items", () => {
  it("runs for three items at a time and returns results in the order of the items", async () => {
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

  it("fails with the first error", async () => {
    const work = (item: number) =>
      item === 2 ? Promise.reject(new Error("two")) : Promise.resolve(item);
    await assert.rejects(inParallel([1, 2, 3], work), { message: "two" });
  });

  it("returns nothing without items", async () => {
    assert.deepEqual(await inParallel([], () => Promise.reject(new Error("asked"))), []);
  });
});
