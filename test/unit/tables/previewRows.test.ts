// The first rows of a table, over a server whose answers are given.
import assert from "node:assert/strict";
import { checkNoRows, toPreviewRows } from "../../../src/tables/previewRows.ts";
import { explainNoRows } from "../../../src/tables/explainNoRows.ts";
import { clientOf } from "../mindsdb/scriptedServer.ts";

const none = toPreviewRows({ columns: ["a"], rows: [] });

/** What a page says of a preview without rows. */
async function explain(statement: string, database?: string, version = "26.1.0"): Promise<string> {
  const client = clientOf({
    "/api/status": { mindsdb_version: version },
    "/api/databases/": [
      { name: "mindsdb", type: "project" },
      { name: "Shop", type: "data", engine: "postgres" },
      { name: "files", type: "data", engine: "files" },
    ],
  });
  return explainNoRows(await checkNoRows(none, client, statement, { database }));
}

describe("A preview without rows", () => {
  const doubt = /^There are no rows\. This result may be incomplete: .*count\(\*\)/;

  it("says so where PostgreSQL may have failed", async () => {
    assert.match(await explain("SELECT * FROM shop.orders"), doubt);
    assert.match(await explain("SELECT * FROM files.a JOIN `Shop`.orders"), doubt);
    assert.match(await explain("SELECT * FROM orders", "shop"), doubt);
  });

  it("is empty everywhere else", async () => {
    const empty = "There are no rows.";
    assert.equal(await explain("SELECT * FROM files.orders"), empty);
    assert.equal(await explain("SELECT * FROM shop.orders", undefined, "25.14.1"), empty);
  });

  it("asks nothing where there are rows", async () => {
    const some = toPreviewRows({ columns: ["a"], rows: [[1]] });
    const client = clientOf({});
    assert.equal(await checkNoRows(some, client, "SELECT * FROM shop.orders", {}), some);
  });
});
