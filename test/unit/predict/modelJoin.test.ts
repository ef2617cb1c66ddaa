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

  it("is not looked for among hundreds of tables", () => {
    let lookUps = 0;
    const count = (tables: number): number => {
      lookUps = 0;
      const sql = `SELECT * FROM ${Array.from({ length: tables }, (_, n) => `p.t${n}`).join()}`;
      findModelJoin(sql, () => void lookUps++);
      return lookUps;
    };
    assert.deepEqual([count(100), count(101)], [100, 0]);
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

  it("is not needed for the server to ignore inputs, whose names are not plain", () => {
    for (const [condition, ignored, row] of [
      ["`unit.price` = 198.02", ["unit.price"], { "unit.price": 198.02 }],
      ["a = 1 AND `Unit Price` = 'x y'", ["Unit Price"], { a: 1, "Unit Price": "x y" }],
      ['`Größe` = -1 AND `2nd` = "b"', ["Größe", "2nd"], { Größe: -1, "2nd": "b" }],
      ["m.`end` = NULL", ["end"], { end: null }],
      ["`a-b` = 1 LIMIT 1", ["a-b"], undefined],
      ["`a-b` = 'it''s'", ["a-b"], undefined],
      ["`a-b` = 1 USING x = 1", ["a-b"], undefined],
      ["`a-b` = 007", ["a-b"], undefined],
      ["`a-b` = :p", ["a-b"], undefined],
      ["(`a-b` = 1)", ["a-b"], { "a-b": 1 }],
      ["(a = 1 AND ((`b c` = (2))) AND (`d e` = 3))", ["b c", "d e"], { a: 1, "b c": 2, "d e": 3 }],
    ] as const) {
      const sql = `SELECT * FROM p.m WHERE ${condition}`;
      const found = find(sql);
      assert.deepEqual(found?.ignored, ignored, sql);
      assert.ok(sql.slice(found.span.start, found.span.end).includes(ignored[0]));
      assert.deepEqual(rowsOf(sql), row && [row], sql);
    }
    for (const condition of [
      "`a` = 1 AND `order` = 2",
      "unit.price = 198.02",
      "m.a = 1",
      "a = '`b c` = 1'",
      "a = `b c`",
      // The server refuses these.
      "1 = `b c`",
      "`b c` = 1 OR a = 2",
      "`b c` = 1 AND 2 = a",
      "`b c` = 1 AND a > 2",
      "`b c` = 1 + 1",
      "NOT `b c` = 1",
    ]) {
      assert.equal(find(`SELECT * FROM p.m WHERE ${condition}`), undefined, condition);
    }
    assert.equal(find("SELECT * FROM files.t WHERE `a b` = 1"), undefined);
    assert.equal(find("SELECT x FROM p.m AS q WHERE q.`a b` = 1")?.ignored?.[0], "a b");
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
