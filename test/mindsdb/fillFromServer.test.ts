// Fills knowledge bases of real servers from their own tables and SELECTs: every row once, none lost between pages.
import assert from "node:assert/strict";
import { FormData } from "undici";
import { DocumentReader } from "../../src/knowledgeBases/fill/documentReader.ts";
import { createTarget } from "../../src/knowledgeBases/fill/columnMapping.ts";
import { createFillMemory, runFill } from "../../src/knowledgeBases/fill/fillRun.ts";
import { createFillServer } from "../../src/knowledgeBases/fill/fillServer.ts";
import { toRows } from "../../src/knowledgeBases/fill/tableRows.ts";
import { readRowPages, type RowSource } from "../../src/mindsdb/rowPages.ts";
import { Admin } from "./admin.ts";
import { connect, type Connection } from "./conversation.ts";
import { fixture, versions } from "./fixture.ts";
import { embeddingModel } from "./seed.ts";

const path = "/api/projects/mindsdb/knowledge_bases";
const count = 2_500;

for (const version of versions) {
  describe(`MindsDB ${version}, filling a knowledge base from the server`, () => {
    const table = ["files", "fill_notes"];
    const place = { project: "mindsdb", name: "from_server" };
    let admin: Admin;
    let connection: Connection;

    before(async () => {
      admin = await Admin.signIn(fixture(version).server);
      connection = await connect(fixture(version).server.url);
      const rows = Array.from(
        { length: count },
        (_, at) => `${String((at * 7) % count)},"Note, number ${String(at)}",t${String(at % 3)}`,
      );
      const form = new FormData();
      form.set("file", new Blob([["id,text,topic", ...rows].join("\n")]), "fill_notes.csv");
      await admin.put("/api/files/fill_notes", form);
      const embedding_model = embeddingModel(fixture(version).llm);
      await admin.post(path, { knowledge_base: { name: place.name, embedding_model } });
    });
    after(async () => {
      await admin.delete(`${path}/${place.name}`);
      await admin.delete("/api/files/fill_notes");
      await connection.close();
    });

    async function readIds(source: RowSource, orderBy?: string): Promise<string[]> {
      const ids: string[] = [];
      for await (const { columns, rows } of readRowPages(connection.client, source, { orderBy })) {
        const at = columns.indexOf("id");
        ids.push(...rows.map((row) => String(row[at])));
      }
      return ids;
    }

    it("reads every row of a table once, in pages", async () => {
      const ids = await readIds({ table }, "id");
      assert.deepEqual(
        ids,
        Array.from({ length: count }, (_, at) => String(at)),
      );
      assert.equal(new Set(await readIds({ table })).size, count);
    });

    it("stores every row of a table, as plain SQL counts them", async () => {
      const target = createTarget({});
      const mapping = { id: "id", text: "content:content", topic: "metadata:topic" };
      const reader = new DocumentReader(mapping, target, "fill_notes");
      async function* documents() {
        const pages = readRowPages(connection.client, { table }, { orderBy: "id" });
        for await (const page of pages) yield reader.read(toRows(page));
      }
      const result = await runFill({
        server: createFillServer(connection.client, place),
        documents: documents(),
        existing: "skip",
        memory: createFillMemory(),
        cancel: new AbortController().signal,
        onProgress: () => undefined,
      });
      assert.deepEqual([result.end, result.stored, result.missing], ["complete", count, []]);
      const [[documentsThere]] = (await admin.sql(
        "SELECT count(DISTINCT id) FROM mindsdb.from_server",
      )) as [[number]];
      assert.equal(documentsThere, count);
      const [row] = await admin.sql(
        "SELECT chunk_content, topic FROM mindsdb.from_server WHERE id = '7'",
      );
      assert.deepEqual(row, ["Note, number 1", "t1"]);
    });

    it("reads every row of a SELECT, also one with its own order, limit and comments", async () => {
      const select =
        "SELECT id, text FROM files.fill_notes WHERE id >= 100 ORDER BY id DESC LIMIT 2000 -- some;\n;";
      const ids = await readIds({ select });
      assert.deepEqual(
        ids,
        Array.from({ length: 2_000 }, (_, at) => String(count - 1 - at)),
      );
    });

    it("reads every chunk of another knowledge base by a SELECT", async () => {
      const select = "SELECT id, chunk_content AS text FROM mindsdb.from_server";
      const ids = await readIds({ select });
      assert.deepEqual([ids.length, new Set(ids).size], [count, count]);
    });

    it("says why a SELECT fails", async () => {
      await assert.rejects(readIds({ select: "SELECT nothing FROM files.fill_notes" }), /nothing/);
    });
  });
}
