// Lists of a server, which may have any number of rows.
import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { readInSlices } from "../../../src/mindsdb/readInSlices.ts";

describe("the rows of a list", () => {
  it("let other tasks run while they are read, in their order", async () => {
    let turns = 0;
    let isReading = true;
    void (async () => {
      while (isReading) {
        await turn();
        turns++;
      }
    })();
    const read = (row: number): number => {
      const end = performance.now() + 15;
      while (performance.now() < end);
      return row * 2;
    };
    const items = await readInSlices([1, 2, 3, 4], read);
    isReading = false;
    assert.deepEqual(items, [2, 4, 6, 8]);
    assert.ok(turns >= 3, String(turns));
  });
});
