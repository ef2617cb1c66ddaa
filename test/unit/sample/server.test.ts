// The sample server from start to stop: sign-in, changes, streams and errors.
import assert from "node:assert/strict";
import http from "node:http";
import { startTestServer } from "../../sampleServer/server.ts";
import type { SampleServer } from "../../../src/sample/server/server.ts";
import type { TestServerOptions } from "../../sampleServer/server.ts";

const login = { username: "demo", password: "made-up" };
const json = { "content-type": "application/json" };

interface Got {
  status: number;
  headers: Headers;
  body: unknown;
}

describe("sample server", () => {
  const running: SampleServer[] = [];

  async function start(options: TestServerOptions = {}): Promise<SampleServer> {
    const server = await startTestServer({ stepDelay: 0, ...options });
    running.push(server);
    return server;
  }

  afterEach(async () => {
    for (const server of running.splice(0)) await server.stop();
  });

  async function call(server: SampleServer, target: string, init: RequestInit = {}): Promise<Got> {
    const response = await fetch(server.url + target, init);
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") === true && text !== "";
    const body = isJson ? (JSON.parse(text) as unknown) : text;
    return { status: response.status, headers: response.headers, body };
  }

  function post(
    server: SampleServer,
    target: string,
    body: unknown,
    method = "POST",
  ): Promise<Got> {
    return call(server, target, { method, headers: json, body: JSON.stringify(body) });
  }

  describe("signing in", () => {
    const statusOf = async (server: SampleServer, headers: Record<string, string>) =>
      (await call(server, "/api/projects/", { headers })).status;

    for (const [mode, hasToken, hasCookie] of [
      ["session_or_token", true, true],
      ["session", false, true],
      ["token", true, false],
    ] as const) {
      it(`returns and accepts what mode ${mode} has, and nothing else`, async () => {
        const server = await start({ login: { ...login, mode } });
        const { body, headers } = await post(server, "/api/login", login);
        const { token = "pat_made-up" } = body as { token?: string };
        assert.deepEqual(Object.keys(body as object), hasToken ? ["token"] : []);
        if (hasToken) assert.match(token, /^pat_[\w-]{43}$/);
        const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
        assert.match(cookie, hasCookie ? /^session=./ : /^$/);
        const authorization = `Bearer ${token}`;
        assert.equal(await statusOf(server, { authorization }), hasToken ? 200 : 401);
        assert.equal(await statusOf(server, { cookie }), hasCookie ? 200 : 401);
        assert.equal(await statusOf(server, {}), 401);
      });
    }

    it("returns the fixed token, which is also valid before a login", async () => {
      const server = await start({ login, token: "fixed-made-up" });
      assert.equal(await statusOf(server, { authorization: "Bearer fixed-made-up" }), 200);
      const { body } = await post(server, "/api/login", login);
      assert.deepEqual(body, { token: "fixed-made-up" });
    });

    it("revokes the token but not the cookie at sign-out", async () => {
      const server = await start({ login });
      const { body, headers } = await post(server, "/api/login", login);
      const authorization = `Bearer ${(body as { token: string }).token}`;
      const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
      const out = await call(server, "/api/logout", { method: "POST", headers: { authorization } });
      assert.deepEqual([out.status, out.body], [200, ""]);
      assert.equal(await statusOf(server, { authorization }), 401);
      assert.equal(await statusOf(server, { cookie }), 200);
    });

    it("forgets its tokens after a restart on the same port", async () => {
      const first = await start({ login });
      const { body } = await post(first, "/api/login", login);
      const authorization = `Bearer ${(body as { token: string }).token}`;
      await first.stop();
      const second = await start({ login, port: first.port });
      assert.equal(second.port, first.port);
      assert.equal(await statusOf(second, { authorization }), 401);
    });

    it("needs no credentials without a login, and rejects every sign-in", async () => {
      const server = await start();
      assert.equal(await statusOf(server, { authorization: "Bearer bogus" }), 200);
      assert.equal((await post(server, "/api/login", login)).status, 401);
      const { body } = await call(server, "/api/status");
      assert.deepEqual((body as { auth: unknown }).auth, {
        confirmed: true,
        http_auth_enabled: false,
        provider: "disabled",
      });
    });
  });

  it("reports the version that it imitates", async () => {
    for (const [dialect, version] of [
      ["25", "25.14.1"],
      ["26", "26.1.0"],
    ] as const) {
      const { body } = await call(await start({ dialect }), "/api/status");
      assert.equal((body as { mindsdb_version: string }).mindsdb_version, version);
    }
  });

  it("rejects if its port is in use", async () => {
    const { port } = await start();
    await assert.rejects(startTestServer({ port }), { code: "EADDRINUSE" });
  });

  it("removes what an update of an agent sets to null in its params", async () => {
    const server = await start();
    const agents = "/api/projects/mindsdb/agents";
    await post(server, agents, { agent: { name: "mine", prompt_template: "Be short." } });
    const cleared = { agent: { params: { prompt_template: null } } };
    const { body } = await post(server, `${agents}/mine`, cleared, "PUT");
    assert.equal("prompt_template" in (body as object), false);
  });

  it("deletes an agent by a statement", async () => {
    const server = await start();
    const drop = async () => {
      const query = "DROP AGENT mindsdb.rental_agent";
      const { body } = await post(server, "/api/sql/query", { query });
      return body as { type: string; error_message?: string };
    };
    assert.equal((await drop()).type, "ok");
    const { status } = await call(server, "/api/projects/mindsdb/agents/rental_agent");
    assert.equal(status, 404);
    assert.match((await drop()).error_message ?? "", /does not exist: rental_agent/);
  });

  it("starts without changes from earlier runs", async () => {
    const first = await start();
    await call(first, "/api/projects/mindsdb/agents/rental_agent", { method: "DELETE" });
    const { status } = await call(await start(), "/api/projects/mindsdb/agents/rental_agent");
    assert.equal(status, 200);
  });

  it("lists a new project", async () => {
    const server = await start();
    await post(server, "/api/sql/query", { query: "CREATE PROJECT My_Project" });
    const { body } = await call(server, "/api/projects/");
    assert.deepEqual(body, [{ name: "mindsdb" }, { name: "support" }, { name: "my_project" }]);
    const databases = (await call(server, "/api/databases/")).body as Record<string, unknown>[];
    const kept = databases.filter((row) => row["type"] === "project" && row["deletable"] === false);
    assert.deepEqual(
      kept.map((row) => row["name"]),
      ["mindsdb"],
    );
  });

  it("shows a model once in the tree and each of its versions in the list", async () => {
    const server = await start();
    const tree = (await call(server, "/api/tree/mindsdb")).body as { name: string; type: string }[];
    const list = (await call(server, "/api/projects/mindsdb/models")).body as Record<
      string,
      unknown
    >[];
    assert.equal(tree.filter(({ name }) => name === "home_rentals_model").length, 1);
    const versions = list.filter((model) => model["name"] === "home_rentals_model");
    assert.deepEqual(
      versions.map((model) => [model["version"], model["active"]]),
      [
        [1, false],
        [2, true],
      ],
    );
    const statuses = list.map((model) => model["status"]);
    assert.deepEqual(statuses, ["complete", "complete", "complete", "error", "training"]);
  });

  it("predicts rows with unusual column names, and keeps their order", async () => {
    const server = await start();
    const rows = Array.from(
      { length: 300 },
      (_, i) => `{"sqft":${i},"__proto__":"x","constructor":${i}}`,
    );
    const response = await fetch(
      `${server.url}/api/projects/mindsdb/models/home_rentals_model/predict`,
      {
        method: "POST",
        headers: json,
        body: `{"data":[${rows.join(",")}]}`,
      },
    );
    const text = await response.text();
    assert.ok(text.startsWith('[{"sqft":0,"__proto__":"x","constructor":0,"rental_price":'));
    const answered = JSON.parse(text) as { sqft: number }[];
    assert.deepEqual(
      answered.map((row) => row.sqft),
      rows.map((_, i) => i),
    );
  });

  it("rejects text in a numeric input in dialect 26, and accepts it in dialect 25", async () => {
    const target = "/api/projects/mindsdb/models/home_rentals_model/predict";
    const poisoned = { data: [{ sqft: 700 }, { sqft: "seven hundred" }] };
    const refused = await post(await start({ dialect: "26" }), target, poisoned);
    assert.equal(refused.status, 500);
    const { detail } = refused.body as { detail: string };
    assert.match(detail, /could not convert string to float: 'seven hundred'\nTraceback/);
    assert.equal((await post(await start({ dialect: "25" }), target, poisoned)).status, 200);
  });

  it("sends the events of a stream one by one, with the given delay", async () => {
    const server = await start({ stepDelay: 20 });
    const url = `${server.url}/api/projects/mindsdb/agents/rental_agent/completions/stream`;
    const chunks = await new Promise<string[]>((resolve) => {
      const body = JSON.stringify({ messages: [{ question: "May I keep a dog?", answer: "" }] });
      const headers = { ...json, "content-length": Buffer.byteLength(body) };
      const request = http.request(url, { method: "POST", headers }, (response) => {
        const parts: string[] = [];
        response.setEncoding("utf8");
        response.on("data", (part: string) => parts.push(part));
        response.on("end", () => resolve(parts));
      });
      request.end(body);
    });
    const events = chunks.join("").split("\n\n").length - 1;
    assert.ok(chunks.length >= 6, `${chunks.length} chunks for ${events} events`);
  });

  it("stops even if a stream is open", async () => {
    const server = await start({ stepDelay: 60_000 });
    const stop = new AbortController();
    const response = await fetch(
      `${server.url}/api/projects/mindsdb/agents/rental_agent/completions/stream`,
      {
        method: "POST",
        headers: json,
        body: JSON.stringify({ messages: [{ question: "Hi", answer: "" }] }),
        signal: stop.signal,
      },
    );
    const reading = assert.rejects(response.text());
    await server.stop();
    await reading;
  });
});
