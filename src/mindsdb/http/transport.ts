// HTTP over undici. The only file that imports undici, which is loaded with the first request.
import * as l10n from "@vscode/l10n";
import fs from "node:fs";
import { Readable } from "node:stream";
import tls from "node:tls";
import { Agent, EnvHttpProxyAgent, type Dispatcher } from "undici";
import { isLoopback, type ServerAddress } from "./serverAddress.ts";
import { decompressed, isEmpty } from "./contentCoding.ts";
import { AppError } from "../errors.ts";
import { bodyError, networkError, type Proxies } from "./networkErrors.ts";

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
}

export interface NetworkOptions {
  /** Proxy URL (VS Code's `http.proxy`); "" means no proxy, undefined the environment's HTTP(S)_PROXY. */
  proxy?: string | undefined;
  noProxy?: readonly string[] | undefined;
  /** False accepts any certificate (VS Code's `http.proxyStrictSSL`). */
  strictSSL?: boolean | undefined;
  caFile?: string | undefined;
}

const connectTimeoutMs = 10_000;
/** For the response's headers, and between two parts of its body. */
const defaultTimeoutMs = 30_000;

/** A transport to one server. Loopback addresses never go through a proxy. */
export function createTransport(address: ServerAddress, network: NetworkOptions = {}): Transport {
  const proxies = loadProxies(address, network);
  const dispatcher = createDispatcher(address, network, proxies);
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
          headers: withContentLength(request),
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
        throw networkError(error, { address, proxies, limitMs: limit });
      }
    },
    close: () => dispatcher.destroy(),
  };
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

/** VS Code's proxy, else the environment's; none for this machine. Throws AppError "proxy". */
function loadProxies(address: ServerAddress, { proxy }: NetworkOptions): Proxies {
  if (isLoopback(address)) return {};
  const { env } = process;
  const http = proxy ?? env["http_proxy"] ?? env["HTTP_PROXY"];
  const https = proxy ?? env["https_proxy"] ?? env["HTTPS_PROXY"];
  return {
    http: http ? parseProxy(http) : undefined,
    https: https ? parseProxy(https) : undefined,
  };
}

/** Parses a proxy URL; the scheme is optional. Errors do not repeat the text, which may contain a password. */
function parseProxy(text: string): URL {
  const address = text.includes("://") ? text : `http://${text}`;
  if (!URL.canParse(address)) {
    throw new AppError("proxy", l10n.t("The address of the proxy is not a valid URL."));
  }
  const url = new URL(address);
  if (!/^(https?|socks5?):$/.test(url.protocol)) {
    throw new AppError(
      "proxy",
      l10n.t("Proxies with {0}// addresses are not supported.", url.protocol),
    );
  }
  return url;
}

function createDispatcher(
  address: ServerAddress,
  network: NetworkOptions,
  proxies: Proxies,
): Dispatcher {
  const isSecure =
    address.origin.startsWith("https:") ||
    [proxies.http, proxies.https].some((proxy) => proxy?.protocol === "https:");
  const trust = isSecure
    ? { ca: certificates(network.caFile), rejectUnauthorized: network.strictSSL ?? true }
    : {};
  // Our own limits replace undici's 300 s, which would cut a slow model; silence is shown to the user instead.
  const options = {
    connect: { timeout: connectTimeoutMs, ...trust },
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  if (isLoopback(address)) return new Agent(options);
  const noProxy = network.noProxy?.length ? network.noProxy.join(",") : undefined;
  return new EnvHttpProxyAgent({
    ...options,
    httpProxy: proxies.http?.href ?? "",
    httpsProxy: proxies.https?.href ?? "",
    noProxy,
    requestTls: trust,
    proxyTls: trust,
  });
}

/** The proxy that requests to an address go through. Throws AppError "proxy". */
export function proxyFor(address: ServerAddress, network: NetworkOptions): URL | undefined {
  const proxies = loadProxies(address, network);
  const { protocol, hostname } = new URL(address.origin);
  const proxy = protocol === "https:" ? (proxies.https ?? proxies.http) : proxies.http;
  const isExcluded = (network.noProxy ?? []).some(
    (host) => hostname === host || hostname.endsWith(`.${host.replace(/^[*.]+/, "")}`),
  );
  return isExcluded ? undefined : proxy;
}

/** Certificate authorities of Node, of the system (if this Node can read them) and of the user's file. */
export function certificates(caFile: string | undefined): string[] {
  const trusted =
    typeof tls.getCACertificates === "function"
      ? [...tls.getCACertificates("default"), ...tls.getCACertificates("system")]
      : [...tls.rootCertificates];
  if (!caFile) return trusted;
  try {
    return [...trusted, fs.readFileSync(caFile, "utf8")];
  } catch (cause) {
    throw new AppError("certificate", l10n.t("The certificate file {0} can't be read.", caFile), {
      cause,
    });
  }
}
