// Documents of knowledge bases on real servers: listed, read and deleted, with odd ids, numbers as ids and many chunks.
import assert from "node:assert/strict";
import { joinChunks } from "../../src/knowledgeBases/documents/documentText.ts";
import {
  deleteDocument,
  listDocuments,
  readDocuments,
} from "../../src/mindsdb/knowledgeBaseDocuments.ts";
import { useClients } from "./clients.ts";
import { fixture, versions } from "./fixture.ts";
import { embeddingModel } from "./seed.ts";

const path = "/api/projects/mindsdb/knowledge_bases";
const oddIds = ["007", "1e5", "it's", 'say "x"', "back\\slash", "a/b c.md", "héé-🏠", "null", "%"];

for (const version of versions) {
  describe(`MindsDB ${version}, documents of a knowledge base`, () => {
    const name = "browsed";
    const place = { project: "mindsdb", name };
    const session = useClients(version);

    beforeEach(async () => {
      const embedding_model = embeddingModel(fixture(version).llm);
      await session.admin.post(path, { knowledge_base: { name, embedding_model } });
    });
    afterEach(() => session.admin.delete(`${path}/${name}`));

    const insert = (rows: object[]) =>
      session.admin.put(`${path}/${name}`, { knowledge_base: { rows } });
    const stored = async (): Promise<string[]> =>
      (await session.admin.sql(`SELECT DISTINCT id FROM mindsdb.${name}`))
        .map(([id]) => String(id))
        .sort();
    const read = (ids: string[], limit = 1_000) => readDocuments(session.client, place, ids, limit);

    it("has none at first", async () => {
      assert.deepEqual(await listDocuments(session.client, place), []);
      assert.equal((await read(["1"])).size, 0);
    });

    it("lists every document with its chunks, and reads them in the order of the text", async () => {
      const sentences = Array.from({ length: 300 }, (_, at) => `Sentence ${String(at)} of a tale.`);
      await insert([
        { id: "long", content: sentences.join(" "), topic: "tales" },
        ...Array.from({ length: 500 }, (_, at) => ({ id: `n${String(at)}`, content: "Short." })),
      ]);
      const listed = await listDocuments(session.client, place);
      const [[chunks]] = (await session.admin.sql(
        `SELECT count(*) FROM mindsdb.${name} WHERE id = 'long'`,
      )) as [[number]];
      assert.equal(listed.length, 501);
      assert.equal(listed.find(({ id }) => id === "long")?.chunks, chunks);
      assert.ok(chunks > 5);
      const found = (await read(["long", "n7", "gone"])).get("long") ?? [];
      assert.equal(found.length, chunks);
      assert.equal(joinChunks(found).replaceAll("\n", " "), sentences.join(" "));
      assert.equal(found[0]?.metadata["topic"], "tales");
      assert.equal((await read(["long"], 3)).get("long")?.length, 3);
    });

    it("reads and deletes one document, whatever its id looks like", async () => {
      await insert(oddIds.map((id) => ({ id, content: `Text of ${id}` })));
      for (const id of oddIds) {
        assert.equal((await read([id])).get(id)?.[0]?.content, `Text of ${id}`, id);
      }
      const left = [...oddIds].sort();
      for (const id of oddIds) {
        await deleteDocument(session.client, place, id);
        left.splice(left.indexOf(id), 1);
        assert.deepEqual(await stored(), left, id);
      }
    });

    it("reads and deletes documents whose ids were inserted as numbers", async () => {
      await insert([1, 2, 30].map((id) => ({ id, content: `Number ${String(id)}` })));
      const listed = await listDocuments(session.client, place);
      assert.deepEqual(listed.map(({ id }) => id).sort(), ["1", "2", "30"]);
      const found = await read(["1", "30"]);
      assert.equal(found.get("30")?.[0]?.content, "Number 30");
      assert.equal(found.size, 2);
      await deleteDocument(session.client, place, "2");
      assert.deepEqual(await stored(), ["1", "30"]);
    });
  });
}
