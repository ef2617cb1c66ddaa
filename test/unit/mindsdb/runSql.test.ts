import assert from "node:assert/strict";
import { isAppError } from "../../../src/mindsdb/errors.ts";
import { runSql } from "../../../src/mindsdb/sql/runSql.ts";
import { clientOf } from "./scriptedServer.ts";

describe("the result of a statement", () => {
  const run = (data: unknown[][]) => {
    const answer = { type: "table", column_names: ["a", "b"], data };
    return runSql(clientOf({ "/api/sql/query": answer }), "SELECT 1");
  };

  it("has a value for each column: readers make as many of rows that cost a server nothing", async () => {
    const rows = [
      [1, 2],
      [3, null, 4],
    ];
    assert.deepEqual(await run(rows), { columns: ["a", "b"], rows });
    assert.deepEqual(await run([]), { columns: ["a", "b"], rows: [] });
    for (const short of [[], [1]]) {
      await assert.rejects(run([...rows, short]), (error) => isAppError(error, "badAnswer"));
    }
  });
});
