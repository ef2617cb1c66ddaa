// A proxy that simulates faults of networks and servers. It records requests exactly, and works as a reverse proxy and as
// an HTTP proxy.
import http from "node:http";
import https from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { unauthorized } from "./faults.ts";
import type { Fault, Recording } from "./faults.ts";

export { engineFailure, nginxTooLarge, proxyLogin, readRecording, webPage } from "./faults.ts";
export type { Answer, Fault, Recording } from "./faults.ts";

/** A request that came in, and what became of it. */
export interface LoggedRequest {
  method: string;
  /** Path and query as sent; for CONNECT the host and port. */
  path: string;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  /** How it came: directly, or in one of the two ways in which clients use a proxy. */
  via: "direct" | "absolute" | "tunnel";
  /** The status sent; 0 until there is one. */
  status: number;
  /** Bytes of the answer's body sent so far. */
  sent: number;
  /** `aborted`: the client closed the connection. `broken`: the proxy did. `whole`: the answer was sent. */
  state: "open" | "whole" | "aborted" | "broken";
}

/** How a fault proxy starts. */
export interface FaultProxyOptions {
  /** The server behind it; every host name leads there. */
  target: string;
  /** A free port unless given. */
  port?: number;
  /** With a certificate it speaks TLS to its clients. */
  tls?: { key: string; cert: string };
}

/** A running fault proxy. */
export interface FaultProxy {
  url: string;
  port: number;
  requests: LoggedRequest[];
  /** Replaces all faults; without any it passes everything on. */
  set(...faults: Fault[]): void;
  /** The first request, past or to come, that fits; rejects after `timeout` milliseconds. */
  waitFor(fits: (request: LoggedRequest) => boolean, timeout?: number): Promise<LoggedRequest>;
  /** Refuses connections from now on, and breaks those there are. */
  refuse(): Promise<void>;
  /** Listens again, on the same port. */
  accept(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a fault proxy on 127.0.0.1. */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const proxy = new Front(options);
  await proxy.accept();
  return proxy;
}

const openPaths = /^\/api\/(status|login|logout|util\/ping)$/;

class Front implements FaultProxy {
  readonly requests: LoggedRequest[] = [];
  readonly #target: string;
  readonly #scheme: "http" | "https";
  readonly #server: http.Server;
  readonly #sockets = new Set<Socket>();
  readonly #tunnels = new WeakSet<Socket>();
  readonly #watchers = new Set<() => void>();
  #port: number;
  #faults: Fault[] = [];

  constructor({ target, port, tls }: FaultProxyOptions) {
    this.#target = target;
    this.#port = port ?? 0;
    this.#scheme = tls ? "https" : "http";
    const serve: http.RequestListener = (request, response) => void this.#serve(request, response);
    this.#server = tls ? https.createServer(tls, serve) : http.createServer(serve);
    this.#server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
    this.#server.on("connect", (request: http.IncomingMessage, socket: Socket) => {
      void this.#openTunnel(request, socket);
    });
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${this.#port}`;
  }

  set(...faults: Fault[]): void {
    this.#faults = faults.map((fault) => ({ ...fault }));
  }

  waitFor(fits: (request: LoggedRequest) => boolean, timeout = 30_000): Promise<LoggedRequest> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = this.requests.find(fits);
        if (!found) return;
        clearTimeout(timer);
        this.#watchers.delete(look);
        resolve(found);
      };
      const timer = setTimeout(() => {
        this.#watchers.delete(look);
        reject(new Error(`no such request within ${timeout} ms`));
      }, timeout);
      this.#watchers.add(look);
      look();
    });
  }

  async accept(): Promise<void> {
    const end = Date.now() + 60_000;
    for (;;) {
      try {
        await this.#listen();
        this.#port = (this.#server.address() as AddressInfo).port;
        return;
      } catch (error) {
        // Meanwhile the system may have given the port to a connection of another program, for a moment.
        const isTaken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
        if (!isTaken || this.#port === 0 || Date.now() > end) throw error;
        await sleep(200);
      }
    }
  }

  #listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(this.#port, "127.0.0.1", () => {
        this.#server.off("error", reject);
        resolve();
      });
    });
  }

  async refuse(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.resetAndDestroy();
    await closed;
  }

  async stop(): Promise<void> {
    if (this.#server.listening) await this.refuse();
  }

  /** The first fault that fits, with one of its times used up; none at all is an empty fault. */
  #faultFor({ method, path, body }: LoggedRequest): Fault {
    const fault = this.#faults.find(
      ({ on, times, largerThan = -1, unauthorized: tokensAreDead }) =>
        times !== 0 &&
        body.length > largerThan &&
        (on?.test(`${method} ${path}`) ?? true) &&
        !(tokensAreDead && openPaths.test(path)),
    );
    if (fault?.times !== undefined) fault.times--;
    return fault ?? {};
  }

  #log(request: http.IncomingMessage, via: LoggedRequest["via"]): LoggedRequest {
    const { method = "", headers } = request;
    const url = request.url ?? "";
    const path = via === "absolute" ? url.replace(/^https?:\/\/[^/]*/i, "") || "/" : url;
    const body = Buffer.alloc(0);
    const entry: LoggedRequest = {
      method,
      path,
      headers,
      body,
      via,
      status: 0,
      sent: 0,
      state: "open",
    };
    this.requests.push(entry);
    this.#changed();
    return entry;
  }

  #changed(): void {
    for (const look of this.#watchers) look();
  }

  /** A client that uses this as its proxy: what comes through the tunnel is served like the rest. */
  async #openTunnel(request: http.IncomingMessage, socket: Socket): Promise<void> {
    const entry = this.#log(request, "tunnel");
    const { delay = 0, silent, reset, answer } = this.#faultFor(entry);
    await sleep(delay);
    if (silent) return;
    if (reset) {
      entry.state = "broken";
      socket.resetAndDestroy();
      return;
    }
    entry.status = answer?.status ?? 200;
    entry.state = "whole";
    if (answer) {
      const length = String(Buffer.byteLength(answer.body));
      const headers = Object.entries({ ...answer.headers, "content-length": length });
      const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
      socket.write(
        `HTTP/1.1 ${answer.status} ${http.STATUS_CODES[answer.status] ?? ""}\r\n${lines}\r\n`,
      );
      socket.end(answer.body);
    } else {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      this.#tunnels.add(socket);
      this.#server.emit("connection", socket);
    }
    this.#changed();
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const isAbsolute = /^https?:\/\//i.test(request.url ?? "");
    const inTunnel = this.#tunnels.has(request.socket);
    const entry = this.#log(request, inTunnel ? "tunnel" : isAbsolute ? "absolute" : "direct");
    response.once("close", () => {
      if (entry.state === "open") entry.state = response.writableFinished ? "whole" : "aborted";
      this.#changed();
    });
    try {
      entry.body = await readAll(request);
      this.#changed();
      const fault = this.#faultFor(entry);
      await sleep(fault.delay ?? 0);
      await fault.until;
      if (fault.silent) return;
      if (fault.reset) {
        entry.state = "broken";
        request.socket.resetAndDestroy();
        return;
      }
      await this.#answer(entry, response, fault);
    } catch (error) {
      // The client is gone, or the server behind is.
      if (entry.state === "open") entry.state = response.destroyed ? "aborted" : "broken";
      response.destroy(error as Error);
    }
  }

  async #answer(entry: LoggedRequest, response: http.ServerResponse, fault: Fault): Promise<void> {
    const { replay, split } = fault;
    const answer = fault.unauthorized ? unauthorized : (fault.answer ?? replay);
    if (answer) {
      entry.status = answer.status;
      response.writeHead(answer.status, answer.headers);
      const body = replay && !split ? inRhythm(replay) : [Buffer.from(answer.body)];
      await sendBody(entry, response, body, fault);
      return;
    }
    const upstream = await this.#forward(entry, response);
    entry.status = upstream.statusCode ?? 502;
    if (entry.path === "/api/login" && entry.status === 200) {
      this.#faults = this.#faults.filter((candidate) => !candidate.unauthorized);
    }
    const headers = { ...upstream.headers };
    delete headers.connection;
    delete headers["keep-alive"];
    if (fault.endAfter !== undefined) delete headers["content-length"];
    response.writeHead(entry.status, headers);
    await sendBody(entry, response, upstream, fault);
  }

  /** Asks the server behind; when the client goes, so does this request. */
  async #forward(
    entry: LoggedRequest,
    response: http.ServerResponse,
  ): Promise<http.IncomingMessage> {
    const headers = { ...entry.headers };
    delete headers.connection;
    delete headers["proxy-connection"];
    delete headers["proxy-authorization"];
    if (this.#faults.some((fault) => fault.unauthorized)) {
      delete headers.authorization;
      delete headers.cookie;
    }
    const { method, path } = entry;
    const { hostname, port, protocol } = new URL(this.#target);
    const { request } = protocol === "https:" ? https : http;
    return new Promise((resolve, reject) => {
      const upstream = request({ hostname, port, method, path, headers, agent: false }, resolve);
      upstream.once("error", reject);
      response.once("close", () => upstream.destroy());
      upstream.end(entry.body);
    });
  }
}

async function readAll(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Sends a body with what the fault does to it. */
async function sendBody(
  entry: LoggedRequest,
  response: http.ServerResponse,
  body: Iterable<Buffer> | AsyncIterable<Buffer>,
  { split, cutAfter, endAfter, hangAfter }: Fault,
): Promise<void> {
  const limit = cutAfter ?? endAfter ?? hangAfter ?? Infinity;
  response.flushHeaders();
  if (limit > 0) {
    for await (const piece of pieces(body, split)) {
      const part = piece.subarray(0, limit - entry.sent);
      await write(response, part);
      entry.sent += part.length;
      if (entry.sent >= limit) break;
    }
  }
  const isCutShort = entry.sent >= limit;
  if (isCutShort && hangAfter !== undefined) return;
  if (isCutShort && cutAfter !== undefined) {
    entry.state = "broken";
    response.socket?.destroySoon();
    return;
  }
  response.end();
}

/** Cuts what comes into pieces of the given sizes; the last size is repeated. */
async function* pieces(
  body: Iterable<Buffer> | AsyncIterable<Buffer>,
  sizes: number[] | undefined,
): AsyncGenerator<Buffer> {
  let count = 0;
  for await (const chunk of body) {
    if (!sizes) yield chunk;
    for (let at = 0; sizes && at < chunk.length;) {
      const size = Math.max(1, sizes[count] ?? sizes.at(-1) ?? chunk.length);
      yield chunk.subarray(at, at + size);
      at += size;
      count++;
      await nextTurn();
    }
  }
}

/** The chunks of a recording when they are due. */
async function* inRhythm({ body, chunks }: Recording): AsyncGenerator<Buffer> {
  const start = performance.now();
  let at = 0;
  for (const [ms, bytes] of chunks) {
    await sleep(Math.max(0, start + ms - performance.now()));
    yield body.subarray(at, at + bytes);
    at += bytes;
  }
  if (at < body.length) yield body.subarray(at);
}

/** Writes a piece and waits until it is handed to the socket; rejects when the client is gone. */
async function write(response: http.ServerResponse, piece: Buffer): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    response.write(piece, (error) => (error ? reject(error) : resolve()));
  });
}
