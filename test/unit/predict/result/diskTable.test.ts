import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { isCancelled } from "../../../../src/mindsdb/errors.ts";
import type { ExportFormat } from "../../../../src/shared/exportFormat.ts";
import type { ResultView } from "../../../../src/predict/messages.ts";
import type { AnsweredRow } from "../../../../src/predict/result/columnReader.ts";
import type { ResultTable } from "../../../../src/predict/result/resultTable.ts";
import type { RowTable } from "../../../../src/predict/result/rowTable.ts";
import { DiskTable } from "../../../../src/predict/result/diskTable.ts";
import { FileRowTable } from "../../../../src/predict/result/fileRowTable.ts";
import { answerOf } from "../files.ts";
import { ResultInMemory, SqlTable } from "../../../resultInMemory.ts";

const worker = new URL("../../../../src/predict/result/tableWorker.ts", import.meta.url);
const root = fs.mkdtempSync(path.join(os.tmpdir(), "run-table-"));
let count = 0;

const known = { inputs: ["sqft", "location"], target: { name: "price" } };
const locations = ['"good"', '"Great"', '"é"', "null", '"a\\"b,c\\n"', "12", '{"x":[1]}'];

/** Some homes and what a model says of them; every seventh is refused. */
function homes(rows: number, seed: number): ReturnType<typeof answerOf>[] {
  const pick = (n: number, most: number): number => (n * 7919 + seed * 104_729) % most;
  return Array.from({ length: rows }, (_, n) => {
    const location = locations[pick(n, locations.length)]!;
    const row = `{"sqft": ${pick(n, 50)}.0, "location":${location}, "price":"${pick(n, 9)}"}`;
    if (n % 7 === 6) return answerOf([row], `ValueError: row ${n}`);
    const explain = JSON.stringify({
      confidence: 0.5,
      confidence_lower_bound: n,
      confidence_upper_bound: 2 * n,
    });
    const reply = `{"sqft":1,"price":${pick(n, 11)}.50,"price_explain":${JSON.stringify(explain)}}`;
    return answerOf([row], [reply]);
  });
}

async function filled(
  rows: number,
  seed = 1,
): Promise<{ folder: string; onDisk: DiskTable; inMemory: ResultInMemory }> {
  const folder = path.join(root, String(count++));
  const onDisk = await DiskTable.create({ folder, worker, known });
  const answered: AnsweredRow[] = [];
  for (const answer of homes(rows, seed)) answered.push(...(await onDisk.add(answer)));
  return { folder, onDisk, inMemory: new ResultInMemory(inMemoryTable(onDisk, answered)) };
}

/** The same rows as they came, with the same columns. */
function inMemoryTable({ resultColumns }: DiskTable, rows: AnsweredRow[]): RowTable {
  return {
    columns: resultColumns.columns,
    length: rows.length,
    refused: rows.filter(({ refused }) => refused !== undefined).length,
    valueOf: (row, column) => resultColumns.valueOf(rows[row]!, column),
    valuesOf: (row) => resultColumns.valuesOf(rows[row]!),
    refusedAt: (row) => rows[row]?.refused,
  };
}

async function exported(source: ResultTable, format: ExportFormat): Promise<string> {
  const file = path.join(root, `export-${count++}`);
  await source.export(format, file);
  return fs.readFileSync(file, "utf8");
}

after(() => fs.rmSync(root, { recursive: true }));

describe("run table", () => {
  const views: ResultView[] = [
    {},
    { sort: { column: 0, descending: false } },
    { sort: { column: 2, descending: true }, find: "GOOD" },
    { refusedOnly: true, find: "row 6" },
    { find: "nothing like it" },
  ];
  it("shows, finds, sorts and copies the same as a table in memory", async () => {
    const { onDisk, inMemory } = await filled(300);
    assert.deepEqual(
      onDisk.columns.map(({ name, part, kind }) => `${part} ${name}: ${kind}`),
      [
        "predicted price: number",
        "predicted confidence: number",
        "predicted interval: interval",
        "actual price: number",
        "error price: number",
        "input sqft: number",
        "input location: text",
      ],
    );
    assert.equal(onDisk.length, 300);
    assert.equal(onDisk.refused, 42);
    for (const view of views) {
      const order = await onDisk.order(view);
      const expected = await inMemory.order(view);
      assert.deepEqual(order && [...order], expected && [...expected]);
      for (const [from, count] of [
        [0, 300],
        [7, 20],
        [295, 20],
        [400, 5],
      ] as const) {
        assert.deepEqual(
          await onDisk.window(from, count, order),
          await inMemory.window(from, count, expected),
        );
        assert.deepEqual(
          await onDisk.values(from, count, order),
          await inMemory.values(from, count, expected),
        );
      }
    }
    await onDisk.dispose();
  });

  it("finds every row's values in any order", async () => {
    const { folder, onDisk, inMemory } = await filled(200, 3);
    const expected = await inMemory.values(0, 200);
    await onDisk.written();
    const columns = onDisk.resultColumns.data;
    const table = new FileRowTable({ folder, length: 200, refused: onDisk.refused, columns });
    fc.assert(
      fc.property(fc.array(fc.nat(199), { maxLength: 20 }), (rows) => {
        for (const row of rows) {
          assert.deepEqual(table.valuesOf(row), expected[row]);
          assert.equal(table.refusedAt(row) !== undefined, row % 7 === 6);
        }
      }),
    );
    table.close();
    await onDisk.dispose();
  });

  it("exports the same as a table in memory, in every format", async () => {
    const { onDisk, inMemory } = await filled(100, 2);
    for (const format of ["csv", "json", "jsonLines"] as const) {
      assert.equal(await exported(onDisk, format), await exported(inMemory, format));
    }
    const lines = (await exported(onDisk, "jsonLines")).trim().split("\n");
    assert.equal(lines.length, 100);
    const [header = "", , , , , , , refused] = (await exported(onDisk, "csv")).split("\r\n");
    assert.match(header, /,refused$/);
    assert.match(refused ?? "", /row 6/);
    await onDisk.dispose();
  });

  it("exports each row once, however much there is", async () => {
    const onDisk = await DiskTable.create({ folder: path.join(root, String(count++)), worker });
    const long = "x".repeat(600 * 1024);
    const rows = [1, 2, 3, 4, 5].map((n) => `{"t":"${n} ${long}"}`);
    const answers = rows.map(() => '{"p":1}');
    await onDisk.add(answerOf(rows, answers));
    const lines = (await exported(onDisk, "jsonLines")).trim().split("\n");
    assert.deepEqual(
      lines.map((line) => [line.length > long.length, /"t":"(\d)/.exec(line)?.[1]]),
      ["1", "2", "3", "4", "5"].map((n) => [true, n]),
    );
    await onDisk.dispose();
  });

  it("reads across blocks, and rows longer than a block", async () => {
    const onDisk = await DiskTable.create({ folder: path.join(root, String(count++)), worker });
    const long = "x".repeat(5 * 1024 * 1024);
    for (const text of [long, "b", long, long, "a"]) {
      await onDisk.add(answerOf([`{"t":"${text}"}`], ['{"p":1}']));
    }
    const many = Array.from({ length: 5_000 }, (_, n) => `{"t":"row ${n}"}`);
    await onDisk.add(
      answerOf(
        many,
        many.map(() => '{"p":2}'),
      ),
    );
    const byText = await onDisk.order({ sort: { column: 1, descending: false } });
    assert.deepEqual([...(byText ?? [])].slice(0, 3), [4, 1, 5]);
    assert.deepEqual([...(byText ?? [])].slice(-3), [0, 2, 3]);
    const [first] = await onDisk.window(0, 1);
    assert.equal(first?.values[1], `"${"x".repeat(10_000)}"`);
    assert.equal((await onDisk.values(0, 1))[0]?.[1]?.length, long.length + 2);
    await onDisk.dispose();
  });

  it("has no rows and no columns at first", async () => {
    const onDisk = await DiskTable.create({ folder: path.join(root, String(count++)), worker });
    assert.deepEqual(onDisk.columns, []);
    assert.deepEqual(await onDisk.window(0, 200), []);
    assert.deepEqual([...((await onDisk.order({ find: "x" })) ?? [1])], []);
    assert.equal(await exported(onDisk, "json"), "[\n]\n");
    await onDisk.dispose();
  });

  it("cancels a view that is no longer needed", async () => {
    const { onDisk } = await filled(50);
    const stop = new AbortController();
    const order = onDisk.order({ find: "x" }, stop.signal);
    stop.abort();
    await assert.rejects(order, isCancelled);
    await assert.rejects(onDisk.order({ find: "x" }, stop.signal), isCancelled);
    await onDisk.dispose();
  });
});

describe("memory source", () => {
  it("has windows, values, orders and exports of a statement's rows", async () => {
    const rows = [
      [2, "b"],
      [10, "=a"],
      [1, null],
    ];
    const source = new ResultInMemory(new SqlTable({ columns: ["n", "t"], rows }));
    const order = await source.order({ sort: { column: 0, descending: true } });
    assert.deepEqual([...(order ?? [])], [1, 0, 2]);
    assert.deepEqual(
      (await source.window(1, 9, order)).map(({ number, values }) => [number, ...values]),
      [
        [1, "2", '"b"'],
        [3, "1", "null"],
      ],
    );
    assert.deepEqual(await source.values(2, 9), [["1", "null"]]);
    assert.equal(await exported(source, "csv"), "n,t\r\n2,b\r\n10,'=a\r\n1,\r\n");
    assert.deepEqual(await source.window(5, 5), []);
  });

  it("truncates very long values in a window to valid JSON", async () => {
    const text = `"quoted"\n${"x".repeat(20_000)}`;
    const source = new ResultInMemory(new SqlTable({ columns: ["t"], rows: [[text]] }));
    const [row] = await source.window(0, 1);
    assert.equal(JSON.parse(row?.values[0] ?? ""), text.slice(0, 10_000));
    assert.deepEqual(await source.values(0, 1), [[JSON.stringify(text)]]);
  });
});
