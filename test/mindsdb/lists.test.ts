// What a real server holds, as the product lists it.
import assert from "node:assert/strict";
import { listAgents } from "../../src/mindsdb/agents.ts";
import { listKnowledgeBases } from "../../src/mindsdb/knowledgeBases.ts";
import { listModels } from "../../src/mindsdb/models.ts";
import { listProjects } from "../../src/mindsdb/projects.ts";
import { connect, type Connection } from "./conversation.ts";
import { fixture, versions } from "./fixture.ts";
import { MODEL_API_KEY } from "./script.ts";
import { SEEDED } from "./seed.ts";

for (const version of versions) {
  describe(`MindsDB ${version}, listing objects`, () => {
    let connection: Connection;
    before(async () => (connection = await connect(fixture(version).server.url)));
    after(() => connection.close());

    it("has one project, the default one", async () => {
      const projects = await listProjects(connection.client);
      assert.deepEqual(projects, [{ name: "mindsdb", isDefault: true }]);
    });

    it("has the knowledge base", async () => {
      const [found, ...others] = await listKnowledgeBases(connection.client, "mindsdb");
      assert.deepEqual(others, []);
      assert.equal(found?.name, SEEDED.knowledgeBase);
      assert.equal(found.embeddingModel, "openai · scripted-embeddings");
      assert.deepEqual(found.contentColumns, ["content"]);
      assert.deepEqual(found.metadataColumns, ["neighborhood", "rating"]);
    });

    it("has the agents, and does not give away their keys", async () => {
      const agents = await listAgents(connection.client, "mindsdb");
      assert.deepEqual(
        agents.map(({ name, tables, knowledgeBases }) => ({ name, tables, knowledgeBases })),
        [
          {
            name: SEEDED.notesAgent,
            tables: [],
            knowledgeBases: [`mindsdb.${SEEDED.knowledgeBase}`],
          },
          {
            name: SEEDED.agent,
            tables: [SEEDED.table],
            knowledgeBases: [`mindsdb.${SEEDED.knowledgeBase}`],
          },
          { name: SEEDED.tableAgent, tables: [SEEDED.table], knowledgeBases: [] },
        ],
      );
      assert.equal(agents[0]?.model, "openai · scripted");
      assert.ok(!JSON.stringify(agents).includes(MODEL_API_KEY));
    });

    it("has the model with its status", async () => {
      const [model, ...others] = await listModels(connection.client, "mindsdb");
      assert.deepEqual(others, []);
      assert.equal(model?.name, SEEDED.model);
      const { version: number, status, active, target, error } = model.current;
      assert.deepEqual(
        { number, status, active, target, error },
        { number: 1, status: "complete", active: true, target: "rental_price", error: undefined },
      );
      assert.equal(model.versions.length, 1);
    });

    it("lists nothing for a missing project, or reports it", async () => {
      await assert.rejects(listAgents(connection.client, "no_such_project"), { kind: "notFound" });
    });
  });
}
