// Access control of the sample server, and masking of API keys.
import assert from "node:assert/strict";
import http from "node:http";
import net from "node:net";
import os from "node:os";
import { maskKeys } from "../../../src/sample/server/maskKeys.ts";
import { startSampleServer } from "../../../src/sample/server/server.ts";
import { startTestServer } from "../../sampleServer/server.ts";
import type { SampleServer } from "../../../src/sample/server/server.ts";

const agents = "/api/projects/mindsdb/agents";
const key = "made-up-key-without-a-shape";

describe("access to the sample server", () => {
  let server: SampleServer;
  before(async () => {
    server = await startSampleServer({ stepDelay: 0 });
  });
  after(() => server.stop());

  function statusOf(
    headers: Record<string, string>,
    method = "GET",
    path = "/api/projects/",
  ): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const { port } = server;
      const request = http.request({ host: "127.0.0.1", port, method, path, headers });
      request.on("response", (response) => {
        response.resume();
        response.on("end", () => resolve(response.statusCode));
      });
      request.on("error", reject);
      request.end();
    });
  }

  it("requires its own address as Host", async () => {
    const port = String(server.port);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`]) {
      assert.equal(await statusOf({ host }), 200, host);
    }
    const strangers = [
      `rebound.example:${port}`,
      "rebound.example",
      "127.0.0.1",
      "127.0.0.1:1",
      `127.0.0.1:${port}.rebound.example`,
      `localhost.rebound.example:${port}`,
      `0.0.0.0:${port}`,
      `[::1]:${port}`,
    ];
    for (const host of strangers) {
      for (const path of ["/", "/api/status", "/api/projects/", `${agents}/rental_agent`]) {
        assert.equal(await statusOf({ host }, "GET", path), 421, `${host} ${path}`);
      }
    }
  });

  it("requires a Host header", async () => {
    const socket = net.connect(server.port, "127.0.0.1");
    socket.end("GET /api/status HTTP/1.0\r\n\r\n");
    let answer = "";
    for await (const chunk of socket) answer += String(chunk);
    assert.match(answer, /^HTTP\/1\.1 421 /);
  });

  it("is denied to other web pages", async () => {
    const host = `127.0.0.1:${server.port}`;
    const own = { host, origin: `http://${host}`, "sec-fetch-site": "same-origin" };
    assert.equal(await statusOf(own), 200);
    assert.equal(await statusOf({ host, "sec-fetch-site": "none" }), 200);
    const foreign: Record<string, string>[] = [
      { origin: "http://127.0.0.1:3000" },
      { origin: "https://example.org" },
      { origin: "null" },
      { origin: `https://${host}` },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ];
    for (const headers of foreign) {
      for (const method of ["GET", "POST", "DELETE", "OPTIONS"]) {
        const status = await statusOf({ host, ...headers }, method, `${agents}/rental_agent`);
        assert.equal(status, 403, `${method} ${JSON.stringify(headers)}`);
      }
    }
    assert.equal(await statusOf({ host }, "GET", `${agents}/rental_agent`), 200);
  });

  it("is limited to this machine", async () => {
    const others = Object.values(os.networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === "IPv4");
    for (const { address } of others) {
      const socket = net.connect({ port: server.port, host: address });
      const outcome = await new Promise((resolve) => {
        socket.once("connect", () => resolve("connected"));
        socket.once("error", () => resolve("refused"));
      });
      socket.destroy();
      assert.equal(outcome, "refused", address);
    }
  });
});

describe("keys in the sample server", () => {
  const model = {
    provider: "openai",
    model_name: "m",
    api_key: key,
    max_tokens_hint: "keep",
    extra: { client_secret: key, list: [{ "x-api-key": key }] },
    base_url: `https://ada:${key}@models.example/v1`,
  };

  for (const dialect of ["25", "26"] as const) {
    it(`are masked in every response of dialect ${dialect}`, async () => {
      const server = await startTestServer({ stepDelay: 0, dialect });
      const call = async (path: string, method = "GET", body?: unknown): Promise<string> => {
        const response = await fetch(server.url + path, {
          method,
          headers: { "content-type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        assert.ok(response.ok, `${method} ${path}: ${response.status}`);
        return response.text();
      };
      const params = dialect === "25" ? { params: { openai_api_key: key } } : {};
      const training = `CREATE MODEL mindsdb.keyed_model FROM files (SELECT * FROM home_rentals) PREDICT rental_price USING engine = 'sample', max_tokens_hint = 'keep', openai_api_key = '${key}'`;
      const made = { name: "keyed", data: { tables: ["files.*"] }, model, ...params };
      const answers = [
        await call(agents, "POST", { agent: made }),
        await call(`${agents}/keyed`, "PUT", { agent: { model, ...params } }),
        await call(`${agents}/keyed`),
        await call(agents),
        await call("/api/sql/query", "POST", { query: "SHOW AGENTS" }),
        await call("/api/sql/query", "POST", { query: training }),
        await call("/api/projects/mindsdb/models/keyed_model"),
        await call("/api/sql/query", "POST", { query: "SELECT * FROM mindsdb.models" }),
      ];
      await server.stop();
      for (const answer of answers) {
        assert.ok(!answer.includes(key), answer);
        assert.match(answer, /\*{6}/);
        assert.match(answer, /max_tokens_hint.{1,8}keep/);
      }
    });
  }

  it("are recognized by their field names", () => {
    const secret = [
      "api_key",
      "apiKey",
      "openai_api_key",
      "token",
      "password",
      "aws-secret",
      "key",
    ];
    for (const name of secret) assert.deepEqual(maskKeys({ [name]: "v" }), { [name]: "******" });
    const open = ["max_tokens", "keyword", "tokenizer", "monkey_name", "model_name", "mode"];
    for (const name of open) assert.deepEqual(maskKeys({ [name]: "v" }), { [name]: "v" });
    assert.deepEqual(maskKeys({ api_key: "", token: null }), { api_key: "", token: null });
    assert.deepEqual(maskKeys({ credentials: { user: "u", list: ["v"] } }), {
      credentials: { user: "******", list: ["******"] },
    });
  });
});
