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
      "/api/projects/mindsdb/models": [],
      "/api/projects/mindsdb/views": [
        ...Object.entries(queries).map(([name, query]) => ({ name, query })),
        { name: "endless", query: "SELECT * FROM endless" },
      ],
    });
    assert.equal(await asksAgent(client, "SELECT * FROM first"), true);
    assert.equal(await asksAgent(client, "SELECT * FROM endless"), false);
  });

  it("is one through views with more text than is read in a moment", async () => {
    const list = (length: number) => `SELECT a${" , b".repeat(length / 4)} FROM files.t`;
    const client = clientOf({
      "/api/projects/mindsdb/agents": [],
      "/api/projects/mindsdb/models": [],
      "/api/projects/mindsdb/views": [
        { name: "short", query: list(20_000) },
        { name: "long", query: list(200_000) },
        ...["a", "b"].map((name) => ({ name, query: list(60_000) })),
      ],
    });
    assert.equal(await asksAgent(client, "SELECT * FROM short"), false);
    assert.equal(await asksAgent(client, "SELECT * FROM a"), false);
    assert.equal(await asksAgent(client, "SELECT * FROM long"), true);
    assert.equal(await asksAgent(client, "SELECT * FROM a JOIN b"), true);
  });

  it("is one that reaches a hosted model, by whatever name its engine has", async () => {
    const models = { gpt: "my_openai", claude: "anthropic", rents: "lightwood", own: "byom1" };
    const model = (name: string, engine: string) => ({ name, engine, version: 1, active: true });
    const server: Record<string, unknown> = {
      "/api/projects/mindsdb/agents": [],
      "/api/projects/mindsdb/views": [
        { name: "answers", query: "SELECT * FROM files.t AS t JOIN gpt AS m" },
        { name: "found", query: "SELECT * FROM docs WHERE content = 'a'" },
        { name: "written", query: "SELECT llm('a') AS x" },
        { name: "free", query: "SELECT * FROM files.t" },
      ],
      "/api/projects/mindsdb/models": Object.keys(models).map((name) => ({ name, version: 1 })),
      "/api/sql/query": {
        type: "table",
        column_names: ["NAME", "HANDLER", "CONNECTION_DATA"],
        data: [
          ["my_openai", "openai", {}],
          ["byom1", "byom", {}],
        ],
      },
    };
    for (const [name, engine] of Object.entries(models)) {
      server[`/api/projects/mindsdb/models/${name}`] = model(name, engine);
    }
    const asks = (sql: string) => asksAgent(clientOf(server), sql);
    for (const sql of [
      "SELECT answer FROM mindsdb.gpt WHERE text = 'hello'",
      "SELECT * FROM files.t AS t JOIN GPT AS m",
      "SELECT * FROM mindsdb.claude.1 WHERE a = 1",
      "SELECT * FROM answers",
      "SELECT * FROM found",
      "SELECT * FROM written",
    ]) {
      assert.equal(await asks(sql), true, sql);
    }
    for (const sql of ["SELECT * FROM rents WHERE a = 1", "SELECT * FROM own", "TABLE free"]) {
      assert.equal(await asks(sql), false, sql);
    }
    delete server["/api/projects/mindsdb/models/rents"];
    assert.equal(await asks("SELECT * FROM rents WHERE a = 1"), true);
  });

  it("is one that describes the columns of a view, since the server runs its query for that", async () => {
    const client = clientOf({
      "/api/databases/": [
        { name: "mindsdb", type: "project", deletable: false },
        { name: "Shop", type: "project", deletable: true },
      ],
      "/api/projects/mindsdb/agents": [],
      "/api/projects/mindsdb/models": [],
      "/api/projects/mindsdb/views": [{ name: "free", query: "SELECT * FROM files.t" }],
      "/api/projects/shop/agents": [{ name: "seller" }],
      "/api/projects/shop/models": [],
      "/api/projects/shop/views": [{ name: "sold", query: "SELECT * FROM shop.seller" }],
    });
    for (const sql of [
      "EXPLAIN shop.sold",
      "EXPLAIN shop.x.sold",
      "SHOW COLUMNS FROM sold FROM shop",
      "SHOW COLUMNS FROM shop.x.sold",
      "SHOW COLUMNS FROM files.home WHERE TABLE_SCHEMA = 'shop' AND TABLE_NAME = 'sold'",
      "SHOW FULL COLUMNS FROM files.home WHERE 'a' = 'a'",
      "SELECT * FROM information_schema.columns WHERE table_schema = 'shop'",
      "SELECT count(*) FROM Information_Schema.`COLUMNS` WHERE table_schema IN ('a', 'Shop')",
      "SELECT * FROM information_schema.columns WHERE table_schema = :p",
      "SELECT * FROM information_schema.columns WHERE table_schema IN (SELECT x FROM files.t)",
    ]) {
      assert.equal(await asksAgent(client, sql), true, sql);
    }
    for (const sql of [
      "EXPLAIN free",
      "SHOW COLUMNS FROM files.home",
      "SELECT * FROM information_schema.columns",
      "SELECT * FROM information_schema.columns WHERE table_schema = 'files'",
      "SELECT * FROM information_schema.tables WHERE table_schema = 'shop'",
    ]) {
      assert.equal(await asksAgent(client, sql), false, sql);
    }
  });

  it("is one in a project with the name of a schema of the server", async () => {
    const client = clientOf(
      {
        "/api/projects/log/agents": [{ name: "spy" }],
        "/api/projects/information_schema/agents": [{ name: "spy" }],
      },
      { missing: 404 },
    );
    for (const schema of ["log", "information_schema"]) {
      const sql = `SELECT * FROM ${schema}.spy WHERE a = 1`;
      assert.equal(await asksAgent(client, sql), true, sql);
    }
    for (const sql of ["SELECT * FROM log.llm_log", "SELECT * FROM information_schema.agents"]) {
      assert.equal(await asksAgent(client, sql), false, sql);
    }
  });

  it("is one in the project that a USE has named", async () => {
    const client = clientOf({
      "/api/projects/mindsdb/agents": [],
      "/api/projects/mindsdb/views": [],
      "/api/projects/mindsdb/models": [],
      "/api/projects/shop/models": [],
      "/api/projects/shop/agents": [{ name: "seller" }],
      "/api/projects/shop/views": [{ name: "sold", query: "SELECT * FROM seller" }],
    });
    for (const sql of ["SELECT * FROM seller WHERE a = 1", "SELECT * FROM sold"]) {
      assert.equal(await asksAgent(client, sql), false, sql);
      assert.equal(await asksAgent(client, sql, { database: "shop" }), true, sql);
    }
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
      "SELECT * FROM files.home_rentals AS t JOIN mindsdb.home_rentals_model AS m",
    ]) {
      assert.equal(await asksAgent(sample.client, sql), false, sql);
    }
  });
});
