// The sample server trains models by SQL, keeps them over restarts, and switches and deletes their versions.
import assert from "node:assert/strict";
import { startTestServer } from "../../sampleServer/server.ts";
import { SampleClient } from "./client.ts";

describe("the sample server's trainings", () => {
  let client: SampleClient;
  beforeEach(async () => {
    client = new SampleClient(startTestServer);
    await client.start();
  });
  afterEach(() => client.stop());

  const sql = (query: string) => client.sql(query);
  const create = (name: string, target: string) =>
    sql(
      `CREATE MODEL mindsdb.${name} FROM mindsdb (SELECT sqft, location, rental_price FROM files.home_rentals) ` +
        `PREDICT ${target} USING engine = 'sample'`,
    );

  it("fit real models, for numbers and for labels, which predict", async () => {
    const { columns, rows } = await create("rents", "rental_price");
    const made = (name: string) => rows[0]?.[columns.indexOf(name)];
    assert.deepEqual([made("STATUS"), made("VERSION")], ["generating", 1]);
    await create("places", "location");
    assert.deepEqual(await client.untilTrained("rents"), [[1, "complete", true]]);
    assert.deepEqual(await client.untilTrained("places"), [[1, "complete", true]]);
    const predicted = await sql(
      "SELECT rental_price FROM mindsdb.rents WHERE sqft = 900 AND location = 'great'",
    );
    assert.ok(Number(predicted.rows[0]?.[0]) > 1_000);
  });

  it("take over when they are trained, unless active is 0", async () => {
    await create("rents", "rental_price");
    await client.untilTrained("rents");
    await sql("RETRAIN `mindsdb`.`rents` USING active = 0");
    assert.deepEqual(await client.untilTrained("rents"), [
      [1, "complete", true],
      [2, "complete", false],
    ]);
    await sql("RETRAIN mindsdb.rents PREDICT sqft");
    assert.deepEqual((await client.untilTrained("rents")).at(-1), [3, "complete", true]);
    await sql("SET ACTIVE mindsdb.rents.2");
    assert.match((await sql("DROP MODEL mindsdb.rents.2")).error, /Can't remove active/);
    await sql("DROP MODEL mindsdb.rents.1");
    assert.deepEqual(await client.versions("rents"), [
      [2, "complete", true],
      [3, "complete", false],
    ]);
  });

  it("fail with a reason, and refuse what real servers refuse", async () => {
    await create("wrong", "nosuch");
    assert.deepEqual(await client.untilTrained("wrong"), [[1, "error", true]]);
    assert.match((await create("wrong", "sqft")).error, /^Model already exists/);
    const other = (await create("x", "sqft USING engine = 'nosuch' --")).error;
    assert.match(other, /There is no engine 'nosuch'/);
    assert.match((await sql("RETRAIN mindsdb.none")).error, /^Predictor not found/);
    assert.match((await sql("DROP MODEL mindsdb.none")).error, /^Model does not exist/);
  });

  it("and what became of the seed's models are there after a restart", async () => {
    await create("rents", "rental_price");
    await client.untilTrained("rents");
    await sql("SET ACTIVE mindsdb.home_rentals_model.1");
    await sql("DROP MODEL mindsdb.location_model");
    await client.restart();
    assert.deepEqual(await client.versions("rents"), [[1, "complete", true]]);
    assert.deepEqual(await client.versions("home_rentals_model"), [
      [1, "complete", true],
      [2, "complete", false],
    ]);
    assert.deepEqual(await client.versions("location_model"), []);
    const { rows } = await sql("SELECT rental_price FROM mindsdb.rents WHERE sqft = 900");
    assert.equal(rows.length, 1);
    const seeded = await sql("SELECT rental_price FROM mindsdb.home_rentals_model WHERE sqft = 9");
    assert.equal(seeded.rows.length, 1);
  });

  it("leave projects that are deleted only when they are empty", async () => {
    const remove = async (name: string) =>
      (await client.send("DELETE", `/api/databases/${name}`)).status;
    await sql("CREATE PROJECT trials");
    assert.equal(await remove("support"), 400);
    assert.equal(await remove("mindsdb"), 400);
    assert.equal(await remove("trials"), 204);
    await client.restart();
    assert.ok(!(await sql("SHOW DATABASES")).rows.flat().includes("trials"));
  });
});
