// Bad days of rows that are on a real server, read from there or predicted into a table: each ends with a plain sentence or
// with the numbers of the predict endpoint.
import assert from "node:assert/strict";
import type { CellRun } from "../../src/predict/run/cellRun.ts";
import { Admin } from "./admin.ts";
import { useClients } from "./clients.ts";
import { fixture, versions } from "./fixture.ts";
import {
  CellRunner,
  messageOf,
  predictPlainly,
  readValues,
  seededModel,
  uploadRows,
} from "./predictRuns.ts";
import { homes } from "./rentals.ts";

const table = "files.failing_homes";
const into = "files.failing_out";

/** Neither kind of cell predicts these rows, and each says the same. */
const wrongRows: [string, object, "blocked" | "failed", RegExp][] = [
  [
    "lack columns",
    { sql: `SELECT sqft, location FROM ${table}` },
    "blocked",
    /^The model needs columns that the query doesn't have: “number_of_rooms”, .*“days_on_market”\.$/,
  ],
  [
    "have a column with another name",
    {
      sql: `SELECT number_of_rooms, number_of_bathrooms, sqft AS Sqft, location, neighborhood, days_on_market FROM ${table}`,
    },
    "blocked",
    /^The model needs the column “sqft”, but the query doesn't have it\.$/,
  ],
  [
    "are of a query that fails",
    { sql: `SELECT nothing FROM ${table}` },
    "failed",
    /Referenced column "nothing" not found/,
  ],
  ["are of a table that is not there", { table: "files.absent" }, "failed", /absent/],
  [
    "are none, of a table",
    { table, where: "sqft < 0" },
    "failed",
    /^files\.failing_homes: There are no rows\.$/,
  ],
  [
    "are none, of a query",
    { sql: `SELECT * FROM ${table} WHERE sqft < 0` },
    "failed",
    /^The query returned no rows\.$/,
  ],
];

for (const version of versions) {
  describe(`MindsDB ${version}, rows of its own that go wrong`, function () {
    this.timeout(10 * 60_000);
    // More than a page.
    const rows = homes(5_500, 31).map((row, id) => ({ id, ...row }));
    const clients = useClients(version);
    let cells: CellRunner;

    before("upload rows", async () => {
      cells = new CellRunner(clients.client);
      await uploadRows(clients.admin, "failing_homes", rows);
    });
    after("leave the server as it was", async () => {
      await cells.close();
      // Its restarts have ended all sign-ins.
      const admin = await Admin.signIn(fixture(version).server);
      for (const name of ["failing_homes", "failing_named", "failing_out", "failing_named_out"]) {
        await admin.sql(`DROP TABLE IF EXISTS files.${name}`);
      }
    });

    for (const [what, of, kind, says] of wrongRows) {
      it(`says so if they ${what}, and writes nothing`, async () => {
        for (const more of [{}, { into }]) {
          const run = await cells.run({ rows: of, ...more });
          assert.equal(run.progress.state.kind, kind, messageOf(run));
          assert.match(messageOf(run), says);
          assert.equal(run.progress.count, 0);
        }
        const tables = await clients.admin.sql("SHOW TABLES FROM files");
        assert.ok(!tables.flat().includes("failing_out"));
      });
    }

    it("are predicted rightly if they have columns with the model's names for others", async () => {
      const taken = {
        rental_price_explain: "mine",
        rental_price_confidence: 5,
        confidence: "high",
        difference: 7,
        prediction_nonce: "n",
        predicted_rental_price: 1,
      };
      const named = rows.slice(0, 50).map((row) => ({ ...row, ...taken }));
      await uploadRows(clients.admin, "failing_named", named);
      const right = await predictPlainly(clients.admin, 1, named);
      const run = await cells.run({ rows: { table: "files.failing_named" } });
      assert.equal(run.progress.state.kind, "done", messageOf(run));
      const shown = await readValues(run);
      assert.deepEqual(
        shown.map((row) => row["predicted rental_price"]),
        right,
      );
      for (const [name, value] of Object.entries(taken)) {
        for (const row of shown) assert.equal(row[`input ${name}`], value, name);
      }
      const written = await cells.run({
        rows: { table: "files.failing_named" },
        into: "files.failing_named_out",
      });
      assert.match(messageOf(written), / wrote 50 predictions to .* with the same results\.$/);
      const numbers = await clients.admin.sql(
        "SELECT id, predicted_rental_price, predicted_rental_price_2 FROM files.failing_named_out",
      );
      assert.deepEqual(
        numbers,
        right.map((value, id) => [id, taken.predicted_rental_price, value]),
      );
    });

    it("are read as they are written with comments, quotes and semicolons", async () => {
      const sql =
        '/* a; b */ SELECT * -- it\'s "one"\n' +
        `FROM ${table} /* \` */ WHERE location <> 'it''s; -- x' LIMIT 20;  ;`;
      const run = await cells.run({ rows: { sql } });
      assert.deepEqual([run.progress.state.kind, run.progress.count], ["done", 20], messageOf(run));
      const where = "location <> 'a -- b' AND id < 9 -- c\n/* d */";
      const some = await cells.run({ model: `${seededModel}.1`, rows: { table, where } });
      assert.deepEqual([some.progress.state.kind, some.progress.count], ["done", 9]);
    });

    it("are all predicted if the server is killed and comes back while they are read", async () => {
      const { server } = fixture(version);
      let restarted: Promise<void> | undefined;
      const seen = new Set<string>();
      const run = await cells.run({ rows: { table } }, (running: CellRun) => {
        const { state, count } = running.progress;
        seen.add(state.kind);
        if (count > 0) restarted ??= server.restart({ kill: true });
        // Rows of a request that was cut off are only sent again if the user wants that.
        if (state.kind === "paused") void restarted?.then(() => running.resume());
      });
      await restarted;
      assert.equal(run.progress.state.kind, "done", messageOf(run));
      assert.ok(restarted && (seen.has("waiting") || seen.has("paused")), [...seen].join());
      const shown = await readValues(run);
      assert.deepEqual(
        shown.map((row) => row["input id"]),
        rows.map(({ id }) => id),
      );
      assert.deepEqual(
        shown.map((row) => row["predicted rental_price"]),
        await predictPlainly(await Admin.signIn(server), 1, rows),
      );
    });
  });
}
