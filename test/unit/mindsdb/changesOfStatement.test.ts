import assert from "node:assert/strict";
import { isAbout } from "../../../src/mindsdb/changes/serverChange.ts";
import { changesOfSql } from "../../../src/mindsdb/changes/changesOfStatement.ts";

describe("what a statement changes on a server", () => {
  const expected: [sql: string, changes: object[]][] = [
    ["SELECT * FROM mindsdb.models", []],
    ["SHOW MODELS", []],
    ["INSERT INTO kb SELECT * FROM t", [{ list: "queries" }]],
    [
      "INSERT INTO files.t (a) VALUES (1)",
      [{ list: "tables", project: "files", name: "t" }, { list: "queries" }],
    ],
    [
      "CREATE OR REPLACE TABLE files.`My Table` (SELECT 1 AS a)",
      [{ kind: "changed", list: "tables", project: "files", name: "My Table" }],
    ],
    [
      "DROP TABLE IF EXISTS pg.public.orders",
      [{ kind: "changed", list: "tables", project: "pg", name: "public.orders" }],
    ],
    ["SELECT 'DROP AGENT a'", []],
    ["CREATE VIEW v AS (SELECT 1)", [{ list: "views", name: "v" }]],
    ["CREATE ML_ENGINE e FROM openai", [{ list: "mlEngines" }]],
    [
      "create or replace model shop.`my rents` FROM db (SELECT 1) PREDICT x",
      [{ list: "models", project: "shop", name: "my rents" }],
    ],
    ["DROP PREDICTOR rents", [{ list: "models", name: "rents" }]],
    ["CREATE ANOMALY DETECTION MODEL a", [{ list: "models", name: "a" }]],
    ["RETRAIN mindsdb.rents USING x = 1", [{ list: "models", project: "mindsdb", name: "rents" }]],
    ["FINETUNE rents FROM db (SELECT 1)", [{ list: "models", name: "rents" }]],
    ["DROP MODEL rents.3", [{ list: "models", name: "rents" }]],
    ["SET ACTIVE mindsdb.rents.2", [{ list: "models" }]],
    ["DELETE FROM mindsdb.models_versions WHERE name = 'a'", [{ list: "models" }]],
    ["UPDATE mindsdb.models SET active = 1", [{ list: "models" }]],
    ["DELETE FROM files.homes", []],
    ["UPDATE agents SET x = 1", []],
    [
      "/* why */ DROP AGENT IF EXISTS shop.helper",
      [{ list: "agents", project: "shop", name: "helper" }],
    ],
    ["UPDATE AGENT helper SET model = 'm'", [{ list: "agents", name: "helper" }]],
    ["ALTER KNOWLEDGE BASE kb USING x = 1", [{ list: "knowledgeBases", name: "kb" }]],
    [
      "CREATE KNOWLEDGE_BASE IF NOT EXISTS shop.kb USING model = {}",
      [{ list: "knowledgeBases", project: "shop", name: "kb" }],
    ],
    ["CREATE PROJECT shop; DROP AGENT a", [{ list: "projects" }, { list: "agents", name: "a" }]],
    ["DROP DATABASE shop", [{ list: "projects" }]],
    ["CREATE JOB shop.nightly AS (SELECT 1)", [{ list: "jobs", project: "shop", name: "nightly" }]],
  ];

  for (const [sql, changes] of expected) {
    it(sql, () => {
      assert.deepEqual(
        changesOfSql(sql),
        changes.map((change) => ({ kind: "changed", ...change })),
      );
    });
  }

  it("treats text that the server may parse differently as a change of everything", () => {
    const lists = changesOfSql("DROP AGENT 'a").map(({ list }) => list);
    assert.deepEqual(lists, [
      "projects",
      "agents",
      "knowledgeBases",
      "models",
      "views",
      "jobs",
      "triggers",
      "tables",
      "mlEngines",
      "queries",
    ]);
  });

  it("compares names without case, and treats names that a statement omits as matching anything", () => {
    const thing = { list: "agents", project: "Shop", name: "Helper" } as const;
    const about = (sql: string): boolean => changesOfSql(sql).some((one) => isAbout(one, thing));
    assert.ok(about("DROP AGENT shop.helper"));
    assert.ok(about("DROP AGENT helper"));
    assert.ok(about("DROP PROJECT shop"));
    assert.ok(!about("DROP AGENT other.helper"));
    assert.ok(!about("DROP MODEL shop.helper"));
  });
});
