import assert from "node:assert/strict";
import { searchStatement } from "../../../src/mindsdb/searchKnowledgeBase.ts";
import { sqlWithValues } from "../../../src/mindsdb/sql/sqlWithValues.ts";

describe("a statement with inlined values", () => {
  it("can be pasted and run", () => {
    const { query, params } = searchStatement("mindsdb", "a:question", {
      question: "What's the :limit -- of \\d?",
      limit: 5,
      relevance: 0.5,
      filters: [{ column: "number", operator: ">=", value: -2 }],
    });
    assert.equal(
      sqlWithValues(query, params),
      "SELECT * FROM `mindsdb`.`a:question` WHERE content = 'What''s the :limit -- of \\d?' " +
        "AND relevance >= 0.5 AND `number` >= -2 LIMIT 5",
    );
  });

  it("is undefined if SQL cannot express a value or a value is missing", () => {
    for (const value of ["'a", "a'", "'", "a\\", "a\\'b", 'a\\"b', 1e300, NaN]) {
      assert.equal(sqlWithValues("SELECT :x", { x: value }), undefined, String(value));
    }
    assert.equal(sqlWithValues("SELECT :x", {}), undefined);
    assert.equal(sqlWithValues("SELECT :toString", {}), undefined);
    for (const value of ["", "a''b", 'say "hi"', "a\\\\b", "line\nbreak", "?"]) {
      assert.ok(sqlWithValues("SELECT :x", { x: value }), value);
    }
  });
});
