// Which tables a connection has, for completion and problems in cells.
import assert from "node:assert/strict";
import { KnownTables } from "../../../src/predict/host/knownTables.ts";
import { startSampleServer } from "../../../src/sample/server/server.ts";
import { recordClient } from "./recordClient.ts";

describe("the tables known for problems", () => {
  let server: Awaited<ReturnType<typeof startSampleServer>>;
  let asked: string[];
  let tables: KnownTables;

  before(async () => {
    server = await startSampleServer({});
  });

  beforeEach(() => {
    const recorded = recordClient(server.url);
    asked = recorded.asked;
    tables = new KnownTables(
      { client: () => Promise.resolve(recorded.client) } as never,
      () => true,
    );
  });

  after(() => server.stop());

  it("are those of the source that a name has, asked for once", async () => {
    const check = (...parts: string[]) => tables.checkTable("sample", parts);
    assert.equal(await check("files", "home_rentals"), "exists");
    assert.equal(await check("FILES", "Home_Rentals"), "exists");
    assert.equal(await check("files", "home_rental"), "noTable");
    assert.equal(await check("nowhere", "home_rentals"), "noSource");
    // A project's views and knowledge bases are not listed.
    assert.equal(await check("mindsdb", "anything"), "unclear");
    assert.deepEqual(asked, ["/api/databases/", "/api/tree/files"]);
    tables.forget("sample");
    assert.equal(await check("files", "home_rentals"), "exists");
    assert.equal(asked.length, 4);
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
