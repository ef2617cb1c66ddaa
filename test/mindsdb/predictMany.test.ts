// A large file through a real model, from the file to the rows on disk; how fast that goes is printed.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describeModel } from "../../src/mindsdb/describeModel.ts";
import { modelColumns, predict } from "../../src/mindsdb/predict.ts";
import { AdaptiveConcurrency } from "../../src/predict/run/adaptiveConcurrency.ts";
import { BatchSender } from "../../src/predict/run/batchSender.ts";
import { RowChecker } from "../../src/predict/run/rowChecker.ts";
import { MetricsCollector } from "../../src/predict/run/metrics.ts";
import { readRows } from "../../src/predict/rows/readRows.ts";
import { checkedRows, inBatches } from "../../src/predict/run/rowBatches.ts";
import { DiskTable } from "../../src/predict/result/diskTable.ts";
import { connect, type Connection } from "./conversation.ts";
import { fixture, versions } from "./fixture.ts";
import { homes } from "./rentals.ts";
import { SEEDED } from "./seed.ts";

/** Lightwood takes minutes for more. */
const counts = { "26.1.0": 100_000, "25.14.1": 2_000 };
const model = { project: "mindsdb", name: SEEDED.model };
const worker = new URL("../../src/predict/result/tableWorker.ts", import.meta.url);

for (const version of versions) {
  describe(`MindsDB ${version}, predicting from a large file`, function () {
    this.timeout(5 * 60_000);
    const count = counts[version];
    const rows = homes(count, 7);
    let connection: Connection;
    let folder: string;

    before(async () => {
      connection = await connect(fixture(version).server.url);
      folder = fs.mkdtempSync(path.join(os.tmpdir(), "predict-many-"));
    });
    after(async () => {
      await connection.close();
      fs.rmSync(folder, { recursive: true });
    });

    it("predicts every row in order, like a plain request", async () => {
      const { client } = connection;
      const file = path.join(folder, "rows.jsonl");
      fs.writeFileSync(file, rows.map((row) => JSON.stringify(row)).join("\n"));
      const { inputs, target } = await modelColumns((attribute) =>
        describeModel(client, model, attribute),
      );
      assert.ok(inputs);
      const known = { inputs: inputs.map(({ name }) => name), target };
      const table = await DiskTable.create({ folder: path.join(folder, "run"), worker, known });
      const checker = new RowChecker(inputs, target?.name);
      const sender = new BatchSender({
        transport: { send: (body, signal) => predict(client, model, body, { signal }) },
        concurrency: new AdaptiveConcurrency(2, { initial: 2 }),
        signal: new AbortController().signal,
        onPause: ({ error }) => Promise.reject(error),
      });
      const metrics = new MetricsCollector(true);
      const started = performance.now();
      const read = checkedRows(readRows(fs.createReadStream(file), "jsonLines"), { checker });
      for await (const answer of sender.send(inBatches(read, 1_000))) {
        for (const row of await table.add(answer)) {
          metrics.add(table.resultColumns.actual(row), table.resultColumns.predicted(row));
        }
      }
      await table.written();
      const seconds = (performance.now() - started) / 1_000;
      const speed = Math.round(count / seconds).toLocaleString("en");
      console.log(
        `      ${count.toLocaleString("en")} rows in ${seconds.toFixed(1)} s: ${speed} rows/s`,
      );

      assert.deepEqual(checker.findings, []);
      assert.equal(table.length, count);
      assert.equal(table.refused, 0);
      const found = metrics.metrics;
      assert.ok(found?.kind === "numbers" && found.count === count && (found.r2 ?? 0) > 0.9);

      const names = table.columns.map(({ name, part }) => `${part} ${name}`);
      const at = (name: string): number => names.indexOf(name);
      for (const from of [0, Math.floor(count / 2), count - 50]) {
        const values = await table.values(from, 50);
        const some = rows.slice(from, from + 50);
        assert.deepEqual(
          values.map((row) => row[at("input sqft")]),
          some.map(({ sqft }) => String(sqft)),
        );
        const plain = (await client.post(
          `/api/projects/mindsdb/models/${SEEDED.model}/predict`,
          {
            data: some,
          },
          { cost: "byAction" },
        )) as { rental_price: number }[];
        assert.deepEqual(
          values.map((row) => Number(row[at("predicted rental_price")])),
          plain.map(({ rental_price }) => rental_price),
        );
      }
      await table.dispose();
    });
  });
}
