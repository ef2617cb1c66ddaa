// Predictions that a real server writes into a table: each number is the one that the predict endpoint gives for the row and
// the version, where a plain join gives those of another version, and of rows that have changed since.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { FormData } from "undici";
import { DescriptionCache } from "../../src/models/descriptionCache.ts";
import { parseRecipe } from "../../src/predict/notebook/recipe.ts";
import { IntoTableRun, type IntoRecipe } from "../../src/predict/run/intoTableRun.ts";
import { checkTable } from "../../src/predict/run/tableCheck.ts";
import { runTextsForTests } from "../runTexts.ts";
import { Admin } from "./admin.ts";
import { connect, type Connection } from "./conversation.ts";
import { fixture, versions } from "./fixture.ts";
import { homes, toCsv } from "./rentals.ts";
import { SEEDED } from "./seed.ts";

const count = 10_000;
const model = `mindsdb.${SEEDED.model}`;
const predicted = "predicted_rental_price";

for (const version of versions) {
  describe(`MindsDB ${version}, predicting into a table`, function () {
    this.timeout(8 * 60_000);
    const original = homes(count, 17).map((row, at) => ({ id: at, ...row }));
    // The middle only: the key of the server's cache sees the first and the last rows of a table.
    const rows = original.map((row, at) =>
      at < count * 0.4 || at >= count * 0.6 ? row : { ...row, sqft: row.sqft + 400 },
    );
    let admin: Admin;
    let connection: Connection;

    before(async () => {
      admin = await Admin.signIn(fixture(version).server);
      connection = await connect(fixture(version).server.url);
      await upload("into_homes", original);
      await admin.sql(
        `RETRAIN ${model} FROM files (SELECT * FROM into_homes WHERE sqft < 700) ` +
          "PREDICT rental_price USING active = 0",
      );
      await untilTrained();
    });
    after(async () => {
      for (const name of ["into_homes", "into_1", "into_2", "into_wrong"]) {
        await admin.sql(`DROP TABLE IF EXISTS files.${name}`);
      }
      await admin.sql(`DROP MODEL ${model}.2`);
      await connection.close();
    });

    async function upload(name: string, of: readonly object[]): Promise<void> {
      const form = new FormData();
      form.set("file", new Blob([toCsv(of)]), `${name}.csv`);
      await admin.put(`/api/files/${name}`, form);
    }

    async function untilTrained(): Promise<void> {
      for (;;) {
        const found = await admin.sql(
          `SELECT STATUS FROM mindsdb.models WHERE NAME = '${SEEDED.model}' AND VERSION = 2`,
        );
        const status = found[0]?.[0];
        assert.notEqual(status, "error");
        if (status === "complete") return;
        await sleep(500);
      }
    }

    /** The endpoint's number for each row. */
    async function predictRows(modelVersion: number): Promise<number[]> {
      const path = `/api/projects/mindsdb/models/${SEEDED.model}.${modelVersion}/predict`;
      const all: number[] = [];
      for (let from = 0; from < count; from += 2_500) {
        const data = rows.slice(from, from + 2_500);
        const replies = (await admin.post(path, { data })) as { rental_price: number }[];
        all.push(...replies.map(({ rental_price }) => rental_price));
      }
      return all;
    }

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

    async function predictInto(modelVersion: number): Promise<IntoTableRun> {
      const recipe = parseRecipe(
        JSON.stringify({
          model: `${model}.${modelVersion}`,
          rows: { table: "files.into_homes" },
          into: `files.into_${modelVersion}`,
        }),
      ).recipe as IntoRecipe;
      const run = new IntoTableRun({
        client: () => Promise.resolve(connection.client),
        explain: (error) => ({ message: (error as Error).message }),
        logError: () => undefined,
        texts: runTextsForTests,
        onProgress: () => undefined,
        described: { connectionId: "real", descriptions: new DescriptionCache() },
        timeLimitMs: 120_000,
        sqlTimeLimitMs: 0,
        allowTable: () => Promise.resolve(true),
      });
      await run.predictInto(recipe, false);
      return run;
    }

    it("writes the endpoint's number for every row and version, where a plain join does not", async () => {
      // The cache now holds predictions for the rows as they were.
      for (const modelVersion of [1, 2]) await admin.sql(join(modelVersion));
      await admin.delete("/api/files/into_homes");
      await upload("into_homes", rows);
      for (const modelVersion of [1, 2]) {
        const right = await predictRows(modelVersion);
        const started = performance.now();
        const run = await predictInto(modelVersion);
        const seconds = (performance.now() - started) / 1_000;
        const { state, into } = run.progress;
        assert.deepEqual([state.kind, into], ["done", { isWritten: true }], JSON.stringify(state));
        assert.match(
          "message" in state ? (state.message ?? "") : "",
          new RegExp(`^10000 rows were written .*_model\\.${modelVersion}\\. 200 of them`),
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

    it("finds that the numbers of a plain join are wrong", async () => {
      const columns = Object.keys(original[0]!).map((name) => `t.${name}`);
      await admin.sql(
        `CREATE TABLE files.into_wrong (SELECT ${columns.join(", ")}, m.rental_price AS ${predicted} ` +
          `FROM files.into_homes AS t JOIN ${model}.2 AS m)`,
      );
      const check = await checkTable(
        connection.client,
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
