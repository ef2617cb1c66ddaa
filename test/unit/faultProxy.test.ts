// The fault proxy itself: a fault that does not happen as it says would make other tests worthless.
import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import http from "node:http";
import net from "node:net";
import { buffer } from "node:stream/consumers";
import { ProxyAgent, request } from "undici";
import {
  engineFailure,
  proxyLogin,
  readRecording,
  startFaultProxy,
  webPage,
} from "../proxy/faultProxy.ts";
import type { FaultProxy } from "../proxy/faultProxy.ts";

const big = Buffer.from(Array.from({ length: 5000 }, (_, i) => i % 251));

interface Backend {
  url: string;
  stop(): Promise<void>;
  /** Resolves when a client has gone before it had an answer, or in the middle of one. */
  abandoned: Promise<unknown>;
  /** Resolves when a client has asked for what never comes. */
  asked: Promise<unknown>;
}

/** A server that says what it was asked, sends known bytes, ticks without end, or never answers. */
async function startBackend(): Promise<Backend> {
  const clients = new EventEmitter();
  const server = http.createServer((incoming, response) => {
    const { method, url, headers } = incoming;
    if (url === "/bytes") {
      response.writeHead(200, { "content-length": big.length }).end(big);
    } else if (url === "/never" || url === "/endless") {
      clients.emit("asked");
      const timer = setInterval(() => url === "/endless" && response.write("data: tick\n\n"), 5);
      response.on("close", () => {
        clearInterval(timer);
        clients.emit("abandoned");
      });
    } else {
      void buffer(incoming).then((body) => {
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ method, url, headers, body: body.toString() }));
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  const stop = async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    if (server.listening) await closed;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    stop,
    abandoned: once(clients, "abandoned"),
    asked: once(clients, "asked"),
  };
}

/** Everything that comes back from a bare socket, framing included. */
function readRaw(port: number, target: string): Promise<Buffer> {
  const socket = net.connect(port, "127.0.0.1", () => {
    socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  });
  return buffer(socket);
}

/** The sizes of the chunks of a chunked body, and whether its last chunk came. */
function chunkSizes(raw: Buffer): { sizes: number[]; complete: boolean } {
  let at = raw.indexOf("\r\n\r\n") + 4;
  const sizes: number[] = [];
  while (at < raw.length) {
    const lineEnd = raw.indexOf("\r\n", at);
    const size = parseInt(raw.subarray(at, lineEnd).toString(), 16);
    if (size === 0) return { sizes, complete: true };
    sizes.push(size);
    at = lineEnd + 2 + size + 2;
  }
  return { sizes, complete: false };
}

describe("fault proxy", () => {
  let backend: Backend;
  let proxy: FaultProxy;

  beforeEach(async () => {
    backend = await startBackend();
    proxy = await startFaultProxy({ target: backend.url });
  });
  afterEach(async () => {
    await proxy.stop();
    await backend.stop();
  });

  it("passes a request on unchanged and records it to the byte", async () => {
    const body = '{"name":"é \\u2028","n":9007199254740993}';
    const { statusCode, body: answer } = await request(`${proxy.url}/api/x?y=%20`, {
      method: "PUT",
      headers: { authorization: "Bearer made-up", "content-type": "application/json" },
      body,
    });
    const seen = (await answer.json()) as { headers: Record<string, string>; body: string };
    assert.equal(statusCode, 200);
    assert.equal(seen.body, body);
    assert.equal(seen.headers["authorization"], "Bearer made-up");
    const [entry] = proxy.requests;
    assert.equal(entry?.method, "PUT");
    assert.equal(entry?.path, "/api/x?y=%20");
    assert.equal(entry?.headers["authorization"], "Bearer made-up");
    assert.deepEqual(entry?.body, Buffer.from(body));
    await proxy.waitFor((seenRequest) => seenRequest.state === "whole");
    assert.equal(entry?.status, 200);
  });

  it("keeps a chunked request body chunked and its Host as it was", async () => {
    const seen = await new Promise<{ headers: Record<string, string> }>((resolve) => {
      const outgoing = http.request(`${proxy.url}/x`, { method: "POST" }, (response) => {
        response
          .setEncoding("utf8")
          .on("data", (text: string) => resolve(JSON.parse(text) as never));
      });
      outgoing.write("a");
      outgoing.end("b");
    });
    assert.equal(seen.headers["transfer-encoding"], "chunked");
    assert.equal(seen.headers["content-length"], undefined);
    assert.equal(seen.headers["host"], `127.0.0.1:${proxy.port}`);
  });

  it("sends the canned answers, only where and as often as asked", async () => {
    proxy.set(
      { on: /^GET \/page/, answer: webPage },
      { on: /fail/, times: 2, answer: engineFailure },
    );
    const page = await request(`${proxy.url}/page`);
    assert.equal(page.headers["content-type"], "text/html; charset=utf-8");
    assert.match(await page.body.text(), /<html>/);
    const statuses: number[] = [];
    for (let i = 0; i < 3; i++) {
      const { statusCode, body } = await request(`${proxy.url}/fail`, { method: "POST" });
      statuses.push(statusCode);
      if (i === 0) assert.match(((await body.json()) as { detail: string }).detail, /Traceback/);
      else await body.dump();
    }
    assert.deepEqual(statuses, [500, 500, 200]);
  });

  it("splits a body at the given sizes without changing a byte", async () => {
    proxy.set({ split: [1, 2, 3, 1000] });
    const { body } = await request(`${proxy.url}/bytes`);
    const parts: Buffer[] = [];
    for await (const part of body) parts.push(part as Buffer);
    assert.deepEqual(Buffer.concat(parts), big);
    proxy.set({ split: [1, 2, 3, 1000], answer: { status: 200, body: big } });
    const raw = await readRaw(proxy.port, "/bytes");
    assert.deepEqual(chunkSizes(raw), {
      sizes: [1, 2, 3, 1000, 1000, 1000, 1000, 994],
      complete: true,
    });
  });

  it("cuts the connection after n bytes, at 0 too", async () => {
    for (const cutAfter of [0, 1, 4999]) {
      proxy.set({ cutAfter });
      const { statusCode, body } = await request(`${proxy.url}/bytes`);
      assert.equal(statusCode, 200);
      let received = 0;
      await assert.rejects(async () => {
        for await (const part of body) received += (part as Buffer).length;
      });
      assert.equal(received, cutAfter);
      assert.equal(proxy.requests.at(-1)?.state, "broken");
    }
  });

  it("cuts off a chunked answer without its last chunk, and ends it early with one", async () => {
    const answer = { status: 200, body: big };
    proxy.set({ answer, cutAfter: 10 });
    const cut = await readRaw(proxy.port, "/bytes");
    assert.deepEqual(chunkSizes(cut), { sizes: [10], complete: false });
    proxy.set({ answer, endAfter: 10 });
    const ended = await readRaw(proxy.port, "/bytes");
    assert.deepEqual(chunkSizes(ended), { sizes: [10], complete: true });
  });

  it("ends an answer early as if it were whole", async () => {
    proxy.set({ endAfter: 10 });
    const { body } = await request(`${proxy.url}/bytes`);
    assert.deepEqual(Buffer.from(await body.arrayBuffer()), big.subarray(0, 10));
  });

  it("hangs after n bytes until the client gives up, and sees that", async () => {
    proxy.set({ hangAfter: 7 });
    const stop = new AbortController();
    const { body } = await request(`${proxy.url}/bytes`, { signal: stop.signal });
    let received = 0;
    await assert.rejects(async () => {
      for await (const part of body) {
        received += (part as Buffer).length;
        if (received === 7) stop.abort();
      }
    }, /abort/i);
    const entry = await proxy.waitFor((seen) => seen.state === "aborted");
    assert.equal(entry.sent, 7);
  });

  it("does not answer at all", async () => {
    proxy.set({ silent: true });
    const stop = new AbortController();
    const asked = assert.rejects(request(`${proxy.url}/bytes`, { signal: stop.signal }));
    await proxy.waitFor(({ path }) => path === "/bytes");
    stop.abort();
    await asked;
    const entry = await proxy.waitFor((seen) => seen.state === "aborted");
    assert.equal(entry.status, 0);
  });

  it("tells the server behind that the client has gone, before its answer too", async () => {
    const stop = new AbortController();
    const asked = assert.rejects(request(`${proxy.url}/never`, { signal: stop.signal }));
    await backend.asked;
    stop.abort();
    await asked;
    await backend.abandoned;
    assert.equal((await proxy.waitFor((seen) => seen.state === "aborted")).status, 0);
  });

  it("tells the server behind that the client has gone in the middle", async () => {
    const stop = new AbortController();
    const { body } = await request(`${proxy.url}/endless`, { signal: stop.signal });
    body.on("error", () => undefined);
    await proxy.waitFor((seen) => seen.sent > 0);
    stop.abort();
    await backend.abandoned;
    await proxy.waitFor((seen) => seen.state === "aborted");
  });

  it("resets connections, refuses them, and accepts them again on the same port", async () => {
    proxy.set({ times: 1, reset: true });
    await assert.rejects(request(`${proxy.url}/x`), { code: "ECONNRESET" });
    const { port } = proxy;
    await proxy.refuse();
    await assert.rejects(request(`http://127.0.0.1:${port}/x`), { code: "ECONNREFUSED" });
    await proxy.accept();
    assert.equal(proxy.port, port);
    assert.equal((await request(`${proxy.url}/x`)).statusCode, 200);
  });

  it("breaks the connection when the server behind is dead", async () => {
    await backend.stop();
    await assert.rejects(request(`${proxy.url}/x`));
    assert.equal(proxy.requests[0]?.state, "broken");
  });

  it("answers 401 until somebody signs in, and lets open paths through without credentials", async () => {
    proxy.set({ unauthorized: true });
    const headers = { authorization: "Bearer made-up", cookie: "session=made-up" };
    const dead = await request(`${proxy.url}/api/projects/`, { headers });
    assert.equal(dead.statusCode, 401);
    assert.equal(dead.headers["content-type"], "application/problem+json");
    await dead.body.dump();
    const status = await request(`${proxy.url}/api/status`, { headers });
    const seen = (await status.body.json()) as { headers: Record<string, string> };
    assert.equal(seen.headers["authorization"], undefined);
    assert.equal(seen.headers["cookie"], undefined);
    await (await request(`${proxy.url}/api/login`, { method: "POST" })).body.dump();
    const again = await request(`${proxy.url}/api/projects/`, { headers });
    assert.equal(again.statusCode, 200);
  });

  it("delays", async () => {
    proxy.set({ on: /slow/, delay: 1_500 });
    const order: string[] = [];
    const ask = async (name: string) => {
      await (await request(`${proxy.url}/${name}`)).body.dump();
      order.push(name);
    };
    await Promise.all([ask("slow"), ask("quick")]);
    assert.deepEqual(order, ["quick", "slow"]);
  });

  it("replays a recorded stream byte for byte, in its chunks or in any others", async () => {
    const recording = readRecording("26.1.0", "text_kb_query.sse");
    assert.ok(recording.chunks.length > 10);
    proxy.set({ replay: recording });
    const raw = await readRaw(proxy.port, "/stream");
    const sizes = recording.chunks.map(([, bytes]) => bytes);
    assert.deepEqual(chunkSizes(raw), { sizes, complete: true });
    proxy.set({ replay: recording, split: [3] });
    const { headers, body } = await request(`${proxy.url}/stream`);
    assert.equal(headers["content-type"], "text/event-stream; charset=utf-8");
    assert.deepEqual(Buffer.from(await body.arrayBuffer()), recording.body);
    const refused = readRecording("26.1.0", "agent_unknown.json");
    proxy.set({ replay: refused });
    assert.equal((await request(`${proxy.url}/stream`)).statusCode, 404);
  });

  it("works as an HTTP proxy: tunnel and absolute form, for any host name", async () => {
    const agent = new ProxyAgent({ uri: proxy.url, proxyTunnel: true });
    const tunnelled = await request("http://mindsdb.example/api/x", { dispatcher: agent });
    const seen = (await tunnelled.body.json()) as { url: string; headers: Record<string, string> };
    assert.equal(seen.url, "/api/x");
    assert.equal(seen.headers["host"], "mindsdb.example");
    await agent.close();
    const [connect, inner] = proxy.requests;
    assert.deepEqual([connect?.method, connect?.path], ["CONNECT", "mindsdb.example:80"]);
    assert.deepEqual([inner?.path, inner?.via], ["/api/x", "tunnel"]);
    const raw = await readRaw(proxy.port, "http://mindsdb.example/api/y");
    assert.match(raw.toString(), /"url":"\/api\/y"/);
    assert.equal(proxy.requests[2]?.via, "absolute");
  });

  it("asks for a login as a proxy does", async () => {
    proxy.set({ answer: proxyLogin });
    const agent = new ProxyAgent({ uri: proxy.url, proxyTunnel: true });
    await assert.rejects(
      request("http://mindsdb.example/api/x", { dispatcher: agent }),
      (error) => {
        assert.match(String(error), /407/);
        return true;
      },
    );
    await agent.close();
    assert.equal((await request(`${proxy.url}/x`)).statusCode, 407);
  });
});
