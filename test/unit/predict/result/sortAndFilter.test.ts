import assert from "node:assert/strict";
import fc from "fast-check";
import type { ResultColumn, ResultView } from "../../../../src/predict/messages.ts";
import { sortAndFilter } from "../../../../src/predict/result/sortAndFilter.ts";
import type { RowTable } from "../../../../src/predict/result/rowTable.ts";

interface Row {
  values: (string | undefined)[];
  refused?: string;
}

function tableOf(rows: Row[], kind: ResultColumn["kind"] = "text"): RowTable {
  return {
    columns: (rows[0]?.values ?? []).map(() => ({ name: "c", part: "input", kind })),
    length: rows.length,
    refused: rows.filter(({ refused }) => refused !== undefined).length,
    valueOf: (row, column) => rows[row]?.values[column],
    valuesOf: (row) => rows[row]?.values ?? [],
    refusedAt: (row) => rows[row]?.refused,
  };
}

async function shown(rows: Row[], view: ResultView): Promise<number[] | undefined> {
  const order = await sortAndFilter(tableOf(rows), view);
  return order && [...order];
}

const column = (...values: (string | undefined)[]): Row[] =>
  values.map((value) => ({ values: [value] }));

describe("the order of a view", () => {
  it("is the order of the rows without a sort or filter", async () => {
    assert.equal(await shown(column("2", "1"), {}), undefined);
  });

  it("has numbers before texts, and rows without a value last, in both directions", async () => {
    const rows = column('"b"', "10", "null", '"9"', "-1e3", undefined, '"a"', "0.5", '""', "1e400");
    const ascending = await shown(rows, { sort: { column: 0, descending: false } });
    assert.deepEqual(ascending, [4, 7, 3, 1, 9, 8, 6, 0, 2, 5]);
    const descending = await shown(rows, { sort: { column: 0, descending: true } });
    assert.deepEqual(descending, [0, 6, 8, 9, 1, 3, 7, 4, 2, 5]);
  });

  it("sorts whole numbers with more digits than a number keeps", async () => {
    const rows = column("9007199254740993", '"9007199254740992"', "-12345678901234567890", "7e15");
    rows.push(...column('"x"', "1e400", "12345678901234567891", "12345678901234567890"));
    const ascending = await shown(rows, { sort: { column: 0, descending: false } });
    assert.deepEqual(ascending, [2, 3, 1, 0, 7, 6, 5, 4]);
    const descending = await shown(rows, { sort: { column: 0, descending: true } });
    assert.deepEqual(descending, [4, 5, 6, 7, 0, 1, 3, 2]);
  });

  it("sorts decimals with more digits than a number keeps, and longer numbers", async () => {
    const rows = column("9007199254740993.25", '"9007199254740993.125"', "9007199254740993");
    rows.push(...column("-1498392753700442.1142", "-1498392753700442.1143", "1e16"));
    rows.push(...column(`${"9".repeat(44)}8`, `"${"9".repeat(45)}"`, "9007199254740992"));
    const ascending = await shown(rows, { sort: { column: 0, descending: false } });
    assert.deepEqual(ascending, [4, 3, 8, 2, 1, 0, 5, 6, 7]);
  });

  it("sorts intervals by their lower bounds", async () => {
    const rows = column("[9,10,11]", "[-20,5,30]", undefined, "[100,101,102]", "[-3,0,3]");
    const sort = { column: 0, descending: false };
    const order = await sortAndFilter(tableOf(rows, "interval"), { sort });
    assert.deepEqual([...(order ?? [])], [1, 4, 0, 3, 2]);
  });

  it("keeps equal rows in the order of the file, also across sorted blocks", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 20_000 }),
        fc.integer({ min: 1, max: 50 }),
        fc.boolean(),
        async (count, different, descending) => {
          const value = (n: number): number => (n * 7_919) % different;
          const rows = column(...Array.from({ length: count }, (_, n) => String(value(n))));
          const order = await shown(rows, { sort: { column: 0, descending } });
          const direction = descending ? -1 : 1;
          const expected = [...rows.keys()].sort(
            (a, b) => direction * (value(a) - value(b)) || a - b,
          );
          assert.deepEqual(order, expected);
        },
      ),
      { numRuns: 15 },
    );
  });

  it("has the rows with a text in any case, in values and reasons, but not in JSON syntax", async () => {
    const rows: Row[] = [
      { values: ['"Westbrae"', "12"] },
      { values: [String.raw`"a\nb"`, "null"] },
      { values: ['"x"'], refused: "ValueError: WEST" },
      { values: ['"caf\\u00e9"', undefined] },
    ];
    assert.deepEqual(await shown(rows, { find: "west" }), [0, 2]);
    assert.deepEqual(await shown(rows, { find: "A\nB" }), [1]);
    assert.deepEqual(await shown(rows, { find: "é" }), [3]);
    assert.deepEqual(await shown(rows, { find: '"' }), []);
    assert.deepEqual(await shown(rows, { find: "12" }), [0]);
    assert.deepEqual(await shown(rows, { find: ".*" }), []);
  });

  it("has only the refused rows on request, also searched and sorted", async () => {
    const rows: Row[] = [
      { values: ["3"], refused: "no" },
      { values: ["2"] },
      { values: ["1"], refused: "not at all" },
    ];
    assert.deepEqual(await shown(rows, { refusedOnly: true }), [0, 2]);
    assert.deepEqual(await shown(rows, { refusedOnly: true, find: "at all" }), [2]);
    const sort = { column: 0, descending: false };
    assert.deepEqual(await shown(rows, { refusedOnly: true, sort }), [2, 0]);
    assert.deepEqual(await shown(rows, { sort: { column: 7, descending: false } }), [0, 1, 2]);
  });
});
