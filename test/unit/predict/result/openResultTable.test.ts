// Results that are read again after their run: by another window, or after a restart.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { StoredRows } from "../../../../src/predict/result/resultMetadata.ts";
import { openResultTable } from "../../../../src/predict/result/openResultTable.ts";
import { ListColumns } from "../../../../src/predict/result/listColumns.ts";
import { EmptyResultTable } from "../../../../src/predict/result/resultTable.ts";
import { DiskTable } from "../../../../src/predict/result/diskTable.ts";
import { StatementRows } from "../../../../src/predict/run/statementRows.ts";
import { answerOf } from "../files.ts";

const worker = new URL("../../../../src/predict/result/tableWorker.ts", import.meta.url);

describe("stored rows", () => {
  let folder: string;
  beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), "stored-rows-"))));
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  async function storedRun(): Promise<{ table: DiskTable; rows: StoredRows }> {
    const known = { inputs: ["sqft"], target: { name: "price" } };
    const table = await DiskTable.create({ folder, worker, known });
    const sizes = Array.from({ length: 300 }, (_, n) => n);
    await table.add(
      answerOf(
        sizes.map((n) => `{"sqft": ${n}.0, "price": ${n}}`),
        sizes.map((n) => `{"price": ${(n * 7) % 300}.50}`),
      ),
    );
    await table.add(answerOf(['{"sqft": "bad"}'], "ValueError: bad"));
    // What travels through the description's JSON.
    const rows = JSON.parse(JSON.stringify(await table.store())) as StoredRows;
    return { table, rows };
  }

  it("have the windows, values, orders and exports of the run", async () => {
    const { table, rows } = await storedRun();
    const again = await openResultTable(folder, rows, worker);
    assert.deepEqual(again.columns, table.columns);
    assert.equal(again.length, 301);
    assert.deepEqual(await again.window(290, 20), await table.window(290, 20));
    const view = { sort: { column: 0, descending: true } };
    const order = await again.order(view);
    assert.deepEqual(order, await table.order(view));
    assert.deepEqual(await again.values(0, 301, order), await table.values(0, 301, order));
    const [one, other] = [path.join(folder, "one.csv"), path.join(folder, "other.csv")];
    await table.export("csv", one);
    await again.export("csv", other);
    assert.equal(fs.readFileSync(other, "utf8"), fs.readFileSync(one, "utf8"));
    const shown = path.join(folder, "shown.csv");
    await again.export("csv", shown, { order: Uint32Array.of(300, 7) });
    const lines = fs.readFileSync(one, "utf8").split("\r\n");
    assert.equal(
      fs.readFileSync(shown, "utf8"),
      [0, 301, 8].map((at) => `${lines[at] ?? ""}\r\n`).join(""),
    );
    await table.dispose();
    await again.dispose();
    assert.ok(fs.existsSync(path.join(folder, "data")), "closing deletes nothing");
  });

  it("are not opened if files are missing or lack rows", async () => {
    const { table, rows } = await storedRun();
    await table.dispose();
    const data = path.join(folder, "data");
    const whole = fs.readFileSync(data);
    for (const damage of [
      () => fs.truncateSync(data, whole.length - 1),
      () => fs.truncateSync(path.join(folder, "index"), 100),
      () => fs.writeFileSync(path.join(folder, "index"), Buffer.alloc(24 * 301, 0xff)),
      () => fs.rmSync(path.join(folder, "index")),
      () => fs.rmSync(data),
    ]) {
      damage();
      await assert.rejects(openResultTable(folder, rows, worker), damage.toString());
    }
  });

  /** The table of a statement, whose rows are lists. */
  async function storedTable(names: string[], rows: string): Promise<DiskTable> {
    const columns = new ListColumns();
    const table = await DiskTable.create({ folder, worker, columns });
    columns.setNames(names);
    await table.add({ rows: new StatementRows().push(Buffer.from(`[${rows}]`)) });
    return table;
  }

  const columns = ["n", "t", "t"];

  it("are the table of a statement, including columns with equal names", async () => {
    const source = await storedTable(columns, '[2,"b\\n",null],[9007199254740993,"é",{"x":[1]}]');
    const again = await openResultTable(folder, await source.store(), worker);
    assert.deepEqual(again.columns, source.columns);
    assert.deepEqual(
      again.columns.map(({ name, kind }) => [name, kind]),
      [
        ["n", "number"],
        ["t", "text"],
        ["t", "text"],
      ],
    );
    assert.deepEqual(await again.values(0, 9), [
      ["2", '"b\\n"', "null"],
      ["9007199254740993", '"é"', '{"x":[1]}'],
    ]);
    const view = { sort: { column: 0, descending: true }, find: "É" };
    assert.deepEqual([...((await again.order(view)) ?? [])], [1]);
    assert.equal(fs.statSync(path.join(folder, "data")).mode & 0o077, 0);
  });

  it("have a column of texts where numbers are in quotes, or where only some values are numbers", async () => {
    const table = await storedTable(
      ["zip", "n", "mixed", "none"],
      '["01234",null,1,null],["5",2.5,"a",null]',
    );
    assert.deepEqual(
      table.columns.map(({ kind }) => kind),
      ["text", "number", "text", "text"],
    );
    await table.dispose();
  });

  it("are the columns of a table without rows", async () => {
    const source = await storedTable(columns, "");
    const again = await openResultTable(folder, await source.store(), worker);
    assert.deepEqual(
      again.columns.map(({ name }) => name),
      columns,
    );
    assert.equal(again.length, 0);
  });

  it("are none of a run without a table", async () => {
    const again = await openResultTable(folder, await new EmptyResultTable().store(), worker);
    assert.deepEqual([again.length, again.columns], [0, []]);
  });
});
