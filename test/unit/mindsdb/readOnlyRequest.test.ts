import assert from "node:assert/strict";
import { apiPath } from "../../../src/mindsdb/http/client.ts";
import { isAppError } from "../../../src/mindsdb/errors.ts";
import { isReadRequest } from "../../../src/mindsdb/http/readOnlyRequest.ts";
import { parseRows } from "../../../src/predict/rows/readRows.ts";
import { writeRequestBody } from "../../../src/predict/run/requestBody.ts";
import { clientOver } from "../../clientOver.ts";
import { sendJson, useServer } from "./httpServer.ts";

const names = ["a", "..", "a/b", "predict", "completions", "sql", "ü"];

describe("a request that only reads", () => {
  it("is every GET, a prediction, a question to an agent, and a statement that reads", () => {
    assert.ok(isReadRequest("GET", "/api/projects/", undefined));
    assert.ok(isReadRequest("GET", apiPath`/api/projects/${"p"}/models/${"m"}/describe`, {}));
    for (const name of names) {
      for (const end of [
        "models/x/predict",
        "agents/x/completions",
        "agents/x/completions/stream",
      ]) {
        const path = apiPath`/api/projects/${name}/` + end.replace("x", encodeURIComponent(name));
        assert.ok(isReadRequest("POST", path, Buffer.from('{"data":[{"a":1}]}')), path);
      }
    }
    const query = "SELECT * FROM files.t WHERE a = :a";
    const params = { a: "DROP TABLE t" };
    assert.ok(isReadRequest("POST", "/api/sql/query", { query, params }));
    for (const [format, isRead] of [
      ["jsonlines", true],
      ["sse", false],
      [{}, false],
    ] as const) {
      const body = { query, response_format: format };
      assert.equal(isReadRequest("POST", "/api/sql/query", body), isRead);
    }
    // As after USE.
    assert.ok(isReadRequest("POST", "/api/sql/query", { query, params, context: { db: "files" } }));
  });

  it("is nothing else, however the path is written", () => {
    for (const method of ["PUT", "DELETE", "PATCH", "post", "HEAD"]) {
      assert.ok(!isReadRequest(method, "/api/projects/p/models/m/predict", {}), method);
    }
    const paths = [
      "/api/projects/p/agents",
      "/api/projects/p/agents/predict",
      "/api/projects/p/agents/a/predict",
      "/api/projects/p/models/m",
      "/api/projects/p/models/m/completions",
      "/api/projects/p/models/m/predict/",
      "/api/projects/p/models/m/predict/../..",
      "/api/projects/p/models//predict",
      "/api/projects//models/m/predict",
      "/api/projects/p/knowledge_bases/k/completions",
      "/api/databases/",
      "/api/files/models/m/predict",
      "/api/sql/query/",
      "//api/sql/query",
      "api/projects/p/models/m/predict",
      "",
    ];
    for (const path of paths) {
      assert.ok(!isReadRequest("POST", path, { query: "SELECT 1" }), path);
    }
  });

  it("is no prediction with options, among which the address can be that the server sends its key to", () => {
    const path = "/api/projects/p/models/m/predict";
    const params = { api_base: "http://stranger.example/v1" };
    const [row] = parseRows(Buffer.from('[{"a": [{"data": []}]}]'));
    const write = (options?: string) => writeRequestBody([row!], options).body;
    assert.ok(isReadRequest("POST", path, write()));
    assert.ok(isReadRequest("POST", path, { data: [] }));
    for (const body of [
      write(JSON.stringify(params)),
      write('{"n":[1]}'),
      write("{}"),
      { data: [], params },
      Buffer.from('{"params":{},"data":[]}'),
      Buffer.from('[{"a":1}]'),
      undefined,
    ]) {
      assert.ok(!isReadRequest("POST", path, body), JSON.stringify(body));
    }
  });

  it("is no statement with another context, which can make the server run it as a native query", () => {
    const query = "SELECT 1";
    for (const more of [
      { context: { native_query: true } },
      { context: { db: "files", native_query: true } },
      { context: { db: ["files"] } },
      { context: {} },
      { context: null },
      { other: 1 },
    ]) {
      assert.ok(!isReadRequest("POST", "/api/sql/query", { query, ...more }));
    }
    for (const body of [undefined, null, [], "SELECT 1", { query: ["SELECT 1"] }, {}]) {
      assert.ok(!isReadRequest("POST", "/api/sql/query", body));
    }
  });
});

describe("the client of a read-only connection", () => {
  const used = useServer((_, response) => sendJson(response, 200, { type: "ok" }));

  it("sends no change, by any of its methods, and does as soon as it may", async () => {
    let isReadOnly = true;
    const client = clientOver(used.transport, { isReadOnly: () => isReadOnly });
    const path = "/api/projects/p/agents";
    const changes = [
      () => client.post(path, {}),
      () => client.put(`${path}/a`, {}),
      () => client.delete(`${path}/a`),
      () => client.postBytes(path, Buffer.from("{}")),
      () => client.stream(path, {}),
      () => client.post("/api/sql/query", { query: "DROP TABLE files.t" }),
      // The bytes of a statement are not read.
      () =>
        client.postBytes("/api/sql/query", Buffer.from('{"query":"SELECT 1"}'), {
          cost: "byAction",
        }),
    ];
    for (const change of changes) {
      await assert.rejects(change(), (error) => isAppError(error, "readOnly"));
    }
    assert.deepEqual(used.server.seen, []);
    await client.get(path);
    await client.post("/api/sql/query", { query: "SELECT 1" });
    assert.equal(used.server.seen.length, 2);
    isReadOnly = false;
    for (const change of changes) await change();
    assert.equal(used.server.seen.length, 2 + changes.length);
  });
});
