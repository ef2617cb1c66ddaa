// Models are tested by items that no server can create. What one creates nevertheless is deleted.
import assert from "node:assert/strict";
import { testLanguageModel, testSearchModels } from "../../../src/mindsdb/serverSettings.ts";
import { sendJson, useServer } from "./httpServer.ts";

describe("the test of a default model", () => {
  let status = 200;
  let detail: (name: string) => string = () => "";

  const used = useServer(({ method, body }, response) => {
    if (method !== "POST") return sendJson(response, 200, {});
    const { knowledge_base: base, agent } = JSON.parse(body) as Record<string, { name: string }>;
    sendJson(response, status, { detail: detail((base ?? agent)!.name) });
  });
  beforeEach(() => {
    status = 400;
  });
  const requests = () =>
    used.server.seen.map(({ method, path }) => `${method} ${path.replace(/test_\w+/, "test_x")}`);
  const bases = "/api/projects/a%20b/knowledge_bases";
  const agents = "/api/projects/a%20b/agents";

  it("deletes the knowledge base and the agent that a server creates", async () => {
    status = 200;
    await testSearchModels(used.client, "a b", {});
    await testLanguageModel(used.client, "a b", undefined);
    assert.deepEqual(requests(), [
      `POST ${bases}`,
      `DELETE ${bases}/workbench_test_x`,
      `POST ${agents}`,
      `DELETE ${agents}/workbench_test_x`,
    ]);
  });

  it("is passed if only the storage or the tables are missing, and deletes nothing", async () => {
    detail = (name) => `Unable to find database named ${name}`;
    await testSearchModels(used.client, "a b", {});
    for (detail of [(name: string) => `integration with name '${name}'`, () => "No tables found"]) {
      await testLanguageModel(used.client, "a b", undefined);
    }
    assert.deepEqual(requests(), [`POST ${bases}`, `POST ${agents}`, `POST ${agents}`]);
  });

  it("fails for any other reason", async () => {
    detail = () => "Unable to find database named other";
    await assert.rejects(testSearchModels(used.client, "a b", {}), /named other/);
    await assert.rejects(testLanguageModel(used.client, "a b", undefined), /named other/);
    assert.deepEqual(requests(), [`POST ${bases}`, `POST ${agents}`]);
  });
});
