// nginx with HTTP Basic in front of MindsDB, in each of MindsDB's own modes of signing in.
import assert from "node:assert/strict";
import type http from "node:http";
import { AppError } from "../../../src/mindsdb/errors.ts";
import { findServer } from "../../../src/mindsdb/http/findServer.ts";
import { withGatewayLogin, type BasicLogin } from "../../../src/mindsdb/http/gatewayLogin.ts";
import { identifyServer } from "../../../src/mindsdb/http/identifyServer.ts";
import { login } from "../../../src/mindsdb/http/login.ts";
import { formatAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { Session, type Credential } from "../../../src/mindsdb/http/session.ts";
import { createTransport, type Transport } from "../../../src/mindsdb/http/transport.ts";
import { listen, sendJson, type SeenRequest, type TestServer } from "./httpServer.ts";

const account: BasicLogin = { username: "ada", password: "pass:wörd" };
const expected = `Basic ${Buffer.from("ada:pass:wörd").toString("base64")}`;
const mindsdbUser = { username: "mindsdb", password: "secret" };
const page = "<html><center><h1>401 Authorization Required</h1></center></html>";

describe("A login of a web server in front of MindsDB", () => {
  let server: TestServer;
  let mode: "open" | "session_or_token" | "token";
  let challenge: string;
  const transports: Transport[] = [];
  beforeEach(async () => {
    mode = "open";
    challenge = 'Basic realm="MindsDB"';
    server = await listen((request, response) => {
      if (request.headers.authorization !== expected) {
        response.writeHead(401, { "content-type": "text/html", "www-authenticate": challenge });
        return void response.end(page);
      }
      answerAsMindsDB(request, response);
    });
  });
  afterEach(async () => {
    for (const transport of transports.splice(0)) await transport.close();
    await server.close();
  });

  function answerAsMindsDB({ path, headers }: SeenRequest, response: http.ServerResponse): void {
    if (path === "/api/status") {
      const auth = { http_auth_enabled: mode !== "open", confirmed: false };
      sendJson(response, 200, { mindsdb_version: "26.1.0", auth });
    } else if (path === "/api/login") {
      if (mode === "session_or_token") response.setHeader("set-cookie", "session=s1; Path=/");
      sendJson(response, 200, { token: "pat_1" });
    } else if (mode === "open" || headers.cookie === "session=s1") sendJson(response, 200, []);
    else sendJson(response, 401, { title: "Unauthorized", detail: "Authorization is required" });
  }

  function open(current: () => Partial<BasicLogin> | undefined): Transport {
    const transport = withGatewayLogin(createTransport(server.address), () =>
      Promise.resolve(current()),
    );
    transports.push(transport);
    return transport;
  }

  function sessionOver(transport: Transport, credential?: Credential): Session {
    return new Session(transport, {
      current: () => Promise.resolve(credential),
      renew: () => assert.fail("MindsDB has not asked"),
    });
  }

  const isAsking = (error: unknown): boolean =>
    error instanceof AppError && error.kind === "signInNeeded" && error.isFromGateway;

  it("is asked for in words, with none and with a wrong one", async () => {
    for (const current of [undefined, { username: "ada", password: "wrong" }, {}]) {
      await assert.rejects(
        identifyServer(open(() => current)),
        (error) => isAsking(error) && /a web server in front/i.test((error as Error).message),
      );
      const request = { method: "GET", path: "/api/projects/" } as const;
      await assert.rejects(sessionOver(open(() => current)).send(request), isAsking);
      await assert.rejects(
        login(
          open(() => current),
          mindsdbUser,
        ),
        isAsking,
      );
    }
  });

  it("is known among other challenges, and no other is taken for it", async () => {
    challenge = 'Negotiate, basic realm="x"';
    await assert.rejects(identifyServer(open(() => undefined)), isAsking);
    for (const other of ["Digest realm=x", "Negotiate", "Bearer", 'Custom for="basic"']) {
      challenge = other;
      await assert.rejects(identifyServer(open(() => account)), (error) => !isAsking(error));
    }
    assert.ok(!server.seen.some(({ headers }) => headers.authorization !== undefined));
  });

  it("is sent once it was asked for, with bodies too, and never before", async () => {
    const session = sessionOver(open(() => account));
    const request = {
      method: "POST",
      path: "/api/sql/query",
      body: '{"query":"SELECT 1"}',
    } as const;
    for (let sent = 0; sent < 2; sent++) assert.equal((await session.send(request)).status, 200);
    assert.deepEqual(
      server.seen.map(({ headers, body }) => [headers.authorization, body]),
      [undefined, expected, expected].map((header) => [header, request.body]),
    );
  });

  it("goes together with MindsDB's cookie", async () => {
    mode = "session_or_token";
    const transport = open(() => account);
    assert.equal((await identifyServer(transport)).status.authEnabled, true);
    const credential = await login(transport, mindsdbUser);
    assert.deepEqual(credential, { cookie: "session=s1" });
    const request = { method: "GET", path: "/api/projects/" } as const;
    assert.equal((await sessionOver(transport, credential).send(request)).status, 200);
  });

  it("does not go together with MindsDB's token alone, which is said", async () => {
    mode = "token";
    const transport = open(() => account);
    await identifyServer(transport);
    await assert.rejects(login(transport, mindsdbUser), {
      kind: "refused",
      message:
        /^MindsDB's token and the sign-in of the web server in front of it need the same header/,
    });
    const request = { method: "GET", path: "/api/projects/" } as const;
    await assert.rejects(sessionOver(transport, { token: "pat_1" }).send(request), isAsking);
    assert.equal(server.seen.at(-1)?.headers.authorization, "Bearer pat_1");
  });

  it("is noticed where somebody types the address, and leads to the server", async () => {
    const typed = `${formatAddress(server.address)}/editor`;
    const found = await findServer(typed);
    assert.deepEqual([found.wantsGatewayLogin, found.isCertain], [true, false]);
    assert.equal(
      (await findServer(typed, {}, { gatewayLogin: mindsdbUser })).wantsGatewayLogin,
      true,
    );
    const behind = await findServer(formatAddress(server.address), {}, { gatewayLogin: account });
    assert.deepEqual([behind.wantsGatewayLogin, behind.status.version], [undefined, "26.1.0"]);
    assert.deepEqual(behind.address, server.address);
    await assert.rejects(findServer(typed, {}, { statusOnly: true }), isAsking);
  });
});
