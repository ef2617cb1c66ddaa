// HTTP over undici, which is loaded with the first request.
import { Readable } from "node:stream";
import { certificates } from "./certificates.ts";
import { createDispatcher, createProvenDispatcher, type Trust } from "./connectors.ts";
import { decompressed, isEmpty } from "./contentCoding.ts";
import { bodyError, networkError } from "./networkErrors.ts";
import { findProxy, type Proxy, type ProxySettings } from "./proxy.ts";
import type { ProvenServer } from "./provenServer.ts";
import type { ServerAddress } from "./serverAddress.ts";

/** A request body too large for memory. It can be read several times: a request is repeated after a sign-in. */
export interface StreamedBody {
  /** In bytes; servers refuse bodies without a stated length. */
  length: number;
  read(): AsyncIterable<Uint8Array>;
}

export interface HttpRequest {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** From `/api` on, percent-encoded. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array | StreamedBody;
  signal?: AbortSignal | undefined;
  /** ms until the headers must be there, and the longest pause in the body; 0 is no limit. */
  timeoutMs?: number;
}

/** An answer whose body has not been read; leaving its iteration early closes the socket. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: AsyncIterable<Uint8Array>;
}

export interface Transport {
  /** Rejects with AppError, or with the signal's reason. */
  send(request: HttpRequest): Promise<HttpResponse>;
  close(): Promise<void>;
  /** True if the header Authorization is taken: by the login of a web server in front of MindsDB. */
  usesBasic?(): boolean;
}

export interface NetworkOptions extends ProxySettings {
  /** False accepts any certificate (VS Code's `http.proxyStrictSSL`). */
  strictSSL?: boolean | undefined;
  caFile?: string | undefined;
  /** For a server on this machine that has to prove who it is. */
  provenServer?: ProvenServer | undefined;
}

/** For the response's headers, and between two parts of its body. */
const defaultTimeoutMs = 30_000;

/** A transport to one server. Loopback addresses never go through a proxy. */
export function createTransport(address: ServerAddress, network: NetworkOptions = {}): Transport {
  const proxy = findProxy(address, network);
  const { provenServer } = network;
  const dispatcher = provenServer
    ? createProvenDispatcher(provenServer)
    : createDispatcher(proxy, createTrust(address, network, proxy));
  return {
    async send(request) {
      const limit = request.timeoutMs ?? defaultTimeoutMs;
      request.signal?.throwIfAborted();
      try {
        // Not undici's `request(url)`: a URL would fold an agent called ".." into its parent.
        const response = await dispatcher.request({
          origin: address.origin,
          method: request.method,
          path: address.prefix + request.path,
          headers: { ...withContentLength(request), ...authorization(provenServer) },
          body: toBody(request.body),
          signal: request.signal ?? null,
          headersTimeout: limit,
          bodyTimeout: limit,
        });
        const { statusCode: status, headers } = response;
        const body = isEmpty(status, headers["content-length"])
          ? response.body
          : decompressed(response.body, headers["content-encoding"]);
        return { status, headers, body: readBody(body, address, request.signal) };
      } catch (error) {
        if (request.signal?.aborted) throw request.signal.reason;
        throw networkError(error, { address, proxy: proxy?.url, limitMs: limit });
      }
    },
    close: () => dispatcher.destroy(),
  };
}

function authorization(server: ProvenServer | undefined): Record<string, string> {
  return server ? { authorization: `Bearer ${server.token}` } : {};
}

/** Adds content-length: servers reject chunked request bodies with 400. */
function withContentLength(request: HttpRequest): Record<string, string> {
  if (request.body === undefined) return { ...request.headers };
  return { ...request.headers, "content-length": String(measureBody(request.body)) };
}

function measureBody(body: NonNullable<HttpRequest["body"]>): number {
  if (typeof body === "string") return Buffer.byteLength(body);
  return "read" in body ? body.length : body.byteLength;
}

function toBody(body: HttpRequest["body"]): string | Uint8Array | Readable | null {
  if (typeof body !== "object" || body instanceof Uint8Array) return body ?? null;
  return Readable.from(body.read());
}

/** The body as a stream. Leaving the iteration closes the socket at once, even during a read. */
function readBody(
  body: Readable,
  address: ServerAddress,
  signal: AbortSignal | undefined,
): AsyncIterable<Uint8Array> {
  // Errors reach the reader through its read; later ones are ignored.
  body.on("error", () => undefined);
  async function next(
    chunks: AsyncIterator<Uint8Array, undefined>,
  ): Promise<IteratorResult<Uint8Array, undefined>> {
    try {
      return await chunks.next();
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw bodyError(error, address);
    }
  }
  return {
    [Symbol.asyncIterator]() {
      const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
      return {
        next: () => next(chunks),
        // Not the iterator's own return, which waits for the current read.
        return: () => {
          body.destroy();
          return Promise.resolve({ done: true, value: undefined });
        },
      };
    },
  };
}

/** Our certificates, if anything on the way is encrypted. */
function createTrust(
  address: ServerAddress,
  { caFile, strictSSL = true }: NetworkOptions,
  proxy: Proxy | undefined,
): Trust {
  const isSecure = address.origin.startsWith("https:") || proxy?.url.protocol === "https:";
  return isSecure ? { ca: certificates(caFile), rejectUnauthorized: strictSSL } : {};
}
