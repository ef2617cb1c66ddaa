// Results that are read again after their run: by another window, or after a restart.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { isAppError } from "../../../../src/mindsdb/errors.ts";
import type { StoredRows } from "../../../../src/predict/result/resultMetadata.ts";
import { openResultTable } from "../../../../src/predict/result/openResultTable.ts";
import { ResultInMemory } from "../../../../src/predict/result/resultWindows.ts";
import { SqlTable } from "../../../../src/predict/result/resultTable.ts";
import { ResultOnDisk } from "../../../../src/predict/result/resultOnDisk.ts";
import { writeTable } from "../../../../src/predict/result/sqlTableFile.ts";
import { answerOf } from "../files.ts";

const worker = new URL("../../../../src/predict/result/resultWorker.ts", import.meta.url);

describe("stored rows", () => {
  let folder: string;
  beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), "stored-rows-"))));
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  async function storedRun(): Promise<{ table: ResultOnDisk; rows: StoredRows }> {
    const known = { inputs: ["sqft"], target: { name: "price" } };
    const table = await ResultOnDisk.create({ folder, worker, known });
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

  const rows = [
    [2, "b\n", null],
    [1e21, "é", { x: [1] }],
  ];
  const columns = ["n", "t", "t"];

  it("are the table of a statement, including columns with equal names", async () => {
    const source = new ResultInMemory(new SqlTable({ columns, rows }));
    const again = await openResultTable(folder, await source.store(folder), worker);
    assert.deepEqual(again.columns, source.columns);
    assert.deepEqual(await again.values(0, 9), await source.values(0, 9));
    assert.equal(fs.statSync(path.join(folder, "table.jsonl")).mode & 0o077, 0);
  });

  it("are the columns of a table without rows", async () => {
    const source = new ResultInMemory(new SqlTable({ columns, rows: [] }));
    const again = await openResultTable(folder, await source.store(folder), worker);
    assert.deepEqual(
      again.columns.map(({ name }) => name),
      columns,
    );
    assert.equal(again.length, 0);
  });

  it("are not opened if a table's file is invalid or lacks rows", async () => {
    const file = path.join(folder, "table.jsonl");
    for (const text of ["", "{}\n", '["n"]\n', '["n"]\n{}\n', '["n"]\n[1', "[1]\n[1]\n"]) {
      fs.writeFileSync(file, text);
      await assert.rejects(openResultTable(folder, { kind: "table", length: 1 }, worker), text);
    }
  });

  it("are not written for a table that is too large", async () => {
    const table = new SqlTable({ columns: ["t"], rows: [["x".repeat(100)]] });
    await assert.rejects(writeTable(folder, table, 100), (error) => isAppError(error, "tooLarge"));
  });
});
