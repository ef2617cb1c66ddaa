import assert from "node:assert/strict";
import { findDependents } from "../../../src/dataSources/findDependents.ts";
import type { Client } from "../../../src/mindsdb/http/client.ts";
import { clientOf } from "../mindsdb/scriptedServer.ts";

describe("What depends on a data source", () => {
  const path = "/api/projects/mindsdb";
  const triggers = (...data: unknown[][]) => ({
    type: "table",
    column_names: ["NAME", "DATABASE", "TABLE", "QUERY", "LAST_ERROR"],
    data,
  });
  /** A server that has these items, and no others. */
  const clientWith = (items: { views: object[]; agents?: object[] }): Client => {
    const lists = { agents: [], knowledge_bases: [], jobs: [], ...items };
    const answers: Record<string, object> = { "/api/sql/query": triggers() };
    for (const [list, rows] of Object.entries(lists)) answers[`${path}/${list}`] = rows;
    return clientOf(answers);
  };
  const views = [
    { name: "v1", query: "SELECT * FROM Shop.orders" },
    { name: "v2", query: "SELECT a FROM `shop` (SELECT 1)" },
    { name: "v3", query: "SELECT 'shop.x', shop FROM other.shop" },
  ];
  const agents = [
    { name: "a1", data: { tables: ["shop.*"] } },
    { name: "a2", data: { tables: ["files.shop"] } },
  ];

  it("is what names it in SQL, in tables or as a storage", async () => {
    const client = clientOf({
      "/api/databases/": [
        { name: "mindsdb", type: "project", deletable: false },
        { name: "shop", type: "data", engine: "postgres" },
        { name: "other", type: "data", engine: "postgres" },
      ],
      [`${path}/views`]: views,
      [`${path}/agents`]: agents,
      [`${path}/knowledge_bases`]: [
        { name: "k1", vector_database: "shop", vector_database_table: "t" },
      ],
      [`${path}/jobs`]: [{ name: "j1", query: "INSERT INTO shop.log VALUES (1)" }],
      "/api/sql/query": triggers(
        ["t1", "shop", "orders", "SELECT 1", null],
        ["t2", "other", "x", "SELECT 1", null],
      ),
    });
    const { found, isPartial } = await findDependents(client, "shop");
    const names = found.map(({ kind, name }) => `${kind} ${name}`);
    assert.deepEqual(names, [
      "view v1",
      "view v2",
      "knowledgeBase k1",
      "agent a1",
      "job j1",
      "trigger t1",
    ]);
    assert.equal(isPartial, false);
  });

  it("is also what reads it in a condition, or through views and knowledge bases", async () => {
    const client = clientOf({
      [`${path}/views`]: [
        // Before the view that it reads.
        { name: "top", query: "SELECT * FROM Middle AS m JOIN files.f" },
        { name: "middle", query: "SELECT * FROM mindsdb.Base" },
        { name: "base", query: "SELECT * FROM shop.orders" },
        { name: "self", query: "SELECT * FROM self" },
        { name: "other", query: "SELECT top, 'mindsdb.top' FROM files.middle" },
        { name: "found", query: "SELECT * FROM kb WHERE content = 'x'" },
      ],
      [`${path}/agents`]: [
        { name: "a1", data: { tables: ["mindsdb.TOP"] } },
        { name: "a2", data: { tables: ["mindsdb.mid*"] } },
        { name: "a3", data: { knowledge_bases: ["mindsdb.kb"] } },
        { name: "a4", data: { tables: ["mindsdb.other", "files.*"] } },
      ],
      [`${path}/knowledge_bases`]: [
        { name: "kb", vector_database: "shop", vector_database_table: "t" },
      ],
      [`${path}/jobs`]: [
        { name: "j1", query: "SELECT 1", if_query: "SELECT * FROM shop.orders WHERE id > LAST" },
        { name: "j2", query: "INSERT INTO files.f (SELECT * FROM top)" },
        { name: "j3", query: "SELECT 1", if_query: "SELECT 1 FROM files.top" },
      ],
      "/api/sql/query": triggers([
        ...["t1", "other", "x", "INSERT INTO files.f (SELECT * FROM mindsdb.middle)", null],
      ]),
    });
    const { found } = await findDependents(client, "shop");
    assert.deepEqual(
      found.map(({ name }) => name),
      ["top", "middle", "base", "found", "kb", "a1", "a2", "a3", "j1", "j2", "t1"],
    );
  });

  it("is not all known where SQL is too long to be read, and other tasks run while many texts are", async () => {
    const list = (length: number) => `SELECT a${" , b".repeat(length / 4)} FROM shop.t`;
    const client = clientWith({
      views: [
        { name: "long", query: list(200_000) },
        ...Array.from({ length: 20 }, (_, at) => ({ name: `v${at}`, query: list(90_000) })),
      ],
    });
    let turns = 0;
    const turning = setInterval(() => turns++);
    const { found, isPartial } = await findDependents(client, "shop");
    clearInterval(turning);
    assert.deepEqual(
      [found.length, found.some(({ name }) => name === "long"), isPartial],
      [20, false, true],
    );
    assert.ok(turns >= 5, String(turns));
  });

  it("is not all known where many views meet many patterns of agents", async () => {
    const count = 5_000;
    const numbers = [...Array(count).keys()];
    const client = clientWith({
      views: numbers.map((at) => ({ name: `v${at}`, query: "SELECT * FROM shop.t" })),
      agents: [
        { name: "early", data: { tables: ["mindsdb.v1*"] } },
        { name: "many", data: { tables: numbers.map((at) => `mindsdb.x${at}*`) } },
      ],
    });
    const { found, isPartial } = await findDependents(client, "shop");
    assert.deepEqual([found.length, found.at(-1)?.name, isPartial], [count + 1, "early", true]);
  });

  it("is not all known where a list cannot be read", async () => {
    const { found, isPartial } = await findDependents(clientOf({}), "shop");
    assert.deepEqual([found, isPartial], [[], true]);
  });
});
