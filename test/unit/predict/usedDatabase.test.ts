import assert from "node:assert/strict";
import { findUsedDatabase } from "../../../src/predict/sqlFile/usedDatabase.ts";

describe("The database that USE chooses in a file", () => {
  for (const [text, expected] of [
    ["SELECT 1; | USE shop;", undefined],
    ["USE shop; SELECT | FROM t", "shop"],
    ["use Shop; -- use it\nUSE `My Files`;\nSELECT |", "My Files"],
    ["USE shop; SELECT 'USE files; ' |", "shop"],
    ["USE shop SELECT |", undefined],
    ["SELECT 1; use|", undefined],
    ["USE mindsdb.Shop; |", "shop"],
    ["USE a.b.`My Files`; |", "My Files"],
    ['USE "My Files"; |', "My Files"],
    ["USE shop x; |", undefined],
    ["USE shop.; |", undefined],
  ] as const) {
    it(`is ${String(expected)} in ${text}`, () => {
      assert.equal(findUsedDatabase(text.replace("|", ""), text.indexOf("|")), expected);
    });
  }
});
