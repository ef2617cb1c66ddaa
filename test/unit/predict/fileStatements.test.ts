import assert from "node:assert/strict";
import { readStatements, statementAt } from "../../../src/predict/sqlFile/fileStatements.ts";

const file = [
  "-- Rentals; all of them",
  "SELECT 'a;b' FROM t; SELECT 2;",
  "",
  "  CREATE VIEW v AS (SELECT 1; SELECT 2);",
  "",
  "DELETE FROM t WHERE a = 1",
].join("\r\n");

describe("the statements of a SQL file", () => {
  it("are split at semicolons outside of quotes, comments and brackets", () => {
    const statements = readStatements(file);
    assert.deepEqual(
      statements.map(({ text }) => text),
      [
        "SELECT 'a;b' FROM t",
        "SELECT 2",
        "CREATE VIEW v AS (SELECT 1; SELECT 2)",
        "DELETE FROM t WHERE a = 1",
      ],
    );
    for (const { start, end, text } of statements) assert.equal(file.slice(start, end), text);
    const [selected] = readStatements("SELECT 2", 100);
    assert.deepEqual(selected, { start: 100, end: 108, text: "SELECT 2" });
    assert.deepEqual(readStatements("-- nothing\n;;"), []);
  });

  it("run where the caret is, and none runs from between them", () => {
    const at = (place: string, shift = 0): string | undefined =>
      statementAt(file, readStatements(file), file.indexOf(place) + shift)?.text;
    assert.equal(at("'a;b'", 2), "SELECT 'a;b' FROM t");
    assert.equal(at("; SELECT 2", 1), "SELECT 'a;b' FROM t");
    assert.equal(at("SELECT 2"), "SELECT 2");
    assert.equal(at("SELECT 2;", 9), "SELECT 2");
    assert.equal(at("  CREATE"), "CREATE VIEW v AS (SELECT 1; SELECT 2)");
    assert.equal(at("\r\n  CREATE"), undefined);
    assert.equal(at("-- Rentals", 4), undefined);
    assert.equal(at("a = 1", 5), "DELETE FROM t WHERE a = 1");
    assert.equal(statementAt("", [], 0), undefined);
  });
});
