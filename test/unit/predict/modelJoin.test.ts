import assert from "node:assert/strict";
import { findModelJoin } from "../../../src/predict/notebook/modelJoin.ts";
import { parseRecipe } from "../../../src/predict/notebook/recipe.ts";

describe("a join with a model", () => {
  const find = (sql: string) =>
    findModelJoin(sql, ({ project, name }) =>
      (project === "p" && name === "m") || name === "of_default_project"
        ? { target: "price" }
        : undefined,
    );
  const rowsOf = (sql: string): unknown => {
    const join = find(sql);
    assert.ok(join, sql);
    if (join.recipe === undefined) return undefined;
    assert.deepEqual(parseRecipe(join.recipe).problems, [], join.recipe);
    return (JSON.parse(join.recipe) as { rows: unknown }).rows;
  };

  it("is found where a model is joined, with its place", () => {
    for (const name of ["p.m", "`p`.m", "p.m.2"]) {
      const sql = `SELECT t.*, m.price FROM files.t AS t\nJOIN ${name} AS m WHERE t.a = 1`;
      const { span, model } = find(sql)!;
      assert.equal(sql.slice(span.start, span.end), name);
      assert.equal(model.version, name.endsWith("2") ? 2 : undefined);
    }
    assert.ok(find("SELECT * FROM files.t, p.m"));
    assert.ok(find("SELECT * FROM files.t JOIN of_default_project AS m"));
    assert.ok(find("SELECT a FROM (SELECT * FROM files.t LEFT JOIN p.m) AS b"));
  });

  it("is not found elsewhere", () => {
    for (const sql of [
      "SELECT * FROM p.m WHERE a = 1",
      "SELECT * FROM files.t JOIN files.u ON t.a = u.a",
      "SELECT 'JOIN p.m' FROM files.t, files.u",
      "SELECT * FROM files.t JOIN p.m; SELECT 1",
      "SELECT * FROM files.t JOIN",
      "",
    ]) {
      assert.equal(find(sql), undefined, sql);
    }
  });

  it("becomes a recipe with the same rows", () => {
    assert.deepEqual(rowsOf("SELECT t.a, m.price FROM files.`my t` AS t JOIN p.m AS m;"), {
      table: "files.`my t`",
    });
    assert.deepEqual(
      rowsOf("SELECT * FROM files.t x JOIN p.m.2 AS m WHERE x.a > 'm' ORDER BY x.b LIMIT 5"),
      { sql: "SELECT * FROM files.t x WHERE x.a > 'm' ORDER BY x.b LIMIT 5" },
    );
  });

  it("becomes none if the statement does more", () => {
    for (const sql of [
      "SELECT * FROM files.t AS t JOIN p.m AS m ON t.a = m.b",
      "SELECT * FROM files.t AS t JOIN p.m AS m WHERE m.price > 1",
      "SELECT * FROM files.t AS t JOIN p.m AS m WHERE price > 1",
      "SELECT * FROM files.t AS t JOIN p.m AS m USING strict = true",
      "SELECT * FROM files.t AS t JOIN files.u AS u JOIN p.m AS m",
      "SELECT a, avg(m.price) FROM files.t AS t JOIN p.m AS m GROUP BY a",
      "SELECT * FROM p.m AS m JOIN files.t AS t",
      "SELECT * FROM t JOIN p.m AS m",
    ]) {
      assert.equal(rowsOf(sql), undefined, sql);
    }
  });
});
