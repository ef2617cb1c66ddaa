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

  it("does not repeat long names for so many rows that they fill the memory", async () => {
    const answer = (rows: number) => ({
      type: "table",
      column_names: ["n".repeat(1_000_000)],
      data: Array.from({ length: rows }, () => [1]),
    });
    const read = (rows: number) => runSql(clientOf({ "/api/sql/query": answer(rows) }), "SELECT 1");
    assert.equal((await read(60)).rows.length, 60);
    await assert.rejects(read(100), (error) => isAppError(error, "tooLarge"));
  });
});
