// What requests reveal about the state of a server, tested with the sample server.
import assert from "node:assert/strict";
import { createAgent, deleteAgent, getAgent, listAgents } from "../../../src/mindsdb/agents.ts";
import { describeModel } from "../../../src/mindsdb/describeModel.ts";
import { findVersion, listModels } from "../../../src/mindsdb/models.ts";
import type { ServerObservation } from "../../../src/mindsdb/changes/serverChange.ts";
import { predict } from "../../../src/mindsdb/predict.ts";
import { listProjects } from "../../../src/mindsdb/projects.ts";
import { runSql } from "../../../src/mindsdb/sql/runSql.ts";
import { parseAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { createTransport } from "../../../src/mindsdb/http/transport.ts";
import { clientOver } from "../../clientOver.ts";
import { startFaultProxy } from "../../proxy/faultProxy.ts";
import { startTestServer } from "../../sampleServer/server.ts";
import { useTestClient } from "../../useTestClient.ts";

describe("server changes that requests reveal", () => {
  const project = "mindsdb";
  let observed: ServerObservation[];
  const sample = useTestClient(() => startTestServer({ unguarded: true }), {
    observe: (observation) => observed.push(observation),
  });
  beforeEach(() => {
    observed = [];
  });

  it("report a complete list", async () => {
    const agents = await listAgents(sample.client, project);
    const models = await listModels(sample.client, project);
    const projects = await listProjects(sample.client);
    assert.deepEqual(observed, [
      { kind: "answered" },
      { kind: "listed", list: "agents", project, items: agents },
      { kind: "answered" },
      { kind: "listed", list: "models", project, items: models },
      { kind: "answered" },
      { kind: "listed", list: "projects", items: projects },
    ]);
  });

  it("report a version of a model", async () => {
    const name = "home_rentals_model";
    const version = await findVersion(sample.client, { project, name, version: 1 });
    assert.equal(version?.version, 1);
    assert.deepEqual(observed.at(-1), { kind: "version", project, name, version });
  });

  it("report created and deleted objects", async () => {
    const agent = { name: "observed", data: { tables: [], knowledge_bases: [] } };
    await createAgent(sample.client, project, agent);
    await deleteAgent(sample.client, project, "observed");
    assert.deepEqual(observed, [
      { kind: "answered" },
      { kind: "changed", list: "agents", project },
      { kind: "answered" },
      { kind: "changed", list: "agents", project, name: "observed" },
    ]);
  });

  it("report missing objects and missing projects", async () => {
    await assert.rejects(getAgent(sample.client, project, "no one"));
    await assert.rejects(describeModel(sample.client, { project, name: "nothing", version: 3 }));
    await assert.rejects(listAgents(sample.client, "nowhere"));
    assert.deepEqual(observed, [
      { kind: "reached" },
      { kind: "missing", list: "agents", project, name: "no one" },
      { kind: "reached" },
      { kind: "missing", list: "models", project, name: "nothing" },
      { kind: "reached" },
      { kind: "missing", list: "projects", project: "nowhere", name: "nowhere" },
    ]);
  });

  it("report that there is no server, also behind a gateway", async () => {
    const proxy = await startFaultProxy({ target: sample.server.url });
    const transport = createTransport(parseAddress(proxy.url));
    const client = clientOver(transport, { observe: (observation) => observed.push(observation) });
    try {
      await listAgents(client, project);
      proxy.set({
        answer: { status: 502, headers: { "content-type": "text/html" }, body: "<h1>" },
      });
      await assert.rejects(listAgents(client, project));
      await proxy.refuse();
      await assert.rejects(listAgents(client, project));
      assert.deepEqual(
        observed.map(({ kind }) => kind),
        ["answered", "listed", "unreachable", "unreachable"],
      );
    } finally {
      await transport.close();
      await proxy.stop();
    }
  });

  it("report no change for predictions and reads", async () => {
    const data = new TextEncoder().encode('{"data": [{"sqft": 900}]}');
    await predict(sample.client, { project, name: "home_rentals_model" }, data, {
      timeLimitMs: 10_000,
    });
    await runSql(sample.client, "SELECT 1");
    assert.deepEqual(observed, [{ kind: "answered" }, { kind: "answered" }]);
  });

  it("report no change for a failed statement", async () => {
    await assert.rejects(runSql(sample.client, "DROP AGENT observed"), { kind: "sql" });
    assert.deepEqual(observed, [{ kind: "answered" }]);
  });
});
