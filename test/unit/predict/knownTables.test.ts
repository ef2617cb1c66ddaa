// Which tables a connection has, for completion and problems in cells.
import assert from "node:assert/strict";
import { KnownTables } from "../../../src/predict/host/knownTables.ts";
import { useRecordedServer } from "./recordClient.ts";

describe("the tables known for problems", () => {
  const server = useRecordedServer();
  let tables: KnownTables;

  beforeEach(() => {
    tables = new KnownTables(server.servers, () => true);
  });

  it("are those of the source that a name has, asked for once", async () => {
    const check = (...parts: string[]) => tables.checkTable("sample", parts);
    assert.equal(await check("files", "home_rentals"), "exists");
    assert.equal(await check("FILES", "Home_Rentals"), "exists");
    assert.equal(await check("files", "home_rental"), "noTable");
    assert.equal(await check("nowhere", "home_rentals"), "noSource");
    // A project's views and knowledge bases are not listed.
    assert.equal(await check("mindsdb", "anything"), "unclear");
    assert.deepEqual(server.asked, ["/api/databases/", "/api/tree/files?all_schemas=true"]);
    tables.forget("sample");
    assert.equal(await check("files", "home_rentals"), "exists");
    assert.equal(server.asked.length, 4);
  });

  it("are suggested with their source", async () => {
    assert.deepEqual(await tables.list(undefined, ""), []);
    assert.ok((await tables.list("sample", "")).includes("files.home_rentals"));
    const columns = await tables.columns("sample", ["files", "home_rentals"]);
    assert.ok(columns?.some(({ name, type }) => name === "sqft" && type === "number"));
  });

  it("are unclear while the server cannot be asked", async () => {
    const none = new KnownTables(
      { client: () => Promise.reject(new Error("no")) } as never,
      () => true,
    );
    assert.equal(await none.checkTable("sample", ["files", "home_rentals"]), "unclear");
    assert.deepEqual(await none.list("sample", ""), []);
  });
});
