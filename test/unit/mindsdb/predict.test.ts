import assert from "node:assert/strict";
import { once } from "node:events";
import { describeModel } from "../../../src/mindsdb/describeModel.ts";
import { isAppError, isCancelled, type AppErrorKind } from "../../../src/mindsdb/errors.ts";
import { modelColumns, predict } from "../../../src/mindsdb/predict.ts";
import { createTransport } from "../../../src/mindsdb/http/transport.ts";
import { clientOver } from "../../clientOver.ts";
import { listen, sendJson, type TestServer } from "./httpServer.ts";

const model = { project: "a b", name: "m.x" };
const body = Buffer.from('{"data":[{"ä":9007199254740993,"b":-0}]}');

const isKind = (kind: AppErrorKind) => (error: unknown) => isAppError(error, kind);

describe("predicting", () => {
  let server: TestServer;
  const client = () => clientOver(createTransport(server.address));
  afterEach(() => server.close());

  it("sends and returns bytes, for a model or one of its versions", async () => {
    const answer = ' [{"ä":9007199254740993,"b":-0,"p":1e400}]\n';
    server = await listen((_, response) => response.end(answer));
    assert.equal((await predict(client(), model, body)).toString(), answer);
    await predict(client(), { ...model, version: 3 }, body);
    assert.deepEqual(
      server.seen.map(({ path }) => path),
      ["m.x", "m.x.3"].map((name) => `/api/projects/a%20b/models/${name}/predict`),
    );
    const [{ method, headers, body: sent }] = server.seen as [TestServer["seen"][0]];
    assert.equal(method, "POST");
    assert.equal(sent, body.toString());
    assert.equal(headers["content-type"], "application/json");
    assert.equal(headers["content-length"], String(body.length));
  });

  it("fails if a model does not answer or if its response stalls", async () => {
    server = await listen((request, response) => {
      if (request.path.includes("half")) response.write('[{"a":');
    });
    for (const name of ["silent", "half"]) {
      const slow = predict(client(), { project: "p", name }, body, { timeLimitMs: 50 });
      await assert.rejects(slow, isKind("timeout"));
    }
  });

  it("stops immediately when aborted", async () => {
    let closed: Promise<unknown> | undefined;
    server = await listen((_, response) => {
      closed = once(response, "close");
    });
    const stop = new AbortController();
    const work = predict(client(), model, body, { signal: stop.signal });
    while (!closed) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    await assert.rejects(work, isCancelled);
    await closed;
  });

  it("reports a web page and a redirect", async () => {
    server = await listen((request, response) => {
      if (request.path.includes("page")) response.end("\n<!doctype html><p>Sign in</p>");
      else response.writeHead(302, { location: "/login" }).end();
    });
    for (const name of ["page", "redirect"]) {
      await assert.rejects(predict(client(), { project: "p", name }, body), isKind("notMindsDB"));
    }
  });

  const features = [
    { column: "sqft", type: "integer", encoder: "NumericEncoder", role: "feature" },
    { column: "location", type: "categorical", role: "feature" },
    { odd: true },
    { column: "rental_price", type: "float", role: "target" },
  ];
  const info = [{ inputs: ["sqft", "location"], outputs: ["rental_price"], accuracies: { r2: 1 } }];
  const inputs = [{ name: "sqft" }, { name: "location" }];
  const cases: [title: string, answers: Record<string, unknown>, columns: unknown][] = [
    [
      "features, with their types",
      {
        summary: [{ TABLES: ["info", "features"], SELECT_DATA_QUERY: "SELECT * FROM t" }],
        features,
      },
      {
        query: "SELECT * FROM t",
        inputs: [
          { name: "sqft", type: "integer" },
          { name: "location", type: "categorical" },
        ],
        target: { name: "rental_price", type: "float" },
      },
    ],
    [
      "info, where features fail",
      {
        summary: [{ TABLES: ["features", "info"] }],
        features: [{ error: "NotImplementedError" }],
        info,
      },
      { inputs, target: { name: "rental_price" } },
    ],
    [
      "the summary, where the engine describes nothing",
      { summary: [{ TABLES: null, PREDICT: "rental_price", SELECT_DATA_QUERY: null }] },
      { target: { name: "rental_price" } },
    ],
    ["nothing, where the summary is empty", { summary: [] }, {}],
    ["nothing, where info fails", { summary: [{ TABLES: ["info"] }], info: [{ error: "x" }] }, {}],
  ];
  for (const [title, answers, columns] of cases) {
    it(`reads a model's columns from ${title}`, async () => {
      server = await listen((request, response) => {
        const { attribute = "summary" } = JSON.parse(request.body) as { attribute?: string };
        sendJson(response, 200, answers[attribute]);
      });
      const connection = client();
      const ask = (attribute?: string) => describeModel(connection, model, attribute);
      assert.deepEqual(await modelColumns(ask), columns);
    });
  }
});
