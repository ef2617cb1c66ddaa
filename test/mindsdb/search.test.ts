// Searching real knowledge bases: what plain SQL finds, and hostile texts that find and break nothing.
import assert from "node:assert/strict";
import { countChunks, getKnowledgeBase } from "../../src/mindsdb/knowledgeBases.ts";
import { searchKnowledgeBase, type Chunk, type Search } from "../../src/mindsdb/search.ts";
import { readDetails } from "../../src/knowledgeBases/details.ts";
import { hostileTexts } from "../hostileTexts.ts";
import { Admin } from "./admin.ts";
import { connect, type Connection } from "./conversation.ts";
import { fixture, versions } from "./fixture.ts";
import { MODEL_API_KEY } from "./script.ts";
import { SEEDED } from "./seed.ts";

const seeded = { project: "mindsdb", name: SEEDED.knowledgeBase };
const hostile = { project: "mindsdb", name: "hostile_notes" };
const oddColumn = "odd 'name'";

for (const version of versions) {
  describe(`MindsDB ${version}, searching a knowledge base`, () => {
    let connection: Connection;
    let admin: Admin;
    before(async () => {
      connection = await connect(fixture(version).server.url);
      admin = await Admin.signIn(fixture(version).server);
      const path = "/api/projects/mindsdb/knowledge_bases";
      await admin.post(path, {
        knowledge_base: {
          name: hostile.name,
          embedding_model: {
            provider: "openai",
            model_name: "scripted-embeddings",
            api_key: MODEL_API_KEY,
            base_url: fixture(version).llm.url,
          },
          content_columns: ["content"],
          metadata_columns: ["label", "number", oddColumn],
          id_column: "id",
        },
      });
      const rows = hostileTexts.map((label, number) => {
        return { id: number + 1, content: `A garden. ${label}`, label, number, [oddColumn]: label };
      });
      await admin.put(`${path}/${hostile.name}`, { knowledge_base: { rows } });
    });
    after(async () => {
      // Others list what the server holds.
      await admin.delete(`/api/projects/mindsdb/knowledge_bases/${hostile.name}`);
      await connection.close();
    });

    const find = (search: Partial<Search>, base = hostile): Promise<Chunk[]> =>
      searchKnowledgeBase(connection.client, base, {
        question: "",
        limit: 100,
        filters: [],
        ...search,
      });

    it("reads every field as plain HTTP gives it", async () => {
      const plain = (await admin.get(
        `/api/projects/mindsdb/knowledge_bases/${SEEDED.knowledgeBase}`,
      )) as Record<string, unknown>;
      const { project, name } = seeded;
      const row = await getKnowledgeBase(connection.client, project, name);
      assert.deepEqual(row, plain);
      const { fields } = readDetails(row);
      for (const [key, value] of Object.entries(plain)) {
        const shown = fields.find((field) => field.name === key)?.value ?? "";
        assert.deepEqual(typeof value === "string" ? shown : JSON.parse(shown), value, key);
      }
      assert.ok(!JSON.stringify(fields).includes(MODEL_API_KEY));
      const counted = await admin.sql(`SELECT count(*) FROM mindsdb.${name}`);
      assert.equal(await countChunks(connection.client, project, name), counted[0]?.[0]);
    });

    it("finds what plain SQL finds, in its order", async () => {
      const chunks = await find({ question: "quiet garden", limit: 5, relevance: 0.5 }, seeded);
      const plain = await admin.sql(
        `SELECT id, chunk_content, relevance, distance FROM mindsdb.${seeded.name} ` +
          "WHERE content = 'quiet garden' AND relevance >= 0.5 LIMIT 5",
      );
      assert.ok(plain.length > 0);
      assert.deepEqual(
        chunks.map(({ id, content, relevance, distance }) => [id, content, relevance, distance]),
        plain,
      );
      const [best] = chunks;
      assert.deepEqual(Object.keys(best?.metadata ?? {}).sort(), ["neighborhood", "rating"]);
      assert.ok(best?.internal["_source"]);
    });

    it("filters by numbers", async () => {
      const filters: Search["filters"] = [{ column: "number", operator: ">=", value: 14 }];
      const numbers = (chunks: Chunk[]) => chunks.map(({ id }) => Number(id)).sort((a, b) => a - b);
      assert.deepEqual(numbers(await find({ filters })), [15, 16, 17]);
      assert.deepEqual(numbers(await find({ filters, question: "garden" })), [15, 16, 17]);
    });

    for (const [index, text] of hostileTexts.entries()) {
      it(`finds ${JSON.stringify(text)} and breaks nothing`, async () => {
        const asked = await find({ question: text });
        assert.ok(asked.some(({ id }) => id === index + 1));
        for (const column of ["label", oddColumn]) {
          const filters: Search["filters"] = [{ column, operator: "=", value: text }];
          for (const question of ["", "garden", text]) {
            const found = await find({ question, filters });
            assert.deepEqual(
              found.map(({ id, metadata }) => [id, metadata[column]]),
              [[index + 1, text]],
              `${column}, asked ${JSON.stringify(question)}`,
            );
          }
        }
        const { project, name } = hostile;
        assert.equal(await countChunks(connection.client, project, name), hostileTexts.length);
      });
    }
  });
}
