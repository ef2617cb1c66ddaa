// The statement with which the query of an item begins is one that MindsDB accepts.
import assert from "node:assert/strict";
import { parseSql } from "../../../src/mindsdb/sql/parser/parseSql.ts";
import { kindOfSql } from "../../../src/mindsdb/sql/statementKind.ts";
import { createItemQuery } from "../../../src/predict/sqlFile/itemQuery.ts";

describe("The query of an item of the tree", () => {
  for (const [kind, name, expected] of [
    ["table", "public.`My.Orders`", "FROM shop.public.`My.Orders`\nLIMIT 100"],
    ["view", "cheap", "FROM shop.cheap\nLIMIT 100"],
    ["model", "a.b", "FROM shop.`a.b`\nWHERE input = 1"],
    ["knowledgeBase", "docs", "FROM shop.docs\nWHERE content = 'text'\nLIMIT 10"],
    ["agent", "Helper", "FROM shop.`Helper`\nWHERE question = 'question'"],
  ] as const) {
    it(`of a ${kind} reads it`, () => {
      const parts = createItemQuery(kind, { project: "shop", name });
      const sql = parts.map(({ text, example }) => text ?? example).join("");
      assert.equal(sql, `SELECT *\n${expected};\n`);
      assert.equal(parseSql(sql).problem, undefined);
      assert.notEqual(kindOfSql(sql), "write");
    });
  }
});
