// Nothing that may cost money is sent without consent, whatever sends it.
import assert from "node:assert/strict";
import { isAppError } from "../../../src/mindsdb/errors.ts";
import type { Client } from "../../../src/mindsdb/http/client.ts";
import { CostConsent } from "../../../src/mindsdb/http/costConsent.ts";
import { createTransport, type Transport } from "../../../src/mindsdb/http/transport.ts";
import { readRowPages } from "../../../src/mindsdb/rowPages.ts";
import { mayCost } from "../../../src/mindsdb/sql/asksAgent.ts";
import { runSql } from "../../../src/mindsdb/sql/runSql.ts";
import { readFirstRows } from "../../../src/mindsdb/tables.ts";
import { clientOver } from "../../clientOver.ts";
import { listen, sendJson, type TestServer } from "./httpServer.ts";

const view = { name: "seen", query: "SELECT * FROM mindsdb.agent" };

describe("the cost of a request", () => {
  let server: TestServer;
  let transport: Transport;
  let client: Client;
  let agentsStatus = 200;

  before(async () => {
    server = await listen(({ path }, response) => {
      if (path.endsWith("/agents")) sendJson(response, agentsStatus, [{ name: "agent" }]);
      else if (path.endsWith("/views")) sendJson(response, 200, [view]);
      else if (path.endsWith("/models")) sendJson(response, 200, []);
      else if (path !== "/api/sql/query") sendJson(response, 200, {});
      else sendJson(response, 200, { type: "table", column_names: ["a"], data: [[1]] });
    });
    transport = createTransport(server.address);
    client = clientOver(transport, { mayCost });
  });
  beforeEach(() => {
    agentsStatus = 200;
    server.seen.length = 0;
  });
  after(async () => {
    await transport.close();
    await server.close();
  });
  const posts = () => server.seen.filter(({ method }) => method === "POST").length;
  const agent = ["mindsdb", "agent"];

  it("is refused without consent: rows, pages, previews, writes, questions, predictions", async () => {
    for (const send of [
      () => runSql(client, "SELECT * FROM mindsdb.agent WHERE x = 'a'"),
      () => runSql(client, "SELECT * FROM kb WHERE content = 'a'"),
      () => runSql(client, "CREATE TABLE files.t (SELECT * FROM mindsdb.agent)"),
      () => runSql(client, "SELECT 'open"),
      () => runSql(client, "SELECT count(*) FROM mindsdb.seen"),
      () => readFirstRows(client, agent, 5),
      () => readRowPages(client, { table: agent }).next(),
      () => readRowPages(client, { select: "SELECT * FROM mindsdb.agent" }).next(),
      () => client.post("/api/projects/p/agents/a/completions", {}),
      () => client.stream("/api/projects/p/agents/a/completions/stream", {}),
      () => client.postBytes("/api/projects/p/models/m/predict", Buffer.from("{}")),
    ]) {
      await assert.rejects(send, (error) => isAppError(error, "mayCost"), String(send));
    }
    assert.equal(posts(), 0);
  });

  it("is unknown if the agents cannot be listed", async () => {
    for (agentsStatus of [500, 403, 422]) {
      await assert.rejects(readFirstRows(client, ["shop", "t"], 5), (error) =>
        isAppError(error, "mayCost"),
      );
    }
    assert.equal(posts(), 0);
    agentsStatus = 404;
    await readFirstRows(client, ["shop", "t"], 5);
    assert.equal(posts(), 1);
  });

  it("is asked for once for all pages and counts, and agents are listed once", async () => {
    let asked = 0;
    const cost = new CostConsent(() => Promise.resolve(++asked > 0));
    for await (const page of readRowPages(client, { table: agent }, { cost })) assert.ok(page);
    await readFirstRows(client, agent, 5, { cost });
    assert.equal(asked, 1);
    assert.ok(posts() >= 3);
    // The agents.
    assert.equal(server.seen.length - posts(), 1);
    server.seen.length = 0;
    const free = new CostConsent(() => Promise.resolve(false));
    for (const sql of ["SELECT 1 FROM mindsdb.t", "SELECT 2 FROM mindsdb.t"]) {
      await runSql(client, sql, { cost: free });
    }
    // The agents, models and views.
    assert.equal(server.seen.length - posts(), 3);
    const throughView = new CostConsent(() => Promise.resolve(false));
    const both = [1, 2].map(() =>
      runSql(client, "SELECT * FROM mindsdb.seen", { cost: throughView }),
    );
    for (const { status } of await Promise.allSettled(both)) assert.equal(status, "rejected");
    server.seen.length = 0;
    const refusal = new CostConsent(() => Promise.resolve(false));
    await assert.rejects(readFirstRows(client, agent, 5, { cost: refusal }));
    assert.equal(posts(), 0);
  });
});
