import assert from "node:assert/strict";
import { findSyntaxError } from "../../sampleServer/syntaxErrors.ts";

/** Messages of mindsdb-sql-parser 0.13.8 for statements that the sample server's parser rejects at the same position. */
const messages: [statement: string, message: string][] = [
  ["SELEC 1", "Syntax error, unknown input:\n>SELEC 1\n-^^^^^"],
  [
    "-- hi\nSELECT /* x */ 1\n  FROM a b c d",
    "Syntax error, unknown input:\n>      SELECT         1\n>   FROM a b c d\n-------------^",
  ],
  [
    "SELECT 1; SELECT 2",
    "Syntax error, unknown input:\n>SELECT 1; SELECT 2\n---------^\nOnly a single sql statement is expected. Got multiple instead",
  ],
  [
    "SELECT 1\nFROM a\nWHERE\nb = 2 c",
    "Syntax error, unknown input:\n> FROM a\n> WHERE\n> b = 2 c\n--------^",
  ],
  ["SELECT * FROM", "Syntax error, unexpected end of query:\n>SELECT * FROM\n--------------^"],
];

describe("the sample server's syntax errors", () => {
  it("are those of the real parser, line for line", () => {
    for (const [statement, message] of messages) {
      assert.equal(
        findSyntaxError(statement),
        `The SQL statement cannot be parsed - ${statement}: ${message}`,
      );
    }
  });

  it("are those of the real lexer", () => {
    assert.equal(findSyntaxError("SELECT # 1"), "Illegal character '#':\n>SELECT # 1\n--------^");
    assert.equal(findSyntaxError("SELECT #\nFROM x"), "Illegal character '#':\n--------^");
    assert.equal(
      findSyntaxError("SELECT 1\nFROM #"),
      "Illegal character '#':\n>SELECT 1\n>FROM #\n------^",
    );
  });
});
