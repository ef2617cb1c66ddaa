// Where a real server says that a statement is wrong: the place that the cell marks, and lines that stand as it wrote them.
import assert from "node:assert/strict";
import { runSql } from "../../src/mindsdb/sql/runSql.ts";
import { SqlStatementError } from "../../src/mindsdb/sql/sqlError.ts";
import { connect, type Connection } from "./conversation.ts";
import { fixture, versions } from "./fixture.ts";

/** A statement, and what stands at the marked place; the place is its last occurrence. */
const wrong: [statement: string, place: string][] = [
  ["SELEC 1", "SELEC"],
  ["SELECT *\nFROM files.home_rentals\nGROUP location BY", "location"],
  ["SELECT '🙂'\r\nFROM files.home_rentals a b\r\n", "b"],
  ["SELECT 1\nFROM files.home_rentals\nWHERE sqft > 1\n  /* why */ AND AND 2", "AND"],
  ["SELECT * FROM", "FROM"],
  ["SELECT 1;\nSELECT 2", ";"],
  ["SELECT nope FROM files.home_rentals", "nope"],
];

for (const version of versions) {
  describe(`MindsDB ${version}, an invalid statement`, () => {
    let connection: Connection;
    before(async () => (connection = await connect(fixture(version).server.url)));
    after(() => connection.close());

    for (const [statement, place] of wrong) {
      it(`is marked at ${JSON.stringify(place)} of ${JSON.stringify(statement)}`, async () => {
        const error: unknown = await runSql(connection.client, statement, {
          cost: "byAction",
        }).catch((thrown: unknown) => thrown);
        assert.ok(error instanceof SqlStatementError, String(error));
        const start = statement.lastIndexOf(place);
        assert.deepEqual(
          error.place && { start: error.place.start, end: error.place.end },
          { start, end: start + place.length },
          error.message,
        );
        assert.match(error.message, /\n *-*\^+/);
        assert.ok(!error.message.includes("cannot be parsed"), error.message);
      });
    }
  });
}
