// Predictions that a real server writes into a table: each number is the one that the predict endpoint gives for the
// row and the version, where a plain join gives those of another version, and of rows that have changed since.
import assert from "node:assert/strict";
import { checkTable } from "../../src/predict/run/tableCheck.ts";
import { useClients } from "./clients.ts";
import { versions } from "./fixture.ts";
import {
  CellRunner,
  messageOf,
  predictPlainly,
  seededModel as model,
  needSecondVersion,
  uploadRows,
} from "./predictRuns.ts";
import { homes } from "./rentals.ts";
import { SEEDED } from "./seed.ts";

const count = 2_000;
const predicted = "predicted_rental_price";

for (const version of versions) {
  describe(`MindsDB ${version}, predicting into a table`, function () {
    this.timeout(8 * 60_000);
    const original = homes(count, 17).map((row, at) => ({ id: at, ...row }));
    // The middle only: the key of the server's cache sees the first and the last rows of a table.
    const rows = original.map((row, at) =>
      at < count * 0.4 || at >= count * 0.6 ? row : { ...row, sqft: row.sqft + 400 },
    );
    const clients = useClients(version);
    let cells: CellRunner;

    before("have another version", async () => {
      cells = new CellRunner(clients.client);
      await uploadRows(clients.admin, "into_homes", original);
      await needSecondVersion(clients.admin);
    });
    after("remove the tables", async () => {
      const { admin } = clients;
      await cells.close();
      for (const name of ["into_homes", "into_1", "into_2", "into_wrong", "into_lost"]) {
        await admin.sql(`DROP TABLE IF EXISTS files.${name}`);
      }
    });

    /** How many of the numbers, as id and prediction, are not the endpoint's. */
    function countWrong(found: unknown[][], right: readonly number[]): number {
      assert.equal(found.length, count);
      assert.equal(new Set(found.map(([id]) => id)).size, count);
      return found.filter(([id, number]) => number !== right[Number(id)]).length;
    }

    function join(modelVersion: number): string {
      return (
        `SELECT t.id, m.rental_price AS ${predicted} ` +
        `FROM files.into_homes AS t JOIN ${model}.${modelVersion} AS m`
      );
    }

    it("writes the endpoint's number for every row and version, where a plain join does not", async () => {
      const { admin } = clients;
      // The cache now holds predictions for the rows as they were.
      for (const modelVersion of [1, 2]) await admin.sql(join(modelVersion));
      await admin.delete("/api/files/into_homes");
      await uploadRows(admin, "into_homes", rows);
      for (const modelVersion of [1, 2]) {
        const right = await predictPlainly(admin, modelVersion, rows);
        const started = performance.now();
        const run = await cells.run({
          model: `${model}.${modelVersion}`,
          rows: { table: "files.into_homes" },
          into: `files.into_${modelVersion}`,
        });
        const seconds = (performance.now() - started) / 1_000;
        const { state, into } = run.progress;
        assert.deepEqual([state.kind, into], ["done", { isWritten: true }], JSON.stringify(state));
        assert.match(
          messageOf(run),
          new RegExp(`_model\\.${modelVersion} wrote 2,?000 predictions to .* 200 random rows`),
        );
        const written = await admin.sql(`SELECT id, ${predicted} FROM files.into_${modelVersion}`);
        assert.equal(countWrong(written, right), 0);
        const joined = countWrong(await admin.sql(join(modelVersion)), right);
        console.log(
          `      version ${modelVersion}: ${seconds.toFixed(1)} s; of ${count} numbers 0 are wrong in the table, ` +
            `${joined} in a plain join`,
        );
        assert.ok(joined > 0, "the plain join is right: the nonce is no longer needed");
      }
    });

    it("replaces a table that the server has lost, as it does when a value that is added does not fit", async () => {
      const { admin } = clients;
      await admin.sql("CREATE TABLE files.into_lost (SELECT sqft FROM files.into_homes LIMIT 3)");
      await assert.rejects(
        admin.sql(
          "INSERT INTO files.into_lost (SELECT location AS sqft FROM files.into_homes LIMIT 1)",
        ),
        /Could not convert/,
      );
      await assert.rejects(admin.sql("SELECT * FROM files.into_lost"), /too small/);
      const run = await cells.run({
        rows: { table: "files.into_homes" },
        into: "files.into_lost",
        limit: 20,
      });
      assert.match(messageOf(run), / wrote 20 predictions to .* with the same results\.$/);
    });

    it("finds that the numbers of a plain join are wrong", async () => {
      const columns = Object.keys(original[0]!).map((name) => `t.${name}`);
      await clients.admin.sql(
        `CREATE TABLE files.into_wrong (SELECT ${columns.join(", ")}, m.rental_price AS ${predicted} ` +
          `FROM files.into_homes AS t JOIN ${model}.2 AS m)`,
      );
      const check = await checkTable(
        clients.client,
        {
          table: ["files", "into_wrong"],
          count,
          predicted,
          model: { project: "mindsdb", name: SEEDED.model, version: 2 },
          target: "rental_price",
          timeLimitMs: 120_000,
        },
        {},
      );
      assert.equal(check.checked, 200);
      assert.ok(check.differing > 0);
      assert.match(check.first?.row ?? "", /^id: \d+, number_of_rooms: /);
    });
  });
}
