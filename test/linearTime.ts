// Asserts linear time: twice the input can take at most 2.5 times as long.
import assert from "node:assert/strict";

/** ms; a shorter time says nothing, since a busy machine or a garbage collection adds as much. */
const usualFloorMs = 50;

const maxRatio = 2.5;

export interface LinearWork<Input> {
  /** What is done, for the message of a failure. */
  name: string;
  /** An input of about so many characters, bytes or items. */
  make: (size: number) => Input;
  run: (input: Input) => unknown;
  /** So large that what is not linear takes much longer than the floor, and what is linear does not reach it. */
  size?: number;
  floorMs?: number;
}

/** Throws AssertionError if the work on an input twice as large takes more than 2.5 times as long. */
export function assertLinear<Input>({
  name,
  make,
  run,
  size = 20_000,
  floorMs = usualFloorMs,
}: LinearWork<Input>): void {
  const single = make(size);
  const double = make(2 * size);
  if (millisecondsOf(() => run(double)) < floorMs) return;
  let best = { single: Infinity, double: Infinity };
  for (let attempt = 0; attempt < 5; attempt++) {
    // Alternate, so that load on the machine affects both.
    best = {
      single: Math.min(
        best.single,
        millisecondsOf(() => run(single)),
      ),
      double: Math.min(
        best.double,
        millisecondsOf(() => run(double)),
      ),
    };
    if (best.double < floorMs || best.double <= maxRatio * best.single) return;
  }
  assert.fail(
    `${name} is not linear: ${size} take ${best.single.toFixed(1)} ms, twice as many take ${best.double.toFixed(1)} ms`,
  );
}

/** The processor's time, in ms: on a busy machine the clock also counts the time of others. */
export function millisecondsOf(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
