import assert from "node:assert/strict";
import { AdaptiveConcurrency } from "../../../src/predict/run/adaptiveConcurrency.ts";

/** Runs for a time against a server that answers so many rows a second; gives the concurrency at each answer. */
function run(
  max: number,
  seconds: number,
  rowsPerSecond: (concurrency: number) => number,
): number[] {
  let ms = 0;
  const concurrency = new AdaptiveConcurrency(max, { now: () => ms });
  const seen: number[] = [];
  while (ms < seconds * 1_000) {
    seen.push(concurrency.current);
    ms += 1_000_000 / rowsPerSecond(concurrency.current);
    concurrency.answered(1_000);
  }
  return seen;
}

const highest = (seen: number[]) => Math.max(...seen);

describe("the concurrency of a run", () => {
  it("stays at one request for a run of less than ten seconds", () => {
    assert.equal(highest(run(4, 9.5, (concurrency) => 2_000 * concurrency)), 1);
  });

  it("stays at one request if no more are allowed", () => {
    assert.equal(highest(run(1, 600, (concurrency) => 2_000 * concurrency)), 1);
  });

  it("grows to the maximum if each further request makes the run faster", () => {
    const seen = run(4, 120, (concurrency) => 2_000 * concurrency);
    assert.equal(seen.at(-1), 4);
  });

  it("returns to one for good if a second request gains nothing", () => {
    const seen = run(4, 600, () => 2_000);
    assert.equal(highest(seen), 2);
    assert.equal(seen.at(-1), 1);
    assert.equal(seen.lastIndexOf(2) < seen.length / 2, true);
  });

  it("decreases if the server becomes slower", () => {
    const seen = run(4, 600, (concurrency) => (concurrency === 1 ? 2_000 : 500));
    assert.equal(seen.at(-1), 1);
  });
});
