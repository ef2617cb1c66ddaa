import assert from "node:assert/strict";
import { readRows } from "../../../src/predict/rows/readRows.ts";
import { RowTotal } from "../../../src/predict/rows/rowTotal.ts";

/** What is expected after each lot of rows of a file that is read in large chunks. */
async function totals(file: Buffer, limit?: number): Promise<(number | undefined)[]> {
  const total = new RowTotal(file.length, limit);
  let bytesRead = 0;
  const chunks = Array.from({ length: Math.ceil(file.length / 1_000_000) }, (_, at) =>
    file.subarray(at * 1_000_000, (at + 1) * 1_000_000),
  );
  const said: (number | undefined)[] = [];
  for await (const rows of readRows(chunks, "jsonLines", (bytes) => (bytesRead = bytes))) {
    total.add(rows.length, bytesRead);
    said.push(total.expected?.rows);
  }
  total.end();
  assert.equal(total.expected?.isGuess, false);
  return [...said, total.expected?.rows];
}

describe("the total of a file's rows", () => {
  const line = (index: number) => `{"sqft": ${10_000 + (index % 89_999)}, "location": "good"}\n`;
  const rows = 100_000;
  const file = Buffer.from(Array.from({ length: rows }, (_, index) => line(index)).join(""));

  it("is not said until there is something to tell it from, is near the truth then, and true in the end", async () => {
    const said = await totals(file);
    assert.equal(said[0], undefined);
    assert.equal(said.at(-1), rows);
    const guesses = said.filter((total) => total !== undefined);
    assert.ok(guesses.length > said.length / 2);
    for (const guess of guesses) assert.ok(Math.abs(guess - rows) < 0.01 * rows, String(guess));
  });

  it("is no more than the limit", async () => {
    const said = await totals(file, 7_000);
    assert.ok(said.every((total) => total === undefined || total === 7_000));
    const total = new RowTotal(1_000, 10);
    total.add(10, 20);
    assert.deepEqual(total.expected, { rows: 10, isGuess: false });
  });

  it("is known for rows that are there already", () => {
    const total = new RowTotal(0);
    total.add(3, 0);
    total.end();
    assert.deepEqual(total.expected, { rows: 3, isGuess: false });
  });
});
