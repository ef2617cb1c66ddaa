// Fills knowledge bases of real servers: odd ids, silent losses, replaced documents, broken connections, resuming.
import assert from "node:assert/strict";
import {
  createFillMemory,
  runFill,
  type FillOptions,
  type FillResult,
} from "../../src/knowledgeBases/fill/fillRun.ts";
import { createFillServer } from "../../src/knowledgeBases/fill/fillServer.ts";
import type { FillDocument } from "../../src/knowledgeBases/fill/documentReader.ts";
import { hasNumericIds } from "../../src/mindsdb/knowledgeBaseContent.ts";
import { countContent } from "../../src/mindsdb/knowledgeBases.ts";
import { startFaultProxy, type FaultProxy } from "../proxy/faultProxy.ts";
import { Admin } from "./admin.ts";
import { connect, type Connection } from "./conversation.ts";
import { fixture, versions } from "./fixture.ts";
import { embeddingModel } from "./seed.ts";

const path = "/api/projects/mindsdb/knowledge_bases";
const put = /^PUT .*knowledge_bases/;

const document = (id: string, content = `A note about ${id}.`, more = {}): FillDocument => ({
  id,
  row: { ...more, content, id },
  length: content.length,
});
const documents = (count: number): FillDocument[] =>
  Array.from({ length: count }, (_, at) => document(`n${String(at)}`));

for (const version of versions) {
  describe(`MindsDB ${version}, filling a knowledge base`, () => {
    let admin: Admin;
    let proxy: FaultProxy;
    let connection: Connection;
    let name = "";
    let made = 0;

    before(async () => {
      admin = await Admin.signIn(fixture(version).server);
      proxy = await startFaultProxy({ target: fixture(version).server.url });
      connection = await connect(proxy.url);
    });
    after(async () => {
      await connection.close();
      await proxy.stop();
    });
    beforeEach(() => create());
    afterEach(() => admin.delete(`${path}/${name}`));

    async function create(more: object = {}): Promise<void> {
      name = `filled_${String(made++)}`;
      const embedding_model = embeddingModel(fixture(version).llm);
      await admin.post(path, { knowledge_base: { name, embedding_model, ...more } });
    }
    const fill = (given: FillDocument[], more: Partial<FillOptions> = {}): Promise<FillResult> =>
      runFill({
        server: createFillServer(connection.client, { project: "mindsdb", name }),
        documents: [given],
        existing: "skip",
        memory: createFillMemory(),
        cancel: new AbortController().signal,
        onProgress: () => undefined,
        times: { settle: 1_000, grace: 5_000, busy: 100 },
        ...more,
      });
    const contents = async (): Promise<string[]> =>
      (await admin.sql(`SELECT chunk_content FROM mindsdb.${name}`)).map(String).sort();

    it("stores every document, whatever its id looks like", async () => {
      const ids = [
        "1",
        "007",
        "1.0",
        "1e5",
        "9007199254740993",
        " padded ",
        "it's",
        'say "x"',
        "back`tick",
        "back\\slash",
        "a;b--c",
        "homes.csv#12",
        "héé-🏠",
        "null",
        "true",
      ];
      const result = await fill(ids.map((id) => document(id, `Text of ${id}`)));
      assert.deepEqual([result.end, result.missing, result.stored], ["complete", [], ids.length]);
      const again = await fill(ids.map((id) => document(id, `Text of ${id}`)));
      assert.deepEqual([again.skipped, again.sent], [ids.length, 0]);
    });

    it("counts what the server leaves out without a word", async () => {
      const result = await fill([...documents(5), document("blank", "  "), document("empty", "")]);
      assert.deepEqual([result.sent, result.stored], [7, 5]);
      assert.deepEqual(result.missing, ["blank", "empty"]);
    });

    it("replaces documents without old chunks, odd ids included", async () => {
      const ids = ["1", "007", "it's", 'say "x"', "back\\slash", "héé-🏠", "plain"];
      await fill(ids.map((id) => document(id, `Old and much longer text of ${id}`)));
      const result = await fill(
        ids.map((id) => document(id, `New: ${id}`)),
        { existing: "replace" },
      );
      assert.deepEqual([result.end, result.stored], ["complete", ids.length]);
      assert.deepEqual(await contents(), ids.map((id) => `New: ${id}`).sort());
    });

    it("replaces a single document, for which 25.14.1 takes no list of ids", async () => {
      await fill([document("1", "Old and much longer text"), document("2")]);
      const result = await fill([document("1", "New")], { existing: "replace" });
      assert.deepEqual([result.end, result.missing], ["complete", []]);
      assert.deepEqual(await contents(), ["A note about 2.", "New"]);
    });

    it("knows whether ids were inserted as numbers, where 25.14.1 loses documents", async () => {
      const place = { project: "mindsdb", name };
      await fill([document("5")]);
      assert.equal(await hasNumericIds(connection.client, place), false);
      await admin.delete(`${path}/${name}`);
      await create();
      const rows = [1, 2].map((id) => ({ id, content: `Old text of the number ${String(id)}` }));
      await admin.put(`${path}/${name}`, { knowledge_base: { rows } });
      const other = { project: "mindsdb", name };
      if (version === "25.14.1") {
        assert.equal(await hasNumericIds(connection.client, other), true);
        return;
      }
      const result = await fill([document("1", "New")], { existing: "replace" });
      assert.deepEqual([result.end, result.missing], ["complete", []]);
      assert.deepEqual(await contents(), ["New", "Old text of the number 2"]);
    });

    it("sends a thousand documents in batches over connections that break", async () => {
      const wanted = documents(1_000);
      proxy.set({ on: put, cutAfter: 0, times: 2 }, { on: put, reset: true, times: 1 });
      const memory = createFillMemory();
      const cancel = new AbortController();
      const first = await fill(wanted, {
        memory,
        cancel: cancel.signal,
        onProgress: ({ done }) => {
          if (done >= 600) cancel.abort();
        },
      });
      assert.deepEqual([first.end, first.stored], ["cancelled", 600]);
      proxy.set();
      const resumed = await fill(wanted, { memory });
      assert.deepEqual([resumed.end, resumed.stored, resumed.missing], ["complete", 1_000, []]);
      const counted = await countContent(connection.client, "mindsdb", name);
      assert.deepEqual(counted, { chunks: 1_000, documents: 1_000 });
    });

    it("sends ids, contents and metadata under the names of the knowledge base", async () => {
      await admin.delete(`${path}/${name}`);
      await create({
        id_column: "order_id",
        content_columns: ["notes"],
        metadata_columns: ["city"],
      });
      const row = { city: "Rome", notes: "Late again", order_id: "7" };
      const result = await fill([{ id: "7", row, length: 40 }]);
      assert.deepEqual([result.end, result.stored], ["complete", 1]);
      const rows = await admin.sql(`SELECT id, chunk_content, city FROM mindsdb.${name}`);
      assert.deepEqual(rows, [["7", "Late again", "Rome"]]);
    });

    it("names a batch that the server refuses", async () => {
      await admin.delete(`${path}/${name}`);
      await create({ content_columns: ["notes"] });
      const result = await fill([document("1")]);
      assert.equal(result.missing.length, 1);
      assert.match(result.refused[0]?.reason ?? "", /notes/);
    });
  });
}
