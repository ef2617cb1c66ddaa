// Who may talk to the VS Code that `npm start` serves: requests to the real gate, with a recorder behind it.
import assert from "node:assert/strict";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { createGate } from "../../scripts/vscode/gate.ts";

const folder = "/home/user/out/start/workspace";
const own = `/?${new URLSearchParams({ folder }).toString()}`;

interface Answer {
  status: number;
  location: string | undefined;
  cookies: string[];
  text: string;
}

/** A gate that listens; `passed` is what reached the VS Code behind it. */
async function listen(asksForTrust: boolean) {
  const passed: string[] = [];
  const answer = (request: http.IncomingMessage, response: http.ServerResponse) => {
    passed.push(request.url ?? "");
    response.end("passed");
  };
  const { server, token } = createGate(
    { folder, asksForTrust },
    {
      answer,
      answerPage: answer,
      upgrade: (request, socket) => {
        passed.push(request.url ?? "");
        socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n");
      },
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const cookie = `mindsdb-workbench-${String(port)}=${token}`;
  const send = (
    path: string,
    headers: http.OutgoingHttpHeaders = {},
    method = "GET",
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const request = http.request({
        host: "127.0.0.1",
        port,
        path,
        method,
        headers,
        agent: false,
      });
      request.once("error", reject);
      request.once("upgrade", (response, socket) => {
        socket.destroy();
        resolve({ status: response.statusCode ?? 0, location: undefined, cookies: [], text: "" });
      });
      request.once("response", (response) => {
        const { statusCode: status = 0, headers: given } = response;
        const about = { status, location: given.location, cookies: given["set-cookie"] ?? [] };
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => (text += part));
        response.once("end", () => resolve({ ...about, text }));
      });
      request.end();
    });
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { passed, token, port, cookie, send, stop };
}

describe("The gate of the served VS Code", () => {
  let gate: Awaited<ReturnType<typeof listen>>;
  beforeEach(async () => (gate = await listen(false)));
  afterEach(() => gate.stop());

  const everything = [
    ["GET", "/vscode-remote-resource?path=/home/user/.ssh/id_rsa"],
    ["POST", "/mint-key"],
    ["GET", own],
    ["GET", "/?folder=/etc"],
    ["GET", "/"],
    ["GET", "/stable-0123/static/out/vs/code/browser/workbench/workbench.js"],
    ["GET", "/version"],
    ["GET", "/proxy/47334/"],
    ["HEAD", "/"],
    ["OPTIONS", "/"],
  ] as const;

  it("lets nobody through who has no cookie", async () => {
    const name = `mindsdb-workbench-${String(gate.port)}`;
    const guesses = [
      undefined,
      `${name}=`,
      `${name}=${gate.token.slice(0, -1)}`,
      `${name}=${gate.token}x`,
      `other=${gate.token}`,
      `mindsdb-workbench-1=${gate.token}`,
      `vscode-tkn=${gate.token}`,
    ];
    for (const cookie of guesses) {
      for (const [method, path] of everything) {
        const { status } = await gate.send(path, cookie === undefined ? {} : { cookie }, method);
        assert.equal(status, 403, `${method} ${path} with ${String(cookie)}`);
      }
    }
    assert.equal((await gate.send(`/version?tkn=${gate.token}`)).status, 403);
    assert.equal((await gate.send(own, { authorization: `Bearer ${gate.token}` })).status, 403);
    assert.deepEqual(gate.passed, []);
  });

  it("lets no WebSocket through without the cookie, or of another page", async () => {
    const upgrade = { connection: "Upgrade", upgrade: "websocket" };
    const { cookie } = gate;
    const origin = "http://evil.example";
    for (const headers of [{}, { cookie: "a=b" }, { cookie, origin }, { cookie, host: "evil" }]) {
      const path = `/?reconnectionToken=1&tkn=${gate.token}`;
      await assert.rejects(gate.send(path, { ...upgrade, ...headers }), /hang up|ECONNRESET/);
    }
    assert.deepEqual(gate.passed, []);
    assert.equal((await gate.send("/?reconnectionToken=1", { ...upgrade, cookie })).status, 101);
  });

  it("exchanges the token of the address for a cookie, and takes it out of the address", async () => {
    const { status, location, cookies } = await gate.send(`/?tkn=${gate.token}`);
    assert.equal(status, 302);
    assert.equal(location, "/");
    assert.deepEqual(cookies, [`${gate.cookie}; HttpOnly; SameSite=Strict; Path=/`]);
    assert.equal((await gate.send("/", { cookie: gate.cookie })).location, own);
    const page = await gate.send(own, { cookie: `theme=dark; ${gate.cookie}; a=b` });
    assert.equal(page.text, "passed");
  });

  it("exchanges no other token", async () => {
    for (const query of ["tkn=", "tkn=x", `tkn=x&tkn=${gate.token}`, `tkn=${gate.token}x`]) {
      const { status, cookies } = await gate.send(`/?${query}`, { cookie: gate.cookie });
      assert.deepEqual([status, cookies], [403, []], query);
    }
  });

  it("has another token at each start", async () => {
    const other = await listen(false);
    other.stop();
    assert.notEqual(other.token, gate.token);
    assert.ok(gate.token.length >= 43);
  });

  it("opens no folder but its own where VS Code trusts what it opens", async () => {
    const { cookie } = gate;
    const others = [
      "/?folder=/etc",
      `/?workspace=${folder}`,
      "/?folder=vscode-remote://127.0.0.1/etc",
      `/?folder=${folder}/..`,
      "/?workspace=/tmp/evil.code-workspace",
      "/stable-0123/?folder=/etc",
    ];
    for (const path of others) {
      const { status, text } = await gate.send(path, { cookie });
      assert.equal(status, 403, path);
      assert.match(text, /opens its sample workspace only/);
    }
    // What is left out makes no page, but sends it to one without.
    const cleaned = [
      "/?payload=[[%22extensionDevelopmentPath%22,%22vscode-remote://x/tmp/evil%22]]",
      `${own}&payload=[]`,
      `${own}&folder=/etc`,
      `${own}&tkn2=1`,
      `/stable-0123${own}`,
      `/stable-0123/`,
    ];
    for (const path of cleaned) {
      assert.equal((await gate.send(path, { cookie })).location, own, path);
    }
    assert.deepEqual(gate.passed, []);
    assert.equal((await gate.send("/?ew=true", { cookie })).text, "passed");
  });

  it("opens every folder where VS Code asks for trust, but runs no extension of the address", async () => {
    const asking = await listen(true);
    try {
      const { cookie, send, passed } = asking;
      assert.equal((await send("/?folder=%2Fetc", { cookie })).text, "passed");
      const payload = "payload=[[%22extensionDevelopmentPath%22,%22vscode-remote://x/evil%22]]";
      assert.equal(
        (await send(`/?folder=/etc&${payload}`, { cookie })).location,
        "/?folder=%2Fetc",
      );
      assert.equal((await send("/?folder=/etc")).status, 403);
      assert.deepEqual(passed, ["/?folder=%2Fetc"]);
    } finally {
      asking.stop();
    }
  });

  it("reads no other address than VS Code does", async () => {
    for (const path of ["//evil/?folder=/etc", "/\\evil/", "http://evil/", "*"]) {
      assert.equal((await gate.send(path, { cookie: gate.cookie })).status, 403, path);
    }
    assert.deepEqual(gate.passed, []);
  });

  describe("refuses other pages and host names, also with the cookie", () => {
    const at = (text: string) => text.replaceAll("PORT", String(gate.port));
    const same = { "sec-fetch-site": "same-origin", "sec-fetch-dest": "script" };
    const ours: http.OutgoingHttpHeaders[] = [
      { host: "127.0.0.1:PORT" },
      { host: "localhost:PORT", origin: "http://localhost:PORT" },
      { host: "127.0.0.1:PORT", ...same },
      { host: "127.0.0.1:PORT", "sec-fetch-site": "cross-site", "sec-fetch-dest": "document" },
    ];
    const foreign: http.OutgoingHttpHeaders[] = [
      { host: "evil.example:PORT" },
      { host: "127.0.0.1:1" },
      { host: "127.0.0.1:PORT", origin: "http://evil.example" },
      { host: "127.0.0.1:PORT", origin: "http://localhost:PORT" },
      { host: "127.0.0.1:PORT", origin: "null" },
      { host: "127.0.0.1:PORT", "sec-fetch-site": "cross-site", "sec-fetch-dest": "iframe" },
      { host: "127.0.0.1:PORT", "sec-fetch-site": "same-site", "sec-fetch-dest": "script" },
    ];
    for (const [list, expected] of [
      [ours, 200],
      [foreign, 403],
    ] as const) {
      for (const headers of list) {
        it(`${expected === 200 ? "not " : ""}${JSON.stringify(headers)}`, async () => {
          const { cookie } = gate;
          const given = JSON.parse(at(JSON.stringify(headers))) as http.OutgoingHttpHeaders;
          const { status } = await gate.send("/version", { cookie, ...given });
          assert.equal(status, expected);
        });
      }
    }
  });
});
