import assert from "node:assert/strict";
import { asksAgent } from "../../../src/mindsdb/sql/asksAgent.ts";
import { useTestClient } from "../../useTestClient.ts";

describe("a statement that reads from an agent", () => {
  const sample = useTestClient();

  it("is recognized whatever its condition is about", async () => {
    for (const sql of [
      "SELECT * FROM mindsdb.rental_agent WHERE text = 'hi'",
      "SELECT * FROM `MindsDB`.`Rental_Agent` WHERE a = 1",
      "SELECT * FROM rental_agent WHERE a = 1",
      "SELECT * FROM files.asked AS t JOIN mindsdb.rental_agent AS a",
      "SELECT * FROM files.asked AS t, mindsdb.rental_agent AS a",
      "SELECT * FROM sales.orders AS t JOIN (SELECT * FROM mindsdb.rental_agent) AS a",
    ]) {
      assert.equal(await asksAgent(sample.client, sql), true, sql);
    }
  });

  it("is none without an agent of that name in that project", async () => {
    for (const sql of [
      "SELECT 1",
      "SELECT * FROM files.rental_agent",
      "SELECT * FROM nowhere.rental_agent",
      "SELECT * FROM mindsdb.rental_agents WHERE a = 'rental_agent'",
      "SELECT * FROM sales.mindsdb.rental_agent",
    ]) {
      assert.equal(await asksAgent(sample.client, sql), false, sql);
    }
  });
});
