// Statements that have no rows if their data source returned none.
import assert from "node:assert/strict";
import { isEmptyLikeItsSource } from "../../../src/mindsdb/sql/emptySource.ts";
import { assertLinear } from "../../linearTime.ts";

const nested = (depth: number): string =>
  `SELECT q FROM (${"SELECT * FROM (".repeat(depth)}SELECT * FROM t${") AS a".repeat(depth)}) AS b`;

describe("a statement whose data source returned no rows", () => {
  it("has none either where it selects from queries of that source", () => {
    assert.equal(isEmptyLikeItsSource(nested(3)), true);
  });

  it("is judged in linear time, however deep its queries are", () => {
    assertLinear({
      name: "queries in queries",
      size: 2_000,
      make: nested,
      run: (sql) => isEmptyLikeItsSource(sql),
    });
  });
});
