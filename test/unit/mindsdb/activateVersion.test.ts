// Switching the active version on a server that says ok and does nothing.
import assert from "node:assert/strict";
import { isAppError } from "../../../src/mindsdb/errors.ts";
import type { CallOptions, Client } from "../../../src/mindsdb/http/client.ts";
import { runSql } from "../../../src/mindsdb/sql/runSql.ts";
import { activateVersion } from "../../../src/mindsdb/training.ts";
import { startTestServer } from "../../sampleServer/server.ts";
import { eventually } from "../../e2e/lib/eventually.ts";
import { useTestClient } from "../../useTestClient.ts";

describe("Switching the active version", () => {
  const sample = useTestClient(() => startTestServer({ stepDelay: 0 }));

  /** A client whose server answers SET ACTIVE with ok, and does not run it. */
  function ignoringClient(client: Client): Client {
    const post = (path: string, body: unknown, options?: CallOptions): Promise<unknown> =>
      String((body as { query?: unknown }).query).startsWith("SET ACTIVE")
        ? Promise.resolve({ type: "ok", affected_rows: null })
        : client.post(path, body, options);
    return Object.assign(Object.create(client) as Client, {
      post,
      get: client.get.bind(client),
    });
  }

  it("is checked afterwards", async () => {
    const { client } = sample;
    const rows = "(SELECT sqft, rental_price FROM files.home_rentals)";
    await runSql(
      client,
      `CREATE MODEL mindsdb.rents FROM mindsdb ${rows} PREDICT rental_price USING engine = 'sample'`,
    );
    await runSql(client, "RETRAIN mindsdb.rents");
    const sql = "SELECT VERSION FROM mindsdb.models WHERE NAME = 'rents' AND ACTIVE = true";
    const active = async () => (await runSql(client, sql)).rows;
    await eventually(async () => assert.deepEqual(await active(), [[2]]), 20_000);
    const first = { project: "mindsdb", name: "rents", version: 1 };
    await assert.rejects(
      activateVersion(ignoringClient(client), first),
      (error) =>
        isAppError(error, "serverFault") &&
        error.message === "The server did not switch rents to version 1.",
    );
    assert.deepEqual(await active(), [[2]]);
    await activateVersion(client, first);
    assert.deepEqual(await active(), [[1]]);
  });
});
