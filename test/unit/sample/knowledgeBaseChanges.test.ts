// Knowledge bases of the sample server can be created, filled, emptied and deleted, as on real servers.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { startTestServer, type TestServerOptions } from "../../sampleServer/server.ts";
import type { SampleServer } from "../../../src/sample/server/server.ts";

const list = "/api/projects/mindsdb/knowledge_bases";
/** The fields of the answers that are checked. */
type Answer = Record<string, unknown> & { embedding_model: { api_key: string } };

const model = { provider: "openai", model_name: "m", api_key: "sk-1" };

describe("knowledge bases of the sample server", () => {
  let folder: string;
  const running: SampleServer[] = [];
  let server: SampleServer;

  async function start(options: TestServerOptions = {}): Promise<void> {
    server = await startTestServer({
      stepDelay: 0,
      changesFile: path.join(folder, "changes.json"),
      ...options,
    });
    running.push(server);
  }

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "sample-knowledge-bases-"));
  });
  afterEach(async () => {
    for (const one of running.splice(0)) await one.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  async function call(method: string, target: string, body?: unknown) {
    const given =
      body === undefined
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(server.url + target, { method, ...given });
    const text = await response.text();
    const answer = text === "" ? undefined : (JSON.parse(text) as unknown);
    return { status: response.status, body: answer as Answer };
  }
  const create = (more: object = {}) =>
    call("POST", list, { knowledge_base: { name: "notes", embedding_model: model, ...more } });
  const put = (rows: unknown) => call("PUT", `${list}/notes`, { knowledge_base: { rows } });
  async function sql(query: string, params = {}) {
    const { body } = await call("POST", "/api/sql/query", { query, params });
    return body["type"] === "table" ? body["data"] : (body["error_message"] ?? "ok");
  }
  const contents = () => sql("SELECT id, chunk_content FROM mindsdb.notes ORDER BY id");

  it("are created without the key, filled, searched and deleted", async () => {
    await start();
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
    assert.deepEqual(await sql("SELECT DISTINCT id FROM mindsdb.notes"), [["1"], ["2"]]);
    assert.deepEqual(
      await sql("SELECT id, room FROM mindsdb.notes WHERE content = 'boiler' LIMIT 1"),
      [["1", "cellar"]],
    );

    assert.equal(
      await sql("DELETE FROM mindsdb.notes WHERE id IN (:a, :b)", { a: "1", b: "9" }),
      "ok",
    );
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
      await start({ dialect, changesFile: path.join(folder, dialect) });
      await create();
      await put([{ id: "1", content: "text" }]);
      await put([{ id: "1", content: "longer text" }]);
      assert.deepEqual(await contents(), expected, dialect);
    }
  });

  it("use their own columns", async () => {
    await start();
    await create({ id_column: "order", content_columns: ["note"], metadata_columns: ["city"] });
    await put([{ order: 7, note: "Late", city: "Rome", other: 1 }]);
    assert.deepEqual(await sql("SELECT id, chunk_content, city FROM mindsdb.notes"), [
      ["7", "Late", "Rome"],
    ]);
    const refused = await put([{ order: 8, content: "Late" }]);
    assert.equal(refused.status, 400);
    assert.equal(refused.body["title"], "Preprocessing Error");
  });

  it("refuse what real servers refuse", async () => {
    await start();
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
    await start();
    await create();
    await put([{ id: "1", content: "Kept", page: 3 }]);
    assert.equal(await sql("DROP KNOWLEDGE_BASE mindsdb.rental_guide"), "ok");
    await start();
    assert.deepEqual(await sql("SELECT id, chunk_content, page FROM mindsdb.notes"), [
      ["1", "Kept", 3],
    ]);
    const names = async () => {
      const { body } = await call("GET", list);
      return (body as unknown as { name: string }[]).map(({ name }) => name);
    };
    assert.deepEqual(await names(), ["notes"]);
    fs.rmSync(path.join(folder, "changes.json"));
    assert.deepEqual(await names(), ["rental_guide"]);
  });

  it("take thousands of rows in batches", async () => {
    await start();
    await create();
    for (let batch = 0; batch < 10; batch++) {
      await put(
        Array.from({ length: 500 }, (_, at) => ({ id: `${batch}-${at}`, content: `Note ${at}` })),
      );
    }
    assert.deepEqual(await sql("SELECT count(DISTINCT id) FROM mindsdb.notes"), [[5_000]]);
  });
});
