// Asserts linear time: four times the input can take at most eight times as long, where quadratic work takes sixteen.
import assert from "node:assert/strict";

/** ms; a shorter time says nothing, since a busy machine or a garbage collection adds as much. */
const usualFloorMs = 50;

/** With room on both sides: on a busy machine large inputs suffer more, since their memory is shared with others. */
const maxRatio = 8;

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

/** Throws AssertionError if the work on an input four times as large takes more than eight times as long. */
export function assertLinear<Input>({
  name,
  make,
  run,
  size = 20_000,
  floorMs = usualFloorMs,
}: LinearWork<Input>): void {
  const small = make(size / 2);
  const large = make(2 * size);
  if (millisecondsOf(() => run(large)) < floorMs) return;
  let best = { small: Infinity, large: Infinity };
  for (let attempt = 0; attempt < 5; attempt++) {
    // Alternate, so that load on the machine affects both.
    best = {
      small: Math.min(
        best.small,
        millisecondsOf(() => run(small)),
      ),
      large: Math.min(
        best.large,
        millisecondsOf(() => run(large)),
      ),
    };
    if (best.large < floorMs || best.large <= maxRatio * best.small) return;
  }
  assert.fail(
    `${name} is not linear: ${size / 2} take ${best.small.toFixed(1)} ms, four times as many take ${best.large.toFixed(1)} ms`,
  );
}

/** The processor's time, in ms: on a busy machine the clock also counts the time of others. */
export function millisecondsOf(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
