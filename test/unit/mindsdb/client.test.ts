import assert from "node:assert/strict";
import { once } from "node:events";
import { apiPath, Client } from "../../../src/mindsdb/http/client.ts";
import { AppError, isAppError, type AppErrorKind } from "../../../src/mindsdb/errors.ts";
import { getStatus } from "../../../src/mindsdb/http/login.ts";
import { Secrets } from "../../../src/mindsdb/redact/redact.ts";
import {
  Session,
  type Credential,
  type CredentialKeeper,
} from "../../../src/mindsdb/http/session.ts";
import { createTransport } from "../../../src/mindsdb/http/transport.ts";
import { listen, sendJson, type TestServer } from "./httpServer.ts";

const nobody: CredentialKeeper = {
  current: () => Promise.resolve(undefined),
  renew: () => Promise.resolve(undefined),
};

function clientFor(server: TestServer, keeper = nobody): Client {
  return new Client(new Session(createTransport(server.address), keeper), new Secrets());
}

const isKind = (kind: AppErrorKind) => (error: unknown) => isAppError(error, kind);

describe("client", () => {
  let server: TestServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  it("has no path for an empty name, which would be that of a list", () => {
    assert.throws(() => apiPath`/api/tree/${""}?all_schemas=true`, isKind("refused"));
  });

  it("encodes names in paths, including dots and slashes, and keeps the path separators", async () => {
    server = await listen((_, response) => sendJson(response, 200, []));
    const client = clientFor(server);
    for (const name of ["..", "a/b", "ä ö", "100%", "x?y#z", "a.3", "half \ud83d", "😀"]) {
      await client.get(apiPath`/api/projects/${name}/agents`);
    }
    assert.deepEqual(
      server.seen.map(({ path }) => path),
      [
        "..",
        "a%2Fb",
        "%C3%A4%20%C3%B6",
        "100%25",
        "x%3Fy%23z",
        "a.3",
        "half%20%EF%BF%BD",
        "%F0%9F%98%80",
      ].map((name) => `/api/projects/${name}/agents`),
    );
  });

  it("reports that a name cannot be sent if a server reads it as a path", async () => {
    server = await listen((_, response) =>
      sendJson(response, 404, { title: "Not found", detail: "No such endpoint" }),
    );
    const client = clientFor(server);
    for (const name of ["a/b", "a\nb"]) {
      const path = apiPath`/api/projects/p/agents/${name}`;
      for (const call of [
        () => client.get(path),
        () => client.delete(path),
        () => client.postBytes(`${path}/predict`, new Uint8Array(), { cost: "byAction" }),
        () => client.stream(`${path}/completions/stream`, {}, { cost: "byAction" }),
      ]) {
        await assert.rejects(call, /a slash or a line break in the name\. Use SQL instead\.$/);
      }
    }
    await assert.rejects(client.get(apiPath`/api/projects/p/agents/${"a b"}`), /No such endpoint/);
  });

  it("sends a GET with a JSON body and its length, never chunked", async () => {
    server = await listen((_, response) => sendJson(response, 200, [{}]));
    await clientFor(server).get("/api/projects/p/models/m/describe", { body: { attribute: "ä" } });
    const { method, headers, body } = server.seen[0]!;
    assert.equal(method, "GET");
    assert.equal(body, `{"attribute":"ä"}`);
    assert.equal(headers["content-length"], String(Buffer.byteLength(body)));
    assert.equal(headers["transfer-encoding"], undefined);
    assert.match(headers["content-type"]!, /^application\/json/);
  });

  it("keeps a path prefix in front of /api", async () => {
    server = await listen((_, response) => sendJson(response, 200, []));
    server.address = { ...server.address, prefix: "/a/b" };
    await clientFor(server).get("/api/projects/");
    assert.equal(server.seen[0]!.path, "/a/b/api/projects/");
  });

  it("redacts error details", async () => {
    server = await listen((_, response) =>
      sendJson(response, 404, {
        title: "Resource not found",
        detail: `The model "{'provider': 'x', 'api_key': 'canary-77'}" does not exist`,
      }),
    );
    await assert.rejects(clientFor(server).post("/api/projects/p/agents", {}), (error) => {
      assert.ok(error instanceof AppError);
      assert.ok(!`${error.message}${error.detail}`.includes("canary-77"));
      return true;
    });
  });

  for (const [how, start] of [
    ["without an answer", undefined],
    ["if a response stalls", "[1,"],
  ] as const) {
    it(`fails after its time limit ${how}`, async () => {
      server = await listen((_, response) => {
        if (start) response.writeHead(200, { "content-type": "application/json" }).write(start);
      });
      const asked = clientFor(server).get("/api/projects/", { timeoutMs: 100 });
      await assert.rejects(asked, isKind("timeout"));
    });
  }

  it("reports only the host of a redirect's target", async () => {
    server = await listen((request, response) => {
      const location = `https://mindsdb.example.com${request.path}?state=1`;
      response.writeHead(301, { location }).end("<html>Moved</html>");
    });
    for (const asked of [
      () => clientFor(server!).get("/api/projects/"),
      () => clientFor(server!).stream("/api/projects/", {}),
      () => getStatus(createTransport(server!.address)),
    ]) {
      await assert.rejects(asked(), (error: AppError) => {
        assert.equal(error.kind, "notMindsDB");
        assert.equal(error.message, "The server redirects to https://mindsdb.example.com.");
        return true;
      });
    }
  });

  it("recognizes a server by a status with null fields", async () => {
    const bodies = [
      { mindsdb_version: "26.1.0", environment: null, auth: null },
      { mindsdb_version: "26.1.0", auth: { http_auth_enabled: true, confirmed: null } },
    ];
    server = await listen((_, response) => sendJson(response, 200, bodies.shift()));
    const transport = createTransport(server.address);
    assert.equal((await getStatus(transport)).authEnabled, false);
    assert.equal((await getStatus(transport)).authEnabled, true);
  });

  it("repeats a GET once if the connection was closed", async () => {
    let requests = 0;
    server = await listen((_, response) => {
      requests++;
      if (requests === 1) response.destroy();
      else sendJson(response, 200, ["there"]);
    });
    assert.deepEqual(await clientFor(server).get("/api/projects/"), ["there"]);
  });

  it("never repeats a POST without a response", async () => {
    server = await listen((_, response) => response.destroy());
    await assert.rejects(
      clientFor(server).post("/api/sql/query", {}, { cost: "byAction" }),
      isKind("cutOff"),
    );
    assert.equal(server.seen.length, 1);
  });

  it("reports a truncated body", async () => {
    server = await listen((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
      response.write("[1,");
      setTimeout(() => response.destroy(), 20);
    });
    await assert.rejects(
      clientFor(server).post("/api/sql/query", {}, { cost: "byAction" }),
      isKind("cutOff"),
    );
  });

  it("closes the socket immediately when a stream is aborted, and rejects with the signal's reason", async () => {
    let closed: Promise<unknown> | undefined;
    server = await listen((_, response) => {
      closed = once(response, "close");
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
      response.write("data: {}\n\n");
    });
    const stop = new AbortController();
    const reply = await clientFor(server).stream("/api/x", {}, { signal: stop.signal });
    assert.ok("events" in reply);
    const read = async () => {
      for await (const chunk of reply.events) {
        assert.ok(chunk.byteLength > 0);
        stop.abort();
      }
    };
    await assert.rejects(read(), (error: Error) => error.name === "AbortError");
    await closed;
  });

  it("returns a stream only if the response is an event stream", async () => {
    server = await listen((_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<html>");
    });
    await assert.rejects(clientFor(server).stream("/api/x", {}), isKind("notMindsDB"));
  });
});

describe("session", () => {
  let server: TestServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  /** A server that accepts one token at a time, and a session that can get the next one. */
  async function restartingServer(renewals: { count: number; fails?: boolean }) {
    const state = { valid: "t1", known: { token: "t1" } as Credential };
    server = await listen((request, response) => {
      const isValid = request.headers.authorization === `Bearer ${state.valid}`;
      if (isValid) sendJson(response, 200, [request.body]);
      else sendJson(response, 401, { title: "Unauthorized", detail: "Authorization is required" });
    });
    const keeper: CredentialKeeper = {
      current: () => Promise.resolve(state.known),
      renew: async () => {
        renewals.count++;
        await new Promise((resolve) => setTimeout(resolve, 30));
        if (renewals.fails) return undefined;
        state.known = { token: state.valid };
        return state.known;
      },
    };
    return { state, client: clientFor(server, keeper) };
  }

  it("renews once for all requests that got a 401, and sends each again with its body", async () => {
    const renewals = { count: 0 };
    const { state, client } = await restartingServer(renewals);
    state.valid = "t2";
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => client.post("/api/sql/query", { n }, { cost: "byAction" })),
    );
    assert.deepEqual(
      answers,
      [1, 2, 3, 4, 5].map((n) => [JSON.stringify({ n })]),
    );
    assert.equal(renewals.count, 1);
  });

  it("asks the user to sign in if it cannot renew, and sends no further requests", async () => {
    const renewals = { count: 0, fails: true };
    const { state, client } = await restartingServer(renewals);
    state.valid = "t2";
    await assert.rejects(client.get("/api/projects/"), isKind("signInNeeded"));
    assert.equal(server!.seen.length, 1);
  });

  it("does not retry again if the new credential is rejected too", async () => {
    const renewals = { count: 0 };
    const { state, client } = await restartingServer(renewals);
    let changes = 0;
    Object.defineProperty(state, "valid", { get: () => `never${changes++}` });
    await assert.rejects(client.get("/api/projects/"), isKind("signInNeeded"));
    assert.equal(renewals.count, 1);
    assert.equal(server!.seen.length, 2);
  });

  it("stops on abort while it waits for a credential, before a request and after a 401", async () => {
    const never = new Promise<never>(() => undefined);
    server = await listen((_, response) => {
      sendJson(response, 401, { title: "Unauthorized", detail: "Authorization is required" });
    });
    const credential = { token: "t1" };
    const keepers: CredentialKeeper[] = [
      { current: () => never, renew: () => never },
      { current: () => Promise.resolve(credential), renew: () => never },
    ];
    for (const [index, keeper] of keepers.entries()) {
      const stop = new AbortController();
      const asked = clientFor(server, keeper).get("/api/projects/", { signal: stop.signal });
      if (index === 1) while (server.seen.length === 0) await new Promise(setImmediate);
      stop.abort();
      await assert.rejects(asked, { name: "AbortError" });
    }
    assert.equal(server.seen.length, 1);
  });

  it("sends the cookie that the server set", async () => {
    server = await listen((_, response) => sendJson(response, 200, []));
    await clientFor(server, {
      current: () => Promise.resolve({ cookie: "session=abc" }),
      renew: () => Promise.resolve(undefined),
    }).get("/api/projects/");
    assert.equal(server.seen[0]!.headers.cookie, "session=abc");
    assert.equal(server.seen[0]!.headers.authorization, undefined);
  });
});
