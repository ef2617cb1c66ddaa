// Parameters of SQL files: where they are, and how their values are sent.
import assert from "node:assert/strict";
import { parseSql } from "../../../src/mindsdb/sql/parser/parseSql.ts";
import { readStatements } from "../../../src/predict/sqlFile/fileStatements.ts";
import { SqlChecker } from "../../../src/predict/sqlFile/sqlChecker.ts";
import {
  fillParameters,
  findParameters,
  parameterLiteral,
} from "../../../src/predict/sqlFile/sqlParameters.ts";

describe("The parameters of a statement", () => {
  const names = (sql: string) => findParameters(sql).map(({ name }) => name);

  it("are where the grammar has a value", () => {
    assert.deepEqual(
      names("SELECT a + :n, f(:x) FROM t JOIN u ON t.i = :x WHERE c IN (:one, :two) HAVING h > :n"),
      ["n", "x", "x", "one", "two", "n"],
    );
    assert.deepEqual(names("UPDATE t SET a = :value WHERE b = :key"), ["value", "key"]);
    assert.deepEqual(names("INSERT INTO t (a, b) VALUES (:a, :b), (1, :c)"), ["a", "b", "c"]);
  });

  it("are not in texts, comments, casts, JSON, views, jobs, native queries, and broken statements", () => {
    for (const sql of [
      "SELECT ':p', \":p\", `:p` FROM t -- :p\n/* :p */",
      "SELECT a::p FROM t WHERE b::int > 1",
      'CREATE DATABASE d WITH ENGINE = "postgres", PARAMETERS = {"a":1, "b":"c"}',
      "CREATE VIEW v AS (SELECT :p FROM t)",
      "CREATE JOB j (SELECT :p)",
      "SELECT * FROM shop (SELECT :p, a[1:n] FROM t)",
      "SELECT * FROM :p",
      "SELECT :p FROM",
      "CREATE VIEW v AS (SELECT a FROM t LIMIT :p)",
      "SELECT a FROM t LIMIT :p WHERE",
    ]) {
      assert.deepEqual(names(sql), [], sql);
    }
  });

  it("can be the numbers of LIMIT and OFFSET, which MindsDB reads only as numbers", () => {
    for (const [sql, filled] of [
      ["SELECT a FROM t WHERE b = :n LIMIT :n", "SELECT a FROM t WHERE b = 20 LIMIT 20"],
      ["SELECT a FROM t LIMIT 5 OFFSET :skip;", "SELECT a FROM t LIMIT 5 OFFSET 40;"],
      ["SELECT a FROM t LIMIT :skip, :n", "SELECT a FROM t LIMIT 40, 20"],
      [
        "SELECT * FROM s (SELECT 1 LIMIT :n) LIMIT :n",
        "SELECT * FROM s (SELECT 1 LIMIT :n) LIMIT 20",
      ],
    ] as const) {
      const literals = new Map([
        ["n", "20"],
        ["skip", "40"],
      ]);
      assert.equal(fillParameters(sql, literals).text, filled);
      const problems = (hasParameters: boolean) =>
        new SqlChecker({ hasParameters }).check(sql, readStatements(sql), 9).length;
      assert.deepEqual([problems(true), problems(false)], [0, 1], sql);
    }
  });

  it("are sent as literals, from which nothing gets out", () => {
    const literals = {
      "5": "5",
      "0.5": "0.5",
      "-2": "(-2)",
      "007": "'007'",
      "1e3": "'1e3'",
      "'5'": "'5'",
      "": "''",
      null: "'null'",
      "it's": "'it''s'",
      "1; DROP TABLE t --": "'1; DROP TABLE t --'",
      "x' OR 1=1 OR 'x": "'x'' OR 1=1 OR ''x'",
    };
    for (const [value, literal] of Object.entries(literals)) {
      assert.equal(parameterLiteral(value), literal);
      const { tree } = parseSql(`SELECT a FROM t WHERE b = ${literal}`);
      assert.ok(tree, literal);
    }
    for (const value of ["'", "'a", "a'", "a\\", "a\\' OR 1=1 --", "'a'b'"]) {
      assert.equal(parameterLiteral(value), undefined, value);
    }
  });

  it("are found again from a place in the statement that was sent", () => {
    const sql = "SELECT 5-:n, :text FROM t";
    const literals = new Map([
      ["n", "(-12)"],
      ["text", "'it''s'"],
    ]);
    const { text, originalPlace } = fillParameters(sql, literals);
    assert.equal(text, "SELECT 5-(-12), 'it''s' FROM t");
    const originalOf = (part: string): string => {
      const start = text.indexOf(part);
      const place = originalPlace({ start, end: start + part.length });
      return sql.slice(place.start, place.end);
    };
    const parts = ["SELECT", "5", "(-12)", "12", ",", "'it''s'", "it", "FROM t"];
    assert.deepEqual(parts.map(originalOf), [
      "SELECT",
      "5",
      ":n",
      ":n",
      ",",
      ":text",
      ":text",
      "FROM t",
    ]);
  });
});
