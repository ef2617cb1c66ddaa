// Inputs of models that the server ignores, in files and cells.
import assert from "node:assert/strict";
import { assertLinear } from "../../linearTime.ts";
import { check } from "./checkedNames.ts";

/** What is marked, with the fixes of each. */
function ignoredIn(text: string): string[] {
  return check(text)
    .filter(({ code }) => code === "ignoredInput")
    .map(({ marked, message, titles }) => {
      assert.match(message, /^The server ignores this input .*: /);
      return [marked, ...titles()].join(" | ");
    });
}

describe("Inputs of a model that the server ignores", () => {
  for (const [text, ...expected] of [
    ["SELECT * FROM mindsdb.rent WHERE `a b` = 1", "`a b`"],
    [
      "SELECT * FROM rent.2 AS m WHERE (m.`a b` = 1 AND (`c-d` = 'x')) AND e = 2",
      "m.`a b`",
      "`c-d`",
    ],
    ["SELECT 1; SELECT * FROM rent WHERE `unit.price` = 2;", "`unit.price` | Change to unit.price"],
    ["SELECT y FROM (SELECT y FROM rent WHERE `a b` = 1) AS q", "`a b`"],
    ["SELECT 1 UNION SELECT y FROM rent WHERE `a b` = :p", "`a b`"],
    ["CREATE VIEW v AS (SELECT y FROM rent WHERE `a b` = 1)", "`a b`"],
    ["INSERT INTO files.rents (SELECT y FROM rent WHERE `a b` = 1)", "`a b`"],
    ["SELECT y FROM rent WHERE `a b` = 1 ORDER BY y LIMIT 1", "`a b`"],
  ] as const) {
    it(`are marked in ${text}`, () => assert.deepEqual(ignoredIn(text), expected));
  }

  for (const text of [
    "SELECT * FROM rent WHERE `a` = 1 AND unit.price = 2 AND rent.`order` = 3",
    "SELECT * FROM rent WHERE 1 = `a b`",
    "SELECT * FROM rent WHERE `a b` = 1 OR c = 2",
    "SELECT * FROM rent WHERE `a b` > 1",
    "SELECT * FROM rent WHERE a = `b c`",
    "SELECT * FROM rent WHERE `a b` = 1 AND (SELECT 1) = 2",
    "SELECT * FROM cheap WHERE `a b` = 1",
    "SELECT * FROM files.rents WHERE `a b` = 1",
    "SELECT * FROM nothing WHERE `a b` = 1",
    "SELECT * FROM files.rents JOIN rent WHERE `a b` = 1",
    "SELECT * FROM (SELECT * FROM rent WHERE a = 1) AS q WHERE `a b` = 1",
    "WITH rent AS (SELECT 1) SELECT * FROM rent WHERE `a b` = 1",
    "DELETE FROM rent WHERE `a b` = 1",
  ]) {
    it(`are none in ${text}`, () => assert.deepEqual(ignoredIn(text), []));
  }

  it("take linear time, however deep the conditions are", () => {
    assertLinear({
      name: "conditions",
      size: 500,
      make: (count) =>
        `${"(".repeat(count)}\`a b\` = 1${")".repeat(count)}${" AND `c d` = 1".repeat(count)}`,
      run: (condition) => ignoredIn(`SELECT * FROM rent WHERE ${condition}`),
    });
  });
});
