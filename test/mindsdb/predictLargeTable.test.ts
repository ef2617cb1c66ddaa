// A large table of a real server through its model: every row once, and few of them in memory. PREDICT_ROWS=1000000 takes
// a table of a million rows, for which MindsDB needs some six minutes.
import assert from "node:assert/strict";
import { Admin } from "./admin.ts";
import { connect, type Connection } from "./conversation.ts";
import { fixture, versions } from "./fixture.ts";
import { measurePeak } from "./peakMemory.ts";
import { CellRunner, messageOf, predictPlainly, uploadRows } from "./predictRuns.ts";
import { homes, type Home } from "./rentals.ts";

const counts = { "26.1.0": 20_000, "25.14.1": 6_000 };
/** Rows are made in blocks, each with a seed of its own, so that they need not be kept. */
const blockRows = 2_000;
/** As for files of rows. */
const maxMegabytes = 200;
const table = "large_homes";
/** MindsDB takes no upload of a million rows; more are added to the table. */
const blocksOfUpload = 50;
const part = "large_homes_part";

function makeBlock(block: number): (Home & { id: number })[] {
  return homes(blockRows, block).map((row, at) => ({ id: block * blockRows + at, ...row }));
}

for (const version of versions) {
  describe(`MindsDB ${version}, predicting from a large table`, function () {
    this.timeout(60 * 60_000);
    const count = Number(process.env["PREDICT_ROWS"] ?? counts[version]);
    const blocks = count / blockRows;
    let admin: Admin;
    let connection: Connection;
    let cells: CellRunner;

    before("upload the table", async () => {
      admin = await Admin.signIn(fixture(version).server);
      connection = await connect(fixture(version).server.url);
      cells = new CellRunner(connection.client);
      for (let block = 0; block < blocks; block += blocksOfUpload) {
        const more = Array.from({ length: Math.min(blocksOfUpload, blocks - block) }, (_, at) =>
          makeBlock(block + at),
        );
        const name = block === 0 ? table : part;
        await uploadRows(admin, name, more.flat());
        if (name === table) continue;
        await admin.sql(`INSERT INTO files.${table} (SELECT * FROM files.${part})`);
        await admin.delete(`/api/files/${part}`);
      }
    });
    after(async () => {
      await cells.close();
      await admin.delete(`/api/files/${table}`);
      await connection.close();
    });

    it("predicts every row once, like plain requests, and holds few of them", async () => {
      const peak = measurePeak(process.pid);
      const started = performance.now();
      const run = await cells.run({ rows: { table: `files.${table}` } });
      const seconds = (performance.now() - started) / 1_000;
      const megabytes = peak();
      assert.equal(run.progress.state.kind, "done", messageOf(run));
      const speed = Math.round(count / seconds).toLocaleString("en");
      console.log(
        `      ${count.toLocaleString("en")} rows in ${seconds.toFixed(0)} s: ${speed} rows/s, ` +
          `${megabytes.toFixed(0)} MB over idle`,
      );
      const { metrics, refused } = run.progress;
      assert.equal(refused, 0);
      assert.equal(run.table.length, count);
      assert.ok(metrics?.kind === "numbers" && metrics.count === count && (metrics.r2 ?? 0) > 0.9);
      const titles = run.table.columns.map(({ part, name }) => `${part} ${name}`);
      const [id, predicted] = [
        titles.indexOf("input id"),
        titles.indexOf("predicted rental_price"),
      ];
      const compared = new Set([0, Math.floor(blocks / 3), Math.floor(blocks / 2), blocks - 1]);
      for (let block = 0; block < blocks; block++) {
        const values = await run.table.values(block * blockRows, blockRows);
        values.forEach((row, at) => assert.equal(row[id], String(block * blockRows + at)));
        if (!compared.has(block)) continue;
        assert.deepEqual(
          values.map((row) => Number(row[predicted])),
          await predictPlainly(admin, 1, makeBlock(block)),
        );
      }
      assert.ok(megabytes < maxMegabytes, `${megabytes.toFixed(0)} MB`);
    });
  });
}
