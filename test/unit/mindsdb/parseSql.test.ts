import assert from "node:assert/strict";
import fs from "node:fs";
import { parseSql } from "../../../src/mindsdb/sql/parser/parseSql.ts";
import type { SqlNode } from "../../../src/mindsdb/sql/parser/sqlNode.ts";
import { assertLinear } from "../../linearTime.ts";

/** True for an accepted statement, otherwise the offset of the refused token or character, "end" or "rule". */
type Place = true | number | "end" | "rule";

/** What mindsdb-sql-parser 0.13.8 says of statements, written down by test/mindsdb/sqlPlaces.py. */
const recorded = JSON.parse(
  fs.readFileSync(new URL("../../fixtures/sqlPlaces.json", import.meta.url), "utf8"),
) as [sql: string, place: Place][];

function placeOf(sql: string): Place {
  const { problem } = parseSql(sql);
  if (!problem) return true;
  return problem.kind === "token" || problem.kind === "character" ? problem.start : problem.kind;
}

describe("The SQL parser", () => {
  it("stops where the server's parser does", () => {
    assert.deepEqual(
      recorded.map(([sql]) => [sql, placeOf(sql)]),
      recorded,
    );
  });

  it("gives each part of a statement its offsets", () => {
    const sql = "SELECT a, 'é😀' AS b FROM `my t` -- c\n WHERE a > 1;";
    const { tree } = parseSql(sql);
    assert.ok(tree);
    assert.equal(sql.slice(tree.start, tree.end), sql.slice(0, -1));
    const texts: string[] = [];
    const visit = (node: SqlNode): void => {
      if (["targets", "aliasedSource"].includes(node.kind)) {
        texts.push(sql.slice(node.start, node.end));
      }
      node.children.forEach(visit);
    };
    tree.children.forEach(visit);
    assert.deepEqual(texts, ["a, 'é😀' AS b", "a", "`my t`"]);
  });

  for (const [name, make] of Object.entries({
    "nested parentheses": (size: number) => `SELECT ${"(".repeat(size)}1${")".repeat(size)}`,
    "nested queries": (size: number) =>
      `${"SELECT (".repeat(size / 8)}SELECT 1${")".repeat(size / 8)}`,
    "a long list": (size: number) => `SELECT ${"a, ".repeat(size / 3)}b FROM t WHERE a`,
    "a name of many parts": (size: number) => `DESCRIBE ${"a.".repeat(size / 2)}b c`,
    options: (size: number) => `CREATE SKILL s USING ${"a = 1, ".repeat(size / 7)}type = 'x'`,
    "comments that do not end": (size: number) => `SELECT ${"/*".repeat(size / 2)}`,
    "quotes in a text": (size: number) => `SELECT "x${'"'.repeat(2 * Math.floor(size / 2))}x"`,
    "a text that does not end": (size: number) => `SELECT '${"\\\\a".repeat(size / 3)}`,
    "escaped quotes": (size: number) => `SELECT '${"\\'".repeat(size / 2)}`,
    minuses: (size: number) => `SELECT ${"- ".repeat(size / 2)}1`,
    "a word": (size: number) => `SELECT ${"é".repeat(size)}`,
  })) {
    it(`takes linear time for ${name}`, () => {
      assertLinear({ name, make, run: (sql) => parseSql(sql) });
    });
  }
});
