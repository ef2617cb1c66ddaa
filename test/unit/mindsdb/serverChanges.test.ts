// What requests reveal about the state of a server, tested with the sample server.
import assert from "node:assert/strict";
import { createAgent, deleteAgent, getAgent, listAgents } from "../../../src/mindsdb/agents.ts";
import { parseAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import type { Client } from "../../../src/mindsdb/http/client.ts";
import { describeModel } from "../../../src/mindsdb/describeModel.ts";
import { findVersion, listModels } from "../../../src/mindsdb/models.ts";
import type { ServerObservation } from "../../../src/mindsdb/changes/serverChange.ts";
import { predict } from "../../../src/mindsdb/predict.ts";
import { listProjects } from "../../../src/mindsdb/projects.ts";
import { runSql } from "../../../src/mindsdb/sql/runSql.ts";
import { createTransport, type Transport } from "../../../src/mindsdb/http/transport.ts";
import { startTestServer } from "../../sampleServer/server.ts";
import { clientOver } from "../../clientOver.ts";

describe("server changes that requests reveal", () => {
  const project = "mindsdb";
  let server: Awaited<ReturnType<typeof startTestServer>>;
  let transport: Transport;
  let client: Client;
  let observed: ServerObservation[];

  before(async () => {
    server = await startTestServer({ unguarded: true });
    transport = createTransport(parseAddress(server.url));
    client = clientOver(transport, { observe: (observation) => observed.push(observation) });
  });
  beforeEach(() => {
    observed = [];
  });
  after(async () => {
    await transport.close();
    await server.stop();
  });

  it("report a complete list", async () => {
    const agents = await listAgents(client, project);
    const models = await listModels(client, project);
    const projects = await listProjects(client);
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
    const version = await findVersion(client, { project, name, version: 1 });
    assert.equal(version?.version, 1);
    assert.deepEqual(observed.at(-1), { kind: "version", project, name, version });
  });

  it("report created and deleted objects", async () => {
    const agent = { name: "observed", data: { tables: [], knowledge_bases: [] } };
    await createAgent(client, project, agent);
    await deleteAgent(client, project, "observed");
    assert.deepEqual(observed, [
      { kind: "answered" },
      { kind: "changed", list: "agents", project },
      { kind: "answered" },
      { kind: "changed", list: "agents", project, name: "observed" },
    ]);
  });

  it("report missing objects and missing projects", async () => {
    await assert.rejects(getAgent(client, project, "no one"));
    await assert.rejects(describeModel(client, { project, name: "nothing", version: 3 }));
    await assert.rejects(listAgents(client, "nowhere"));
    assert.deepEqual(observed, [
      { kind: "missing", list: "agents", project, name: "no one" },
      { kind: "missing", list: "models", project, name: "nothing" },
      { kind: "missing", list: "projects", project: "nowhere", name: "nowhere" },
    ]);
  });

  it("report no change for predictions and reads", async () => {
    const data = new TextEncoder().encode('{"data": [{"sqft": 900}]}');
    await predict(client, { project, name: "home_rentals_model" }, data, { timeLimitMs: 10_000 });
    await runSql(client, "SELECT 1");
    assert.deepEqual(observed, [{ kind: "answered" }, { kind: "answered" }]);
  });

  it("report no change for a failed statement", async () => {
    await assert.rejects(runSql(client, "DROP AGENT observed"), { kind: "sql" });
    assert.deepEqual(observed, [{ kind: "answered" }]);
  });
});
