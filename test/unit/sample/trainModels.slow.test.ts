// The sample server trains models by SQL, keeps them over restarts, and switches and deletes their versions.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startTestServer } from "../../sampleServer/server.ts";
import type { SampleServer } from "../../../src/sample/server/server.ts";

type Row = Record<string, unknown>;

describe("the sample server's trainings", function () {
  this.timeout(120_000);
  let folder: string;
  let server: SampleServer;

  beforeEach(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "train-"));
    server = await start();
  });
  afterEach(async () => {
    await server.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const start = (): Promise<SampleServer> =>
    startTestServer({ stepDelay: 0, changesFile: path.join(folder, "changes.json") });

  async function sql(query: string): Promise<{ error?: string; rows: Row[] }> {
    const response = await fetch(`${server.url}/api/sql/query`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query }),
    });
    const answer = (await response.json()) as {
      error_message?: string;
      column_names?: string[];
      data?: unknown[][];
    };
    const { column_names: names = [], data = [], error_message: error } = answer;
    const rows = data.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])));
    return { ...(error === undefined ? {} : { error }), rows };
  }
  const versions = async (name: string): Promise<unknown[][]> =>
    (await sql(`SELECT * FROM mindsdb.models WHERE NAME = '${name}'`)).rows.map((row) => [
      row["VERSION"],
      row["STATUS"],
      row["ACTIVE"],
    ]);
  async function untilTrained(name: string): Promise<unknown[][]> {
    for (;;) {
      const found = await versions(name);
      if (!found.some(([, status]) => status === "generating")) return found;
      await sleep(100);
    }
  }
  const create = (name: string, target: string) =>
    sql(
      `CREATE MODEL mindsdb.${name} FROM mindsdb (SELECT sqft, location, rental_price FROM files.home_rentals) ` +
        `PREDICT ${target} USING engine = 'sample'`,
    );

  it("fit real models, for numbers and for labels, which predict", async () => {
    const { rows } = await create("rents", "rental_price");
    assert.deepEqual([rows[0]?.["STATUS"], rows[0]?.["VERSION"]], ["generating", 1]);
    await create("places", "location");
    assert.deepEqual(await untilTrained("rents"), [[1, "complete", true]]);
    assert.deepEqual(await untilTrained("places"), [[1, "complete", true]]);
    const predicted = await sql(
      "SELECT rental_price FROM mindsdb.rents WHERE sqft = 900 AND location = 'great'",
    );
    assert.ok(Number(predicted.rows[0]?.["rental_price"]) > 1_000);
  });

  it("take over when they are trained, unless active is 0", async () => {
    await create("rents", "rental_price");
    await untilTrained("rents");
    await sql("RETRAIN `mindsdb`.`rents` USING active = 0");
    assert.deepEqual(await untilTrained("rents"), [
      [1, "complete", true],
      [2, "complete", false],
    ]);
    await sql("RETRAIN mindsdb.rents PREDICT sqft");
    assert.deepEqual((await untilTrained("rents")).at(-1), [3, "complete", true]);
    await sql("SET ACTIVE mindsdb.rents.2");
    assert.match((await sql("DROP MODEL mindsdb.rents.2")).error ?? "", /Can't remove active/);
    await sql("DROP MODEL mindsdb.rents.1");
    assert.deepEqual(await versions("rents"), [
      [2, "complete", true],
      [3, "complete", false],
    ]);
  });

  it("fail with a reason, and refuse what real servers refuse", async () => {
    await create("wrong", "nosuch");
    assert.deepEqual(await untilTrained("wrong"), [[1, "error", true]]);
    assert.match((await create("wrong", "sqft")).error ?? "", /^Model already exists/);
    const other = (await create("x", "sqft USING engine = 'nosuch' --")).error ?? "";
    assert.match(other, /There is no engine 'nosuch'/);
    assert.match((await sql("RETRAIN mindsdb.none")).error ?? "", /^Predictor not found/);
    assert.match((await sql("DROP MODEL mindsdb.none")).error ?? "", /^Model does not exist/);
  });

  it("and what became of the seed's models are there after a restart", async () => {
    await create("rents", "rental_price");
    await untilTrained("rents");
    await sql("SET ACTIVE mindsdb.home_rentals_model.1");
    await sql("DROP MODEL mindsdb.location_model");
    await server.stop();
    server = await start();
    assert.deepEqual(await versions("rents"), [[1, "complete", true]]);
    assert.deepEqual(await versions("home_rentals_model"), [
      [1, "complete", true],
      [2, "complete", false],
    ]);
    assert.deepEqual(await versions("location_model"), []);
    const { rows } = await sql("SELECT rental_price FROM mindsdb.rents WHERE sqft = 900");
    assert.equal(rows.length, 1);
    const seeded = await sql("SELECT rental_price FROM mindsdb.home_rentals_model WHERE sqft = 9");
    assert.equal(seeded.rows.length, 1);
  });

  it("leave projects that are deleted only when they are empty", async () => {
    const remove = async (name: string) =>
      (await fetch(`${server.url}/api/databases/${name}`, { method: "DELETE" })).status;
    await sql("CREATE PROJECT trials");
    assert.equal(await remove("support"), 400);
    assert.equal(await remove("mindsdb"), 400);
    assert.equal(await remove("trials"), 204);
    await server.stop();
    server = await start();
    assert.ok(!(await sql("SHOW DATABASES")).rows.some((row) => row["Database"] === "trials"));
  });
});
