// Knowledge bases of the sample server can be created, filled, emptied and deleted, as on real servers.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { startTestServer } from "../../sampleServer/server.ts";
import { SampleClient } from "./client.ts";

const list = "/api/projects/mindsdb/knowledge_bases";
/** The fields of the answers that are checked. */
type Answer = Record<string, unknown> & { embedding_model: { api_key: string } };

const model = { provider: "openai", model_name: "m", api_key: "sk-1" };

describe("knowledge bases of the sample server", () => {
  let client: SampleClient;
  beforeEach(async () => {
    client = new SampleClient(startTestServer);
    await client.start();
  });
  afterEach(() => client.stop());

  const call = async (method: string, target: string, body?: unknown) =>
    (await client.send(method, target, body)) as { status: number; body: Answer };
  const create = (more: object = {}) =>
    call("POST", list, { knowledge_base: { name: "notes", embedding_model: model, ...more } });
  const put = (rows: unknown) => call("PUT", `${list}/notes`, { knowledge_base: { rows } });
  const rows = async (query: string) => (await client.sql(query)).rows;
  const contents = () => rows("SELECT id, chunk_content FROM mindsdb.notes ORDER BY id");

  it("are created without the key, filled, searched and deleted", async () => {
    const made = await create();
    assert.equal(made.status, 201);
    assert.equal(made.body.embedding_model.api_key, "******");
    assert.equal((await create()).status, 409);

    assert.deepEqual<unknown>(
      await put([
        { id: "1", content: "The boiler", room: "cellar" },
        { id: 2, content: "The oven", room: null },
        { id: "1", content: "again" },
        { id: "3", content: "  " },
        { id: "4" },
      ]),
      { status: 200, body: "" },
    );
    assert.deepEqual(await contents(), [
      ["1", "The boiler"],
      ["2", "The oven"],
    ]);
    assert.deepEqual(await rows("SELECT DISTINCT id FROM mindsdb.notes"), [["1"], ["2"]]);
    assert.deepEqual(
      await rows("SELECT id, room FROM mindsdb.notes WHERE content = 'boiler' LIMIT 1"),
      [["1", "cellar"]],
    );

    const params = { a: "1", b: "9" };
    const query = "DELETE FROM mindsdb.notes WHERE id IN (:a, :b)";
    assert.equal((await client.sql(query, { params })).error, "");
    assert.deepEqual(await contents(), [["2", "The oven"]]);
    assert.equal((await call("DELETE", `${list}/notes`)).status, 204);
    assert.equal((await call("DELETE", `${list}/notes`)).status, 404);
  });

  it("replace a document with the same id on 26.x, and keep its old chunk on 25.x", async () => {
    for (const [dialect, expected] of [
      ["26", [["1", "longer text"]]],
      [
        "25",
        [
          ["1", "text"],
          ["1", "longer text"],
        ],
      ],
    ] as const) {
      await client.stop();
      client = new SampleClient((options) => startTestServer({ ...options, dialect }));
      await client.start();
      await create();
      await put([{ id: "1", content: "text" }]);
      await put([{ id: "1", content: "longer text" }]);
      assert.deepEqual(await contents(), expected, dialect);
    }
  });

  it("use their own columns", async () => {
    await create({ id_column: "order", content_columns: ["note"], metadata_columns: ["city"] });
    await put([{ order: 7, note: "Late", city: "Rome", other: 1 }]);
    assert.deepEqual(await rows("SELECT id, chunk_content, city FROM mindsdb.notes"), [
      ["7", "Late", "Rome"],
    ]);
    const refused = await put([{ order: 8, content: "Late" }]);
    assert.equal(refused.status, 400);
    assert.equal(refused.body["title"], "Preprocessing Error");
  });

  it("refuse what real servers refuse", async () => {
    assert.equal((await create({ embedding_model: {} })).status, 400);
    assert.equal((await create({ embedding_model: { provider: "nobody" } })).status, 400);
    assert.equal((await create({ embedding_model: { ...model, api_key: "bad" } })).status, 500);
    await create();
    assert.deepEqual<unknown>(await put([]), { status: 200, body: "" });
    for (const rows of ["abc", [1, 2], { id: "1" }]) assert.equal((await put(rows)).status, 400);
    assert.equal((await call("PUT", `${list}/notes`, {})).status, 400);
    const other = { knowledge_base: { rows: [] } };
    assert.equal((await call("PUT", `${list}/nothing`, other)).status, 404);
  });

  it("are there after a restart, and as before after a reset", async () => {
    await create();
    await put([{ id: "1", content: "Kept", page: 3 }]);
    assert.equal((await client.sql("DROP KNOWLEDGE_BASE mindsdb.rental_guide")).error, "");
    await client.restart();
    assert.deepEqual(await rows("SELECT id, chunk_content, page FROM mindsdb.notes"), [
      ["1", "Kept", 3],
    ]);
    const names = async () => {
      const { body } = await call("GET", list);
      return (body as unknown as { name: string }[]).map(({ name }) => name);
    };
    assert.deepEqual(await names(), ["notes"]);
    fs.rmSync(path.join(client.folder, "changes.json"));
    assert.deepEqual(await names(), ["rental_guide"]);
  });

  it("take thousands of rows in batches", async () => {
    await create();
    for (let batch = 0; batch < 10; batch++) {
      await put(
        Array.from({ length: 500 }, (_, at) => ({ id: `${batch}-${at}`, content: `Note ${at}` })),
      );
    }
    assert.deepEqual(await rows("SELECT count(DISTINCT id) FROM mindsdb.notes"), [[5_000]]);
  });
});
