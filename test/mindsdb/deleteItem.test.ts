// Deleting items whose names HTTP paths cannot hold.
import assert from "node:assert/strict";
import { deleteAgent } from "../../src/mindsdb/agents.ts";
import { disconnectDataSource } from "../../src/mindsdb/dataSourceChanges.ts";
import { deleteKnowledgeBase } from "../../src/mindsdb/knowledgeBaseChanges.ts";
import { deleteProject } from "../../src/mindsdb/projectChanges.ts";
import { Admin } from "./admin.ts";
import { connect, type Connection } from "./conversation.ts";
import { fixture, versions } from "./fixture.ts";
import { createAgent, embeddingModel, SEEDED } from "./seed.ts";

const project = "mindsdb";
const names = ["slash/es", "Line\nbreak/Es"];

for (const version of versions) {
  describe(`MindsDB ${version}, deleting what a path cannot name`, () => {
    let connection: Connection;
    let admin: Admin;
    before(async () => {
      connection = await connect(fixture(version).server.url);
      admin = await Admin.signIn(fixture(version).server);
    });
    after(() => connection.close());

    const list = async (path: string) =>
      ((await admin.get(path)) as { name: string }[]).map(({ name }) => name);

    for (const name of names) {
      it(`deletes the agent ${JSON.stringify(name)}`, async () => {
        await createAgent(admin, fixture(version).llm, name, { tables: [SEEDED.table] });
        assert.ok((await list("/api/projects/mindsdb/agents")).includes(name));
        await deleteAgent(connection.client, project, name);
        assert.ok(!(await list("/api/projects/mindsdb/agents")).includes(name));
      });

      it(`deletes the knowledge base ${JSON.stringify(name)}, if the server creates it`, async () => {
        const path = "/api/projects/mindsdb/knowledge_bases";
        const model = embeddingModel(fixture(version).llm);
        const created = admin.post(path, {
          knowledge_base: { name, embedding_model: model, content_columns: ["content"] },
        });
        if (version === "26.1.0") {
          await assert.rejects(created, /must not contain path separators/);
          return;
        }
        await created;
        assert.ok((await list(path)).includes(name));
        await deleteKnowledgeBase(connection.client, { project, name });
        assert.ok(!(await list(path)).includes(name));
      });
    }

    it("disconnects a data source", async () => {
      const database = { name: "slash/source", engine: "dummy_data", parameters: {} };
      await admin.post("/api/databases/", { database });
      await disconnectDataSource(connection.client, database.name);
      assert.ok(!(await list("/api/databases/")).includes(database.name));
    });

    it("deletes a project", async () => {
      await admin.sql("CREATE PROJECT `slash/project`");
      await deleteProject(connection.client, "slash/project");
      assert.ok(!(await list("/api/databases/")).includes("slash/project"));
    });
  });
}
