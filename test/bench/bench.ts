// What the benchmarks share: rows of two things measured side by side, and their table.

/** One measurement: `value` is ours, `against` what it is held to, `ratio` the first by the second. */
export interface BenchRow {
  name: string;
  value: number;
  against: number;
  ratio: number;
  /** The largest ratio that is within the budget. */
  budget: number;
  /** Of `value` and `against`, like "ms". */
  unit: string;
}

const rounds = 5;

/**
 * Measures two functions in turn, five rounds after one to warm up, and compares the medians. `times` is how often
 * each is called in a round, for what is too short to be timed once; the row is for one call.
 */
export function compare(
  name: string,
  budget: number,
  { ours, other, times = 1 }: { ours: () => void; other: () => void; times?: number },
): BenchRow {
  const our: number[] = [];
  const their: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const [mine, theirs] = [timeOf(ours, times), timeOf(other, times)];
    if (round === 0) continue;
    our.push(mine);
    their.push(theirs);
  }
  const value = median(our);
  const against = median(their);
  return { name, value, against, ratio: value / against, budget, unit: "ms" };
}

/** ms for one call. */
function timeOf(work: () => void, times: number): number {
  const start = performance.now();
  for (let count = 0; count < times; count++) work();
  return (performance.now() - start) / times;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Prints rows as a table; true if all are within their budgets. */
export function printRows(rows: readonly BenchRow[]): boolean {
  const width = Math.max(...rows.map(({ name }) => name.length));
  for (const { name, value, against, ratio, budget, unit } of rows) {
    const verdict = ratio <= budget ? "" : "  over budget";
    console.log(
      `${name.padEnd(width)} ${number(value)} ${unit} against ${number(against)} ${unit}` +
        `  ${ratio.toFixed(2)} (at most ${String(budget)})${verdict}`,
    );
  }
  return rows.every(({ ratio, budget }) => ratio <= budget);
}

function number(value: number): string {
  return value.toFixed(value < 10 ? 2 : 0).padStart(8);
}
