// The texts of a server's lists, from which secrets are taken out: they may have any length and any number.
import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { readInSlices, redactListed } from "../../../src/mindsdb/redact/redactList.ts";
import { Secrets } from "../../../src/mindsdb/redact/redact.ts";

describe("the texts of a list", () => {
  it("are cut where they are longer than any statement, and have no secrets", () => {
    const secrets = new Secrets();
    secrets.learn({ password: "canary-4711" });
    const shown = redactListed(`SELECT 'canary-4711'${" ".repeat(10_000_000)}`, secrets);
    assert.ok(shown.length <= 100_000 && shown.length > 99_000, String(shown.length));
    assert.doesNotMatch(shown, /canary/);
    assert.equal(redactListed("SELECT 1", secrets), "SELECT 1");
  });

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
