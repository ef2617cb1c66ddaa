import assert from "node:assert/strict";
import { RowChecker, type Finding } from "../../../src/predict/run/rowChecker.ts";
import { checkedRows } from "../../../src/predict/run/rowBatches.ts";
import { parseRows } from "../../../src/predict/rows/readRows.ts";
import type { Row } from "../../../src/predict/rows/row.ts";

const inputs = [{ name: "sqft" }, { name: "location" }];

/** So many rows in blocks of 700; those in `lacking`, counted from 1, have no location. */
async function* blocks(count: number, lacking: number[]): AsyncGenerator<Row[]> {
  const texts = Array.from({ length: count }, (_, index) =>
    lacking.includes(index + 1) ? `{"sqft":${index}}` : `{"sqft":${index},"location":"good"}`,
  );
  for (let from = 0; from < count; from += 700) {
    yield parseRows(Buffer.from(`[${texts.slice(from, from + 700).join(",")}]`));
    await Promise.resolve();
  }
}

async function collect(count: number, lacking: number[], limit?: number) {
  const given: number[] = [];
  const asked: { missing: Finding[]; after: number }[] = [];
  const rows = checkedRows(blocks(count, lacking), {
    checker: new RowChecker(inputs),
    limit,
    onMissing: (missing) => {
      asked.push({ missing, after: given.reduce((sum, one) => sum + one, 0) });
      return Promise.resolve();
    },
  });
  for await (const some of rows) given.push(some.length);
  return { asked, total: given.reduce((sum, one) => sum + one, 0) };
}

describe("rows on the way to a model", () => {
  it("pause before the first one far down that lacks an input, and go on when allowed", async () => {
    const { asked, total } = await collect(5_000, [3_001, 3_002, 4_500]);
    assert.equal(total, 5_000);
    assert.equal(asked.length, 1);
    assert.equal(asked[0]?.after, 3_000);
    assert.deepEqual(
      asked[0].missing.map(({ kind, column, first }) => [kind, column, first.row]),
      [["missing", "location", 3_001]],
    );
  });

  it("are not held until there are a thousand if they are long", async () => {
    let read = 0;
    function* longRows(): Generator<Row[]> {
      const [row] = parseRows(Buffer.from('[{"a":1}]')) as [Row];
      for (; read < 100; read++) yield [{ ...row, end: row.start + 10_000_000 }];
    }
    const rows = checkedRows(longRows(), {});
    const first = await rows.next();
    assert.equal((first.value as Row[]).length, 7);
    assert.equal(read, 6);
  });

  for (const [title, lacking, limit, after, total] of [
    ["pause also if that row begins a block", [1_401], undefined, 1_400, 3_000],
    [
      "do not pause for columns missing in the first rows",
      [10, 2_000],
      undefined,
      undefined,
      3_000,
    ],
    ["do not pause for rows behind the limit", [2_900], 2_000, undefined, 2_000],
  ] as const) {
    it(title, async () => {
      const found = await collect(3_000, [...lacking], limit);
      assert.deepEqual([found.asked[0]?.after, found.total], [after, total]);
    });
  }
});
