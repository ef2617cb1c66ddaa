// Which results of an agent's queries the server may have limited, as sql_toolkit.py of 26.1.0 does.
import assert from "node:assert/strict";
import { findLimitedAnswerSql, findLimitedSql } from "../../../src/chat/serverRowLimit.ts";
import type { AgentStep } from "../../../src/mindsdb/stream/stepEvents.ts";

const stepOf = (text: string, more: Partial<AgentStep> = {}): AgentStep => ({
  n: 1,
  kind: "sql",
  state: "done",
  query: { final: false },
  parts: [
    { kind: "sql", text },
    { kind: "observation", text: "| a |\n| - |\n| 1 |" },
  ],
  ...more,
});

describe("The limit of servers for an agent's queries", () => {
  it("is added to a SELECT without a limit of its own", () => {
    for (const sql of [
      "SELECT * FROM files.t",
      "select a from t where b = 'LIMIT 5'",
      "SELECT `limit` FROM t;",
      "SELECT * FROM t -- LIMIT 5",
      "SELECT * FROM (SELECT a FROM t LIMIT 500) AS x",
      "WITH x AS (SELECT a FROM t LIMIT 5) SELECT * FROM x",
      "(SELECT a FROM t)",
      "SELECT a FROM t WHERE b IN (SELECT c FROM u UNION SELECT d FROM v)",
    ]) {
      assert.equal(findLimitedSql(stepOf(sql)), sql);
    }
    assert.equal(findLimitedSql(stepOf("```sql\nSELECT a\nFROM t\n```")), "SELECT a\nFROM t");
  });

  it("is not added to other statements, nor by other versions", () => {
    for (const sql of [
      "SELECT * FROM t LIMIT 100",
      "(SELECT * FROM t LIMIT 100)",
      "SELECT * FROM t limit 5, 100",
      "SELECT a FROM t UNION ALL SELECT b FROM u",
      "SELECT a FROM t EXCEPT SELECT b FROM u",
      "SHOW TABLES",
      "DESCRIBE t",
      "",
    ]) {
      assert.equal(findLimitedSql(stepOf(sql)), undefined, sql);
    }
    const { query, ...older } = stepOf("SELECT * FROM t");
    assert.ok(query);
    assert.equal(findLimitedSql(older), undefined);
    assert.equal(findLimitedSql(undefined), undefined);
  });

  it("is that of an answer if the answer is the last query's result", () => {
    const steps = [stepOf("SELECT 1 LIMIT 5"), stepOf("SELECT * FROM t")].map((step, at) => ({
      ...step,
      n: at + 1,
      at,
    }));
    const answerOf = (format: "table" | "markdown") =>
      findLimitedAnswerSql({ steps, answer: { format, text: "" } });
    assert.equal(answerOf("table"), "SELECT * FROM t");
    assert.equal(answerOf("markdown"), undefined);
  });
});
