// Nothing that may cost money is sent without consent, whatever sends it.
import assert from "node:assert/strict";
import { isAppError } from "../../../src/mindsdb/errors.ts";
import { CostConsent } from "../../../src/mindsdb/http/costConsent.ts";
import { readRowPages } from "../../../src/mindsdb/rowPages.ts";
import { mayCost } from "../../../src/mindsdb/sql/asksAgent.ts";
import { runSql } from "../../../src/mindsdb/sql/runSql.ts";
import { readFirstRows } from "../../../src/mindsdb/tables.ts";
import { sendJson, useServer } from "./httpServer.ts";

const view = { name: "seen", query: "SELECT * FROM mindsdb.agent" };
const projects = ["mindsdb", "shop"].map((name) => ({ name, type: "project" }));
const inShop = "/api/projects/shop/agents";

describe("the cost of a request", () => {
  let agentsStatus = 200;

  const used = useServer(
    ({ path }, response) => {
      if (path === inShop) sendJson(response, agentsStatus, [{ name: "seller" }]);
      else if (path.endsWith("/agents")) sendJson(response, agentsStatus, [{ name: "agent" }]);
      else if (path.endsWith("/views")) sendJson(response, 200, [view]);
      else if (path === "/api/databases/") sendJson(response, 200, projects);
      else if (path.endsWith("/models")) sendJson(response, 200, []);
      else if (path !== "/api/sql/query") sendJson(response, 200, {});
      else sendJson(response, 200, { type: "table", column_names: ["a"], data: [[1]] });
    },
    { mayCost },
  );
  beforeEach(() => {
    agentsStatus = 200;
  });
  const posts = () => used.server.seen.filter(({ method }) => method === "POST").length;
  const agent = ["mindsdb", "agent"];

  it("is refused without consent: rows, pages, previews, writes, questions, predictions", async () => {
    for (const send of [
      () => runSql(used.client, "SELECT * FROM mindsdb.agent WHERE x = 'a'"),
      () => runSql(used.client, "SELECT * FROM kb WHERE content = 'a'"),
      () => runSql(used.client, "CREATE TABLE files.t (SELECT * FROM mindsdb.agent)"),
      () => runSql(used.client, "SELECT 'open"),
      () => runSql(used.client, "SELECT count(*) FROM mindsdb.seen"),
      () => readFirstRows(used.client, agent, 5),
      () => readRowPages(used.client, { table: agent }).next(),
      () => readRowPages(used.client, { select: "SELECT * FROM mindsdb.agent" }).next(),
      () => used.client.post("/api/projects/p/agents/a/completions", {}),
      () => used.client.stream("/api/projects/p/agents/a/completions/stream", {}),
      () => used.client.postBytes("/api/projects/p/models/m/predict", Buffer.from("{}")),
    ]) {
      await assert.rejects(send, (error) => isAppError(error, "mayCost"), String(send));
    }
    assert.equal(posts(), 0);
  });

  it("is that of the project in which names without one are looked up", async () => {
    const statement = "SELECT * FROM seller";
    await runSql(used.client, statement);
    assert.equal(posts(), 1);
    await assert.rejects(runSql(used.client, statement, { database: "shop" }), (error) =>
      isAppError(error, "mayCost"),
    );
    assert.equal(posts(), 1);
  });

  it("is unknown if the agents cannot be listed", async () => {
    for (agentsStatus of [500, 403, 422]) {
      await assert.rejects(readFirstRows(used.client, ["shop", "t"], 5), (error) =>
        isAppError(error, "mayCost"),
      );
    }
    assert.equal(posts(), 0);
    agentsStatus = 404;
    await readFirstRows(used.client, ["shop", "t"], 5);
    assert.equal(posts(), 1);
  });

  it("is asked for once for all pages and counts, and agents are listed once", async () => {
    let asked = 0;
    const cost = new CostConsent(() => Promise.resolve(++asked > 0));
    for await (const page of readRowPages(used.client, { table: agent }, { cost })) assert.ok(page);
    await readFirstRows(used.client, agent, 5, { cost });
    assert.equal(asked, 1);
    assert.ok(posts() >= 3);
    // The agents.
    assert.equal(used.server.seen.length - posts(), 1);
    used.server.seen.length = 0;
    const free = new CostConsent(() => Promise.resolve(false));
    for (const sql of ["SELECT 1 FROM mindsdb.t", "SELECT 2 FROM mindsdb.t"]) {
      await runSql(used.client, sql, { cost: free });
    }
    // The agents, models and views.
    assert.equal(used.server.seen.length - posts(), 3);
    const throughView = new CostConsent(() => Promise.resolve(false));
    const both = [1, 2].map(() =>
      runSql(used.client, "SELECT * FROM mindsdb.seen", { cost: throughView }),
    );
    for (const { status } of await Promise.allSettled(both)) assert.equal(status, "rejected");
    used.server.seen.length = 0;
    const refusal = new CostConsent(() => Promise.resolve(false));
    await assert.rejects(readFirstRows(used.client, agent, 5, { cost: refusal }));
    assert.equal(posts(), 0);
  });
});
