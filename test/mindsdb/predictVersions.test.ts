// Two versions of a real model side by side, one row with other values, and runs that are compared: each number is the one
// that the predict endpoint gives for the row and the version.
import assert from "node:assert/strict";
import { predictRows } from "../../src/predict/whatIf/predictRows.ts";
import { spreadNumbers } from "../../src/predict/whatIf/inputValue.ts";
import { readOutcome } from "../../src/predict/result/openResult.ts";
import { addRun, findChanges, type PastRun } from "../../src/predict/result/runHistory.ts";
import type { CellRun } from "../../src/predict/run/cellRun.ts";
import { useClients } from "./clients.ts";
import { versions } from "./fixture.ts";
import {
  CellRunner,
  messageOf,
  predictPlainly,
  readValues,
  seededModel,
  needSecondVersion,
  uploadRows,
} from "./predictRuns.ts";
import { homes } from "./rentals.ts";
import { SEEDED } from "./seed.ts";

const count = 2_400;
const table = "files.version_homes";

for (const version of versions) {
  describe(`MindsDB ${version}, comparing versions of a model`, function () {
    this.timeout(5 * 60_000);
    const rows = homes(count, 23).map((row, id) => ({ id, ...row }));
    const clients = useClients(version);
    let cells: CellRunner;
    /** The endpoint's numbers by version. */
    const right: Record<number, number[]> = {};

    before("have another version, and ask both", async () => {
      const { admin } = clients;
      cells = new CellRunner(clients.client);
      await uploadRows(admin, "version_homes", rows);
      await needSecondVersion(admin);
      for (const number of [1, 2]) right[number] = await predictPlainly(admin, number, rows);
      assert.notDeepEqual(right[1], right[2]);
    });
    after("leave the server as it was", async () => {
      await cells.close();
      await clients.admin.delete("/api/files/version_homes");
      // The last test has deleted it unless it failed before.
      await clients.admin.sql(`DROP MODEL ${seededModel}.2`).catch(() => undefined);
    });

    it("shows the number of each version beside each row, how far they are apart, and how right each is", async () => {
      const models = [`${seededModel}.1`, `${seededModel}.2`];
      const run = await cells.run({ models, rows: { table } });
      assert.equal(run.progress.state.kind, "done", messageOf(run));
      const shown = await readValues(run);
      assert.deepEqual(
        shown.map((row) => row["input id"]),
        rows.map(({ id }) => id),
      );
      const at = (number: number): string => `predicted rental_price (${SEEDED.model}.${number})`;
      for (const number of [1, 2]) {
        assert.deepEqual(
          shown.map((row) => row[at(number)]),
          right[number],
        );
      }
      for (const [index, row] of shown.entries()) {
        const apart = Math.abs(right[1]![index]! - right[2]![index]!);
        assert.ok(Math.abs(Number(row["difference difference"]) - apart) < 1e-6);
      }
      const { comparedMetrics = [] } = run.progress;
      for (const [index, { metrics }] of comparedMetrics.entries()) {
        const errors = rows.map(({ rental_price }, row) =>
          Math.abs(right[index + 1]![row]! - rental_price),
        );
        const mae = errors.reduce((sum, error) => sum + error, 0) / count;
        assert.ok(metrics.kind === "numbers" && Math.abs((metrics.mae ?? 0) - mae) < 1e-6);
      }
      assert.equal(comparedMetrics.length, 2);
      const column = run.table.columns.findIndex(({ part }) => part === "difference");
      const order = await run.table.order({ sort: { column, descending: true } });
      const sorted = (await run.table.values(0, count, order)).map((row) => Number(row[column]));
      assert.deepEqual(
        sorted,
        [...sorted].sort((a, b) => b - a),
      );
    });

    /** Runs a cell over the table, and a statement before its second of three batches. */
    async function runWhile(modelName: string, statement: string): Promise<CellRun> {
      const { client, admin } = clients;
      const postBytes = client.postBytes.bind(client);
      let batches = 0;
      client.postBytes = async (...args) => {
        if (args[0].endsWith("/predict") && ++batches === 2) await admin.sql(statement);
        return postBytes(...args);
      };
      try {
        return await cells.run({ model: modelName, rows: { table } });
      } finally {
        client.postBytes = postBytes;
        assert.ok(batches >= 2);
      }
    }

    it("shows numbers of one version if another becomes active meanwhile", async () => {
      try {
        const run = await runWhile(seededModel, `SET ACTIVE ${seededModel}.2`);
        assert.equal(run.progress.state.kind, "done", messageOf(run));
        assert.equal(run.madeOf.training?.version, 1);
        assert.deepEqual(
          (await readValues(run)).map((row) => row["predicted rental_price"]),
          right[1],
        );
      } finally {
        await clients.admin.sql(`SET ACTIVE ${seededModel}.1`);
      }
    });

    it("answers a row with other values, and a curve, like the endpoint", async () => {
      const { id, rental_price: actual, ...own } = rows[7]!;
      assert.ok(id && actual);
      const names = Object.keys(own);
      const toJson = (row: object): string[] =>
        Object.values(row).map((one) => JSON.stringify(one));
      const options = { signal: new AbortController().signal, timeLimitMs: 60_000 };
      const sizes = spreadNumbers(300, 1_300, 21, true);
      const varied = sizes.map((sqft) => ({ ...own, sqft: Number(sqft) }));
      for (const number of [1, 2]) {
        const model = { project: "mindsdb", name: SEEDED.model, version: number };
        for (const changed of [[own, { ...own, sqft: 1_234, location: "poor" }], varied]) {
          const given = { names, rows: changed.map(toJson), target: "rental_price" };
          const { predictions } = await predictRows(clients.client, model, given, options);
          assert.deepEqual(
            predictions.map(({ value }) => Number(value)),
            await predictPlainly(clients.admin, number, changed),
          );
          for (const { value, lower, upper } of predictions) {
            assert.ok(Number(lower) <= Number(value) && Number(value) <= Number(upper));
          }
        }
      }
    });

    it("keeps two runs, and finds which rows changed and how much", async () => {
      let history: PastRun[] = [];
      const keep = async (run: CellRun): Promise<void> => {
        const origin = { startedAt: 1, connectionId: "real", contentHash: "", ...run.madeOf };
        history = await addRun(history, { origin, outcome: readOutcome(run, false)! }, run.table);
      };
      for (const number of [1, 2]) {
        await keep(await cells.run({ model: `${seededModel}.${number}`, rows: { table } }));
      }
      const [before, after] = history;
      assert.deepEqual(
        history.map(({ origin }) => origin.training?.version),
        [1, 2],
      );
      const kept = 1_000;
      const expected = right[1]!
        .slice(0, kept)
        .map((value, at) => ({ row: at + 1, size: Math.abs(value - right[2]![at]!) }))
        .filter(({ size }) => size > 0);
      const found = findChanges(before!.predictions, after!.predictions);
      assert.deepEqual(
        found.map(({ size }) => size),
        expected.map(({ size }) => size).sort((a, b) => b - a),
      );
      for (const change of found) {
        assert.deepEqual(
          [Number(change.before), Number(change.after)],
          [right[1]![change.row - 1], right[2]![change.row - 1]],
        );
      }
    });

    it("keeps the numbers of a version that is deleted meanwhile, and says what is missing", async () => {
      const run = await runWhile(`${seededModel}.2`, `DROP MODEL ${seededModel}.2`);
      assert.equal(run.progress.state.kind, "failed");
      assert.match(messageOf(run), /home_rentals_model\.2.*not found/);
      assert.deepEqual(
        (await readValues(run)).map((row) => row["predicted rental_price"]),
        right[2]!.slice(0, 1_000),
      );
    });
  });
}
