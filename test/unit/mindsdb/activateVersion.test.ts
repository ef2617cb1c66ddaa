// Switching the active version on a server that says ok and does nothing.
import assert from "node:assert/strict";
import { isAppError } from "../../../src/mindsdb/errors.ts";
import type { CallOptions, Client } from "../../../src/mindsdb/http/client.ts";
import { parseAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { createTransport } from "../../../src/mindsdb/http/transport.ts";
import { runSql } from "../../../src/mindsdb/sql/runSql.ts";
import { activateVersion } from "../../../src/mindsdb/training.ts";
import { clientOver } from "../../clientOver.ts";
import { startTestServer } from "../../sampleServer/server.ts";
import { eventually } from "../../e2e/lib/eventually.ts";

describe("Switching the active version", function () {
  this.timeout(120_000);

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
    const server = await startTestServer({ stepDelay: 0 });
    const transport = createTransport(parseAddress(server.url));
    const client = clientOver(transport);
    try {
      const rows = "(SELECT sqft, rental_price FROM files.home_rentals)";
      await runSql(
        client,
        `CREATE MODEL mindsdb.rents FROM mindsdb ${rows} PREDICT rental_price USING engine = 'sample'`,
      );
      await runSql(client, "RETRAIN mindsdb.rents");
      const active = async () =>
        (
          await runSql(
            client,
            "SELECT VERSION FROM mindsdb.models WHERE NAME = 'rents' AND ACTIVE = true",
          )
        ).rows;
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
    } finally {
      await transport.close();
      await server.stop();
    }
  });
});
