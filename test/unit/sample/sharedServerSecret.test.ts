// Other programs on the sample server's ports: nothing that a user types reaches them, and they get nothing from it.
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { parseAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { createTransport } from "../../../src/mindsdb/http/transport.ts";
import { startSampleServer, type SampleServer } from "../../../src/sample/server/server.ts";
import { openProvenSocket } from "../../../src/sample/sharedServer/provenSocket.ts";
import { bearerToken, computeProof, readSecret } from "../../../src/sample/sharedServer/secret.ts";
import { readProgramToken } from "../../../src/sample/sharedServer/sharedServerClient.ts";
import { SharedSampleServer } from "../../../src/sample/sharedServer/sharedServer.ts";

const typed = "sk-typed-by-the-user";
const onWindows = process.platform === "win32";

/** Another program on a port: keeps what it is sent, and answers a challenge in its own way. */
class Impostor {
  received = "";
  port = 0;
  readonly #server: net.Server;

  constructor(prove: (path: string) => string | Promise<string>) {
    this.#server = net.createServer((socket) => {
      socket.on("error", () => undefined);
      socket.on("data", (bytes) => {
        this.received += bytes.toString("latin1");
        const [, at = ""] = /^\w+ (\S+)/.exec(bytes.toString("latin1")) ?? [];
        void Promise.resolve(prove(at)).then((body) => {
          const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
          socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
        });
      });
    });
  }

  async listen(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
    this.port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  close(): void {
    this.#server.close();
  }
}

/** Sends what a user types to the sample server at a port, as the extension does. */
async function send(port: number, secret: string): Promise<number> {
  const transport = transportTo(port, secret);
  try {
    return await sendOver(transport);
  } finally {
    await transport.close();
  }
}

function transportTo(port: number, secret: string) {
  const provenServer = {
    token: bearerToken(secret),
    openSocket: (at: number) => openProvenSocket(at, secret),
  };
  return createTransport(parseAddress(`http://127.0.0.1:${port}`), { provenServer });
}

async function sendOver(transport: ReturnType<typeof createTransport>): Promise<number> {
  const body = JSON.stringify({ agent: { name: "mine", model: { api_key: typed }, data: {} } });
  const { status } = await transport.send({
    method: "POST",
    path: "/api/projects/mindsdb/agents",
    headers: { "content-type": "application/json" },
    body,
    timeoutMs: 30_000,
  });
  return status;
}

describe("the secret of the sample server", () => {
  let folder: string;
  let secret: string;
  let server: SampleServer;
  const impostors: Impostor[] = [];

  async function impostor(prove: (path: string) => string | Promise<string>, port?: number) {
    const one = await new Impostor(prove).listen(port);
    impostors.push(one);
    return one;
  }

  beforeEach(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "sample-secret-"));
    secret = await readSecret(folder);
    server = await startSampleServer({ stepDelay: 0, control: { secret } });
  });
  afterEach(async () => {
    for (const one of impostors.splice(0)) one.close();
    await server.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it("lets the user's own windows use the server", async () => {
    assert.ok([200, 201].includes(await send(server.port, secret)));
  });

  it("is the one that another window makes at the same time", async () => {
    const other = path.join(folder, "other");
    const file = path.join(other, "secret");
    const made = "a1".repeat(32);
    const { lstatSync } = fs;
    // The other window is between the first look at the file and what follows from it.
    const look = (at: string, options: fs.StatSyncOptions) => {
      const found = lstatSync(at, options);
      if (at === file && !found) {
        fs.mkdirSync(other, { mode: 0o700 });
        fs.writeFileSync(file, made, { mode: 0o600 });
      }
      return found;
    };
    Object.assign(fs, { lstatSync: look });
    try {
      assert.equal(await readSecret(other), made);
    } finally {
      Object.assign(fs, { lstatSync });
    }
  });

  describe("against a program that listens on its port", () => {
    const challengeIn = (at: string) => at.slice(at.lastIndexOf("/") + 1);
    const wrong = "0".repeat(64);

    const ways: Record<string, (at: string) => string | Promise<string>> = {
      "says yes to everything": () => JSON.stringify({ sampleServer: "yes", proof: wrong }),
      "guesses a proof": () => JSON.stringify({ proof: wrong }),
      "gives the challenge back": (at) => JSON.stringify({ proof: challengeIn(at) }),
      "has another secret": (at) =>
        JSON.stringify({ proof: computeProof("other", server.port, challengeIn(at)) }),
      "passes the challenge on to the real server": async (at) =>
        (await fetch(`${server.url}${at}`)).text(),
      "answers without an end": () => "x".repeat(100_000),
    };
    for (const [way, prove] of Object.entries(ways)) {
      it(`and ${way}`, async () => {
        const one = await impostor(prove);
        await assert.rejects(send(one.port, secret));
        assert.match(one.received, /^GET \/sample-server\/proof\/[\da-f]{64} HTTP/);
        assertNothingIn(one.received);
      });
    }

    it("and has kept an old proof of the same port", async () => {
      const { port } = server;
      const old = await (await fetch(`${server.url}/sample-server/proof/${"a".repeat(64)}`)).text();
      assert.match(old, /"proof":"[\da-f]{64}"/);
      await server.stop();
      const one = await impostor(() => old, port);
      await assert.rejects(send(port, secret));
      assertNothingIn(one.received);
    });

    it("and takes over the port between two requests", async () => {
      const { port } = server;
      const transport = transportTo(port, secret);
      assert.ok([200, 201].includes(await sendOver(transport)));
      await server.stop();
      const one = await impostor(() => "{}", port);
      await assert.rejects(sendOver(transport));
      await assert.rejects(sendOver(transport));
      assertNothingIn(one.received);
      await transport.close();
    });

    it("and was there before the first window", async () => {
      const first = await impostor((at) => (at === "/sample-server" ? `{"sampleServer":1}` : "{}"));
      const relay = await impostor(async (at) => (await fetch(`${server.url}${at}`)).text());
      const { port } = await impostor(() => "{}");
      impostors.pop()!.close();
      const ports = [first.port, relay.port, port];
      const window = new SharedSampleServer({ folder, ports, stepDelay: 0 });
      try {
        assert.equal(await window.start(), `http://127.0.0.1:${port}`);
        await window.stop();
      } finally {
        await window.close();
      }
      for (const one of [first, relay]) assertNothingIn(one.received);
    });

    /** Neither what was typed, nor what would open the real server. */
    function assertNothingIn(received: string): void {
      assert.ok(!received.includes(typed));
      assert.ok(!received.includes(secret));
      assert.ok(!received.includes(bearerToken(secret)));
      assert.ok(!/^authorization:/im.test(received));
    }
  });

  it("is needed for everything that the server answers", async () => {
    const { port } = server;
    const challenge = "b".repeat(64);
    const proof = computeProof(secret, port, challenge);
    const guesses = [
      undefined,
      "",
      "Bearer ",
      "Bearer x",
      `bearer ${bearerToken(secret)}`,
      `Bearer ${bearerToken("other")}`,
      `Bearer ${proof}`,
      `Basic ${bearerToken(secret)}`,
    ];
    const requests = [
      ["GET", "/api/status"],
      ["GET", "/api/projects/mindsdb/agents"],
      ["POST", "/api/sql/query"],
      ["POST", "/api/login"],
      ["GET", "/sample-server"],
      ["GET", "/sample-server/watch"],
      ["POST", "/sample-server/stop"],
      ["GET", "/sample-server/token"],
      ["GET", "/sample-server/proof/"],
      ["GET", `/sample-server/proof/${challenge}0`],
      ["POST", `/sample-server/proof/${challenge}`],
      ["GET", `/sample-server/proof/${challenge}?x`],
      ["GET", "/nothing"],
    ] as const;
    for (const [method, at] of requests) {
      for (const authorization of guesses) {
        const headers = new Headers(authorization === undefined ? {} : { authorization });
        const response = await fetch(server.url + at, { method, headers });
        assert.equal(response.status, 401, `${method} ${at} with ${String(authorization)}`);
        assert.ok(!(await response.text()).includes(proof));
      }
    }
    const headers = { authorization: `Bearer ${bearerToken(secret)}` };
    assert.equal((await fetch(`${server.url}/api/status`, { headers })).status, 200);
  });

  it("lets a terminal use the server, not control it, until the server stops", async () => {
    const { port } = server;
    const token = (await readProgramToken(port, secret)) ?? "";
    assert.match(token, /^[\da-f]{64}$/);
    const headers = { authorization: `Bearer ${token}` };
    const statusOf = (path: string, method = "GET"): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const options = { host: "127.0.0.1", port, method, path, headers, agent: false };
        const request = http.request(options, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        request.once("error", reject).end();
      });
    assert.equal(await statusOf("/api/projects/mindsdb/agents"), 200);
    const others = [
      "watch",
      "token",
      "stop",
      "proof/",
      "token/",
      "token?x",
      "../sample-server/token",
    ];
    for (const path of others) {
      assert.equal(await statusOf(`/sample-server/${path}`), 404, path);
      assert.equal(await statusOf(`/sample-server/${path}`, "POST"), 404, path);
    }
    assert.equal(await statusOf("/api/status"), 200);
    await server.stop();
    server = await startSampleServer({ port, stepDelay: 0, control: { secret } });
    assert.equal(await statusOf("/api/status"), 401);
    assert.equal(await readProgramToken(port, "other"), undefined);
  });

  it("refuses a long body before reading it", async () => {
    const status = await new Promise((resolve, reject) => {
      const { port } = server;
      const headers = { "content-length": String(10 ** 9) };
      const request = http.request({ host: "127.0.0.1", port, method: "POST", headers, path: "/" });
      request.once("error", reject);
      request.once("response", (response) => {
        resolve(response.statusCode);
        request.destroy();
      });
      request.flushHeaders();
    });
    assert.equal(status, 401);
  });

  describe("as a file", () => {
    const file = () => path.join(folder, "secret");
    const mode = (at: string) => fs.statSync(at).mode & 0o777;

    it("stays the same, and is the same for windows that start together", async () => {
      assert.match(secret, /^[\da-f]{64}$/);
      assert.equal(await readSecret(folder), secret);
      const other = path.join(folder, "other");
      const all = await Promise.all(Array.from({ length: 20 }, () => readSecret(other)));
      assert.equal(new Set(all).size, 1);
      assert.notEqual(all[0], secret);
    });

    it("is made again if it is damaged", async () => {
      fs.writeFileSync(file(), "short");
      const made = await readSecret(folder);
      assert.match(made, /^[\da-f]{64}$/);
      assert.equal(await readSecret(folder), made);
    });

    if (onWindows) return;

    for (const open of [0o644, 0o640, 0o604, 0o620]) {
      it(`is made again if its mode is ${open.toString(8)}`, async () => {
        fs.chmodSync(file(), open);
        assert.notEqual(await readSecret(folder), secret);
        assert.equal(mode(file()), 0o600);
      });
    }

    it("is made again if it is a link, a folder or a pipe", async () => {
      const target = path.join(folder, "target");
      fs.writeFileSync(target, "f".repeat(64), { mode: 0o600 });
      const replaceBy = [
        () => fs.symlinkSync(target, file()),
        () => fs.symlinkSync(path.join(folder, "missing"), file()),
        () => fs.mkdirSync(file()),
      ];
      for (const replace of replaceBy) {
        fs.rmSync(file(), { recursive: true });
        replace();
        const made = await readSecret(folder);
        assert.notEqual(made, "f".repeat(64));
        assert.ok(fs.lstatSync(file()).isFile());
      }
      assert.equal(fs.readFileSync(target, "utf8"), "f".repeat(64));
      assert.ok(!fs.existsSync(path.join(folder, "missing")));
    });

    it("is not made in a folder that is a link or a file", async () => {
      const real = path.join(folder, "real");
      const link = path.join(folder, "link");
      fs.mkdirSync(real);
      fs.symlinkSync(real, link);
      await assert.rejects(readSecret(link), /is a link/);
      fs.writeFileSync(path.join(folder, "file"), "");
      await assert.rejects(readSecret(path.join(folder, "file")), /is a link/);
      assert.deepEqual(fs.readdirSync(real), []);
    });
  });
});
