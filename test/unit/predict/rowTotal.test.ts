import assert from "node:assert/strict";
import { readRows } from "../../../src/predict/rows/readRows.ts";
import { RowTotal } from "../../../src/predict/rows/rowTotal.ts";

/** The expected totals after each list of rows of a file that is read in large chunks. */
async function readTotals(file: Buffer, limit?: number): Promise<(number | undefined)[]> {
  const total = new RowTotal(file.length, limit);
  const chunks = Array.from({ length: Math.ceil(file.length / 1_000_000) }, (_, at) =>
    file.subarray(at * 1_000_000, (at + 1) * 1_000_000),
  );
  const totals: (number | undefined)[] = [];
  for await (const rows of readRows(chunks, "jsonLines", total)) {
    assert.ok(rows.length > 0);
    totals.push(total.expected?.rows);
  }
  assert.equal(total.expected?.isGuess, false);
  return [...totals, total.expected?.rows];
}

describe("the total of a file's rows", () => {
  const line = (index: number) => `{"sqft": ${10_000 + (index % 89_999)}, "location": "good"}\n`;
  const rows = 100_000;
  const file = Buffer.from(Array.from({ length: rows }, (_, index) => line(index)).join(""));

  it("is undefined at first, then a good estimate, and exact at the end", async () => {
    const found = await readTotals(file);
    assert.equal(found[0], undefined);
    assert.equal(found.at(-1), rows);
    const guesses = found.filter((total) => total !== undefined);
    assert.ok(guesses.length > found.length / 2);
    for (const guess of guesses) assert.ok(Math.abs(guess - rows) < 0.01 * rows, String(guess));
  });

  it("never exceeds the limit", async () => {
    const found = await readTotals(file, 7_000);
    assert.ok(found.every((total) => total === undefined || total === 7_000));
    const total = new RowTotal(1_000, 10);
    total.add(10, 20);
    assert.deepEqual(total.expected, { rows: 10, isGuess: false });
  });

  it("is exact for rows that are in memory already", () => {
    const total = new RowTotal(0);
    total.add(3, 0);
    total.end();
    assert.deepEqual(total.expected, { rows: 3, isGuess: false });
  });
});
