import assert from "node:assert/strict";
import type { HttpRequest } from "../../../src/mindsdb/http/transport.ts";
import { SecretsLearner } from "../../../src/mindsdb/redact/learnSecrets.ts";
import { clientOver } from "../../clientOver.ts";
import { clientOf } from "./scriptedServer.ts";

const keys = ["agent", "model", "base", "source"].map((name) => `made-up-key-of-${name}`);
const [agentKey, modelKey, baseKey, sourceKey] = keys;
const answers = {
  "/api/databases/": [
    { name: "mindsdb", type: "project" },
    { name: "a/b", type: "project" },
    { name: "pg", type: "data", connection_data: { password: sourceKey } },
  ],
  "/api/projects/mindsdb/agents": [{ name: "a" }],
  "/api/projects/a%2Fb/agents": [{ name: "a", model: { api_key: agentKey } }],
  "/api/projects/a%2Fb/models": [
    { name: "m", problem_definition: { using: { openai_api_key: modelKey } }, token: "first name" },
  ],
  "/api/projects/a%2Fb/knowledge_bases": [{ name: "k", embedding_model: { api_key: baseKey } }],
};

describe("the secrets in a server's lists", () => {
  let seen: HttpRequest[];
  beforeEach(() => (seen = []));

  it("are learned in all projects, once, and again after a change", async () => {
    const client = clientOf(answers, { missing: 404, seen });
    const learner = new SecretsLearner();
    await Promise.all([learner.learn(client), learner.learn(client)]);
    for (const key of keys) assert.equal(client.secrets.redactKnown(key), "******");
    assert.equal(client.secrets.redactKnown("first name"), "first name");
    const requests = 1 + 2 * 3;
    assert.equal(seen.length, requests);
    assert.ok(seen.every(({ method }) => method === "GET"));
    for (const list of ["jobs", "tables", "queries"] as const) {
      learner.observe({ kind: "changed", list });
    }
    learner.observe({ kind: "answered" });
    await learner.learn(client);
    assert.equal(seen.length, requests);
    for (const list of ["agents", "models", "knowledgeBases", "projects"] as const) {
      seen.length = 0;
      learner.observe({ kind: "changed", list });
      await learner.learn(client);
      assert.equal(seen.length, requests, list);
    }
  });

  it("take a limited number of requests, two at a time", async () => {
    let current = 0;
    let most = 0;
    const projects = Array.from({ length: 500 }, (_, at) => ({
      name: `p${at}`,
      type: "project",
    }));
    const scripted = clientOf({ "/api/databases/": projects }, { missing: 404, seen });
    const get = scripted.get.bind(scripted);
    scripted.get = async (...request) => {
      most = Math.max(most, ++current);
      return get(...request).finally(() => current--);
    };
    await new SecretsLearner().learn(scripted);
    assert.equal(seen.length, 1 + 50 * 3);
    assert.equal(most, 2);
  });

  it("stay unknown, quietly, on a server that fails or does not answer", async () => {
    await new SecretsLearner().learn(clientOf({ "/api/databases/": {} }));
    await new SecretsLearner().learn(clientOf({ "/api/databases/": [null, "x", { name: 1 }] }));
    const silent = clientOver({
      send: ({ signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason as Error));
        }),
      close: () => Promise.resolve(),
    });
    await new SecretsLearner(20).learn(silent);
  });
});
