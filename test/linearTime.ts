// Asserts linear time: four times the input can take at most two and a half times as long as four inputs, where quadratic work
// takes four times as long.
import assert from "node:assert/strict";

/** ms; a shorter time says nothing, since a busy machine or a garbage collection adds as much. */
const usualFloorMs = 50;

/** With room on both sides: on a busy machine large inputs suffer more, since their memory is shared with others. */
const maxRatio = 2.5;

/** How often the small input is worked on: a single time would be too short to be compared. */
const repetitions = 4;

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

/** Throws AssertionError if the work on a large input takes more than `maxRatio` times as long as that on four quarters of it. */
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
        millisecondsOf(() => {
          for (let count = 0; count < repetitions; count++) run(small);
        }),
      ),
      large: Math.min(
        best.large,
        millisecondsOf(() => run(large)),
      ),
    };
    if (best.large < floorMs || best.large <= maxRatio * best.small) return;
  }
  assert.fail(
    `${name} is not linear: four times ${size / 2} take ${best.small.toFixed(1)} ms, four times as many take ${best.large.toFixed(1)} ms`,
  );
}

/** The processor's time, in ms: on a busy machine the clock also counts the time of others. */
export function millisecondsOf(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
