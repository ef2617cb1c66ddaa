// The documents of a knowledge base on a server that takes ids of one type only, as 25.14.1 does.
import assert from "node:assert/strict";
import { isAppError } from "../../../src/mindsdb/errors.ts";
import { deleteDocument, readDocuments } from "../../../src/mindsdb/knowledgeBaseDocuments.ts";
import { sendJson, useServer } from "./httpServer.ts";

const place = { project: "mindsdb", name: "docs" };

interface StoredChunk {
  id: string | number;
  content: string;
  column?: string;
  start?: number;
}

describe("the documents of a knowledge base", () => {
  let stored: StoredChunk[] = [];
  let isDeleted = true;

  const used = useServer(({ body }, response) => {
    const { query, params } = JSON.parse(body) as { query: string; params: object };
    const ids = Object.values(params) as unknown[];
    if (query.startsWith("DELETE")) {
      if (isDeleted) stored = stored.filter(({ id }) => !ids.includes(id));
      sendJson(response, 200, { type: "ok" });
      return;
    }
    const rows = stored.filter(({ id }) => ids.includes(id));
    const data = rows.map(({ id, content, column, start }) => [
      id,
      content,
      { _content_column: column, _start_char: start },
    ]);
    const columns = ["id", "chunk_content", "metadata"];
    sendJson(response, 200, { type: "table", column_names: columns, data });
  });
  beforeEach(() => {
    stored = [];
    isDeleted = true;
  });
  const read = async (...ids: string[]) => {
    const found = await readDocuments(used.client, place, ids, 100);
    return Object.fromEntries(
      [...found].map(([id, chunks]) => [id, chunks.map(({ content }) => content)]),
    );
  };
  const remove = (id: string) => deleteDocument(used.client, place, id);
  const requests = () => used.server.seen.length;

  it("have their chunks in the order of the text, one content column after the other", async () => {
    stored = [
      { id: "a", content: "b2", column: "b", start: 100 },
      { id: "a", content: "b1", column: "b", start: 20 },
      { id: "other", content: "x" },
      { id: "a", content: "a2", column: "a", start: 3 },
      { id: "a", content: "a1", column: "a" },
    ];
    assert.deepEqual(await read("a", "other", "gone"), {
      a: ["a1", "a2", "b1", "b2"],
      other: ["x"],
    });
  });

  it("are found by numbers where the server has numbers, and asked for once otherwise", async () => {
    stored = [
      { id: "5", content: "text" },
      { id: 7, content: "number" },
    ];
    assert.deepEqual(await read("5", "7"), { 5: ["text"], 7: ["number"] });
    const params = used.server.seen.map(
      ({ body }) => (JSON.parse(body) as { params: object }).params,
    );
    assert.deepEqual(params, [{ id_0: "5", id_1: "7" }, { id_0: 7 }]);
    await read("5", "gone");
    assert.equal(requests(), 3);
  });

  it("are deleted by a number where the text deletes nothing", async () => {
    stored = [{ id: 7, content: "number" }];
    await remove("7");
    assert.deepEqual(stored, []);
  });

  it("are not deleted by a number that is written in another way", async () => {
    const others = [
      { id: 7, content: "number" },
      { id: 0, content: "zero" },
    ];
    for (const id of ["007", "7.0", " 7", "0x7", "7e0", "", "Infinity"]) {
      stored = others;
      await remove(id);
      assert.deepEqual(stored, others, id);
    }
  });

  it("are reported as still there if the server deletes none, although it says so", async () => {
    isDeleted = false;
    for (const id of ["7", 7]) {
      stored = [{ id, content: "" }];
      await assert.rejects(remove("7"), (error) => isAppError(error, "refused"));
    }
  });
});
