import assert from "node:assert/strict";
import { asksAgent } from "../../../src/mindsdb/sql/asksAgent.ts";
import { clientOf } from "./scriptedServer.ts";
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
      'SELECT * FROM "mindsdb.rental_agent" WHERE a = 1',
      'SELECT * FROM "mindsdb..rental_agent."',
      "SELECT * FROM `mindsdb.rental_agent`",
      "SELECT * FROM mindsdb.rental_agent.1",
      "WITH c AS (SELECT 1) TABLE mindsdb.rental_agent",
      "SELECT * FROM files.t UNION TABLE rental_agent",
      "SELECT * FROM files.t JOIN LATERAL rental_agent AS a",
      "SELECT * FROM files.t WHERE x IN (TABLE rental_agent)",
    ]) {
      assert.equal(await asksAgent(sample.client, sql), true, sql);
    }
  });

  it("is one where the server may read the text in another way", async () => {
    for (const sql of [
      "SELECT * FROM :t",
      'SELECT * FROM "rental\\_agent"',
      'SELECT * FROM "`mindsdb`.rental_agent"',
      "SELECT * FROM (DESCRIBE AGENT x)",
      "SELECT * FROM rental$agent",
      "SELECT * FROM knowledge base",
      "SELECT * FROM shop.*",
    ]) {
      assert.equal(await asksAgent(sample.client, sql), true, sql);
    }
  });

  it("is one through a view", async () => {
    const queries = { first: "SELECT * FROM Second", second: 'SELECT x FROM "mindsdb.helper"' };
    const client = clientOf({
      "/api/projects/mindsdb/agents": [{ name: "helper" }],
      "/api/projects/mindsdb/views": [
        ...Object.entries(queries).map(([name, query]) => ({ name, query })),
        { name: "endless", query: "SELECT * FROM endless" },
      ],
    });
    assert.equal(await asksAgent(client, "SELECT * FROM first"), true);
    assert.equal(await asksAgent(client, "SELECT * FROM endless"), false);
  });

  it("is one if the server does not tell its agents or views", async () => {
    const agents = "/api/projects/mindsdb/agents";
    for (const answers of [{}, { [agents]: [] }, { [agents]: "broken" }]) {
      assert.equal(await asksAgent(clientOf(answers), "SELECT * FROM mindsdb.t"), true);
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
