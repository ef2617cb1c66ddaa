import assert from "node:assert/strict";
import { parseSql } from "../../../src/mindsdb/sql/parser/parseSql.ts";
import { describeSqlProblem } from "../../../src/predict/notebook/sqlProblem.ts";

describe("The problem of a statement", () => {
  for (const [sql, marked, message] of [
    ["SELECT * FROM t GROUP a BY", "a", "Syntax error: unexpected a"],
    ["SELECT 1; SELECT 2;", ";", "A cell runs one statement."],
    ["SELECT 'it", "'", "Syntax error: this quote is not closed."],
    ["SELECT # FROM t", "#", "Syntax error: unexpected character #"],
    ["SELECT * FROM t WHERE -- c", "WHERE", "The statement is incomplete."],
    ["SELECT a FROM t ORDER BY a WHERE a > 1", "WHERE a > 1", /^MindsDB refuses this clause/],
    ["SELECT a FROM t LIMIT 'x' -- c", "LIMIT 'x'", /whole number/],
    ["SELECT a FROM t LIMIT 1 LIMIT 2", "LIMIT 2", /once, at the end, with a whole number/],
    ["SELECT 1 GROUP BY a", "GROUP BY a", /wrong place/],
    ["SELECT round(sum(a) OVER (), 1) FROM t", "OVER", /^MindsDB can't calculate with the result/],
    ["SELECT lag(a) OVER (ORDER BY (b)) - a FROM t", "-", /Do that around a subquery/],
    ["SELECT lag(a) OVER (ORDER BY b)::int FROM t", "::", /Do that around a subquery/],
    ["SELECT string_agg(a, (b) ORDER BY c) FROM t", "ORDER BY", /Sort the rows in a subquery/],
    ["SELECT a FROM t WHERE a IN (1 ORDER BY b)", "ORDER BY", "Syntax error: unexpected ORDER BY"],
    ["SELECT sum(a) OVER (); SELECT 2;", ";", "A cell runs one statement."],
    ["SELECT max(a) % % 2 FROM t", "%", "Syntax error: unexpected %"],
    ['SELECT a AS ""', 'AS ""', "A name can't be empty."],
    [
      "CREATE SKILL s USING a = 1",
      "CREATE SKILL s USING a = 1",
      "MindsDB does not support this statement.",
    ],
  ] as const) {
    it(`is shown at its place: ${sql}`, () => {
      const { problem } = parseSql(sql);
      const shown = problem && describeSqlProblem(sql, problem);
      assert.ok(shown);
      assert.equal(sql.slice(shown.start, shown.end), marked);
      if (typeof message === "string") assert.equal(shown.message, message);
      else assert.match(shown.message, message);
    });
  }

  it("is none for a text without a statement", () => {
    for (const sql of ["", "  \n", "-- later", ";"]) {
      const { problem } = parseSql(sql);
      assert.ok(problem);
      assert.equal(describeSqlProblem(sql, problem), undefined);
    }
  });
});
