import assert from "node:assert/strict";
import type { Client } from "../../../src/mindsdb/http/client.ts";
import { parseAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { createTransport, type Transport } from "../../../src/mindsdb/http/transport.ts";
import { asksAgent } from "../../../src/mindsdb/sql/asksAgent.ts";
import { clientOver } from "../../clientOver.ts";
import { startTestServer } from "../../sampleServer/server.ts";

describe("a statement that reads from an agent", () => {
  let server: Awaited<ReturnType<typeof startTestServer>>;
  let transport: Transport;
  let client: Client;
  before(async () => {
    server = await startTestServer();
    transport = createTransport(parseAddress(server.url));
    client = clientOver(transport);
  });
  after(async () => {
    await transport.close();
    await server.stop();
  });

  it("is recognized whatever its condition is about", async () => {
    for (const sql of [
      "SELECT * FROM mindsdb.rental_agent WHERE text = 'hi'",
      "SELECT * FROM `MindsDB`.`Rental_Agent` WHERE a = 1",
      "SELECT * FROM rental_agent WHERE a = 1",
      "SELECT * FROM files.asked AS t JOIN mindsdb.rental_agent AS a",
      "SELECT * FROM files.asked AS t, mindsdb.rental_agent AS a",
      "SELECT * FROM sales.orders AS t JOIN (SELECT * FROM mindsdb.rental_agent) AS a",
    ]) {
      assert.equal(await asksAgent(client, sql), true, sql);
    }
  });

  it("is none without an agent of that name in that project", async () => {
    for (const sql of [
      "SELECT 1",
      "SELECT * FROM files.rental_agent",
      "SELECT * FROM nowhere.rental_agent",
      "SELECT * FROM mindsdb.rental_agents WHERE a = 'rental_agent'",
      "SELECT * FROM sales.mindsdb.rental_agent",
    ]) {
      assert.equal(await asksAgent(client, sql), false, sql);
    }
  });
});
