import assert from "node:assert/strict";
import { listingUse } from "../../../src/mindsdb/sql/listingUse.ts";

describe("use of the server's listings by a statement", () => {
  it("is found in every place", () => {
    for (const sql of [
      "SHOW AGENTS",
      "describe agent x",
      "SELECT * FROM information_schema.agents",
      "SELECT a.name FROM files.t, `INFORMATION_SCHEMA`.agents AS a",
      "SELECT * FROM (SELECT * FROM mindsdb.agents) AS x",
      "SELECT * FROM knowledge_bases",
      "SELECT * FROM log.llm_log",
      // After USE log.
      "SELECT * FROM llm_log",
      "CREATE MODEL p.m PREDICT y USING engine = 'e'",
      "SELECT * FROM mindsdb (SELECT * FROM agents)",
      "SELECT 1; SHOW AGENTS",
      "SELECT 'open",
      'SELECT * FROM "mindsdb.agents"',
      'SELECT * FROM "mindsdb.agents".1',
      'SELECT * FROM "information_schema.agents" AS a',
      'SELECT * FROM files.t, mindsdb."agents"',
      "SELECT * FROM `mindsdb.agents`",
      "SELECT * FROM `a.b`.agents",
      "SELECT * FROM mindsdb.agents.1",
      "SELECT * FROM models.`2`",
      "SELECT * FROM mindsdb.mdb_triggers",
      "WITH c AS (SELECT 1) TABLE mindsdb.agents",
      "WITH c AS (TABLE agents) SELECT * FROM c",
      "SELECT a FROM files.t UNION TABLE agents",
      "SELECT a FROM files.t INTERSECT DISTINCT TABLE agents",
      "SELECT * FROM files.t AS t JOIN LATERAL mindsdb.agents AS a",
      "SELECT * FROM files.t ORDER BY (TABLE agents)",
      "SELECT f((TABLE agents)) FROM files.t",
      "SELECT CASE WHEN a IN (TABLE agents) THEN 1 END FROM files.t",
      "SELECT * FROM (SHOW AGENTS)",
      "SELECT * FROM files.t, (DESCRIBE AGENT x) AS y",
      "SELECT * FROM :t",
      "SELECT * FROM mindsdb WITH ROLLUP.agents",
      "SELECT * FROM mindsdb with\n rollup . `agents`",
      "SELECT * FROM files.t, mindsdb (+).agents AS a",
      'SELECT * FROM files.t JOIN "mindsdb" WITH ROLLUP."agents"',
      'SELECT * FROM "`mindsdb`.x"',
      "SELECT coalesce(((SELECT model) FROM mindsdb.agents), 'x') FROM files.a",
      "SELECT 1 FROM files.a WHERE EXISTS((SELECT *) FROM mindsdb.agents)",
      "SELECT abs((WITH c AS (SELECT 1) (SELECT *) FROM mindsdb.agents)) FROM files.a",
      "SELECT trim(x FROM y FOR ((SELECT *) FROM mindsdb.agents)) FROM files.a",
      "SELECT * FROM mindsdb (SELECT * FROM age:nts)",
      "SELECT * fr:om agents",
    ]) {
      assert.notEqual(listingUse(sql), "none", sql);
    }
    for (const sql of [
      "SELECT token FROM files.accounts",
      "SELECT * FROM files.agents",
      "SELECT 'SHOW AGENTS'",
      "SELECT * FROM db.shop.models",
      "SELECT extract(year FROM models), trim(BOTH 'a' FROM agents) FROM files.t WHERE a = :agents",
      "SELECT count(*), upper(table_name) FROM information_schema.TABLES GROUP BY 2",
      'SELECT * FROM "information_schema.columns" AS a JOIN information_schema.schemata AS b',
      "WITH x AS (SELECT token FROM files.t) SELECT * FROM x",
      "",
    ]) {
      assert.equal(listingUse(sql), "none", sql);
    }
  });

  it("is plain where only columns are selected", () => {
    for (const sql of [
      "SHOW AGENTS FROM p WHERE name = 'x'",
      "DESCRIBE AGENT x",
      "CREATE MODEL p.m PREDICT y USING engine = 'e'",
      "SELECT * FROM mindsdb.agents",
      'select `NAME`, "model" from information_schema.agents;',
      "SELECT name FROM p.models WHERE NOT (active = 1 AND name LIKE 'a%') OR version IN (1, '2')",
      "SELECT name FROM log.llm_log WHERE a BETWEEN -1 AND 2.5 AND b IS NOT NULL AND c >= :at",
      "SELECT name, status FROM jobs ORDER BY name DESC NULLS LAST, status LIMIT 5 OFFSET 10",
      "SELECT 1; SELECT * FROM p.views LIMIT 1, 2 -- end",
      "SELECT count(*) FROM agents",
      "SELECT DISTINCT name FROM p.models",
      "SELECT project, COUNT(DISTINCT name) AS n, count(model) FROM agents GROUP BY project ORDER BY n",
      "SELECT count(*) AS runs, max(run_end) FROM log.jobs_history WHERE error IS NULL",
      "SELECT model_name, sum(total_tokens) AS n, avg(prompt_tokens) FROM log.llm_log GROUP BY model_name",
    ]) {
      assert.equal(listingUse(sql), "plain", sql);
    }
  });

  it("is derived where values may be taken out, changed, renamed or combined", () => {
    for (const sql of [
      "SELECT MODEL->>'api_key' FROM mindsdb.agents",
      "SELECT model.api_key FROM mindsdb.agents AS model",
      "SELECT `model.api_key` FROM mindsdb.agents",
      "SELECT hex(MODEL) FROM mindsdb.agents",
      "SELECT substr(MODEL, 1, 9) AS a FROM information_schema.agents",
      "SELECT webhook_token AS a FROM information_schema.chatbots",
      "SELECT webhook_token a FROM chatbots",
      "SELECT *, MODEL || '' FROM agents",
      "SELECT DISTINCT lower(model) FROM agents",
      "SELECT CAST(model AS text) FROM agents",
      "SELECT model::text FROM agents",
      "SELECT a.* FROM agents AS a (x, y)",
      "SELECT * FROM (SELECT model AS a FROM mindsdb.agents) AS x",
      "SELECT * FROM agents UNION SELECT hex(model) FROM agents",
      "SELECT a FROM files.t UNION ALL SELECT model FROM agents",
      "WITH c (a) AS (SELECT model FROM agents) SELECT a FROM c",
      "TABLE agents",
      "SELECT * FROM files.t AS t JOIN mindsdb.agents AS a",
      "SELECT * FROM files.t, agents",
      "SELECT (SELECT model FROM agents LIMIT 1) FROM files.t",
      "SELECT name FROM jobs WHERE name = lower('A')",
      "SELECT name FROM jobs WHERE name IN (SELECT name FROM agents)",
      "SELECT max(name) FROM jobs",
      "SELECT max(api_key) AS a FROM log.llm_log",
      "SELECT min(DISTINCT API_KEY) FROM log.llm_log GROUP BY success",
      "SELECT count(*), hex(input) FROM log.llm_log",
      "SELECT max(substr(input, 1, 9)) FROM log.llm_log",
      "SELECT group_concat(input) FROM log.llm_log",
      "SELECT max(input) FROM log.llm_log, jobs",
      'SELECT max(input) FROM "log.llm_log"."x", mindsdb.jobs',
      "SELECT count(*) OVER (), api_key AS a FROM log.llm_log",
      "SELECT count(*) FILTER (WHERE a > 1) FROM agents",
      "SELECT count(model.api_key) FROM agents",
      "SELECT count(lower(model)) FROM agents",
      "SELECT upper(table_name) FROM information_schema.tables.agents",
      "SELECT upper(a) FROM shop.jobs",
      "SELECT name FROM jobs GROUP BY name HAVING max(query) > 'a'",
      "SELECT name FROM jobs ORDER BY query->>'a'",
      "SELECT * FROM mindsdb (SELECT hex(model) FROM agents)",
      "SHOW AGENTS WHERE lower(name) = 'x'",
      "EVALUATE accuracy FROM (SELECT model FROM agents)",
      "SELECT * FROM agents; SELECT hex(model) FROM agents",
      "SELECT 'open",
      'SELECT * FROM "`mindsdb`.x"',
    ]) {
      assert.equal(listingUse(sql), "derived", sql);
    }
  });
});
