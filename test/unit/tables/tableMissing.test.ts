import assert from "node:assert/strict";
import { AppError } from "../../../src/mindsdb/errors.ts";
import { isTableMissing } from "../../../src/tables/tableMissing.ts";

describe("a table that is not there", () => {
  it("is recognized by the words of each server version", () => {
    for (const message of [
      "Table 'homes' not found in database: files",
      "[file/files]: No tables in query: SELECT * FROM `homes` LIMIT 5",
    ]) {
      assert.ok(isTableMissing(new AppError("sql", message), "homes"), message);
    }
  });

  it("is not confused with other errors", () => {
    assert.ok(!isTableMissing(new AppError("sql", "Column 'a' not found"), "homes"));
    assert.ok(!isTableMissing(new AppError("sql", "homes: out of memory"), "homes"));
    assert.ok(!isTableMissing(new AppError("notFound", "homes not found"), "homes"));
  });
});
