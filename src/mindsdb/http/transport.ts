// HTTP over undici. The only file that imports undici, which is loaded with the first request.
import * as l10n from "@vscode/l10n";
import fs from "node:fs";
import type { Readable } from "node:stream";
import tls from "node:tls";
import { Agent, EnvHttpProxyAgent, type Dispatcher } from "undici";
import { formatAddress, isLoopback, type ServerAddress } from "./serverAddress.ts";
import { decompressed, isDamaged, isEmpty } from "./contentCoding.ts";
import { AppError } from "../errors.ts";

export interface HttpRequest {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** From `/api` on, percent-encoded. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
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

/** Proxy and certificate settings. */
export interface NetworkOptions {
  /** Proxy URL (VS Code's `http.proxy`); "" means no proxy, undefined the environment's HTTP(S)_PROXY. */
  proxy?: string | undefined;
  noProxy?: readonly string[] | undefined;
  /** False accepts any certificate (VS Code's `http.proxyStrictSSL`). */
  strictSSL?: boolean | undefined;
  /** A PEM file with further certificate authorities. */
  caFile?: string | undefined;
}

const connectTimeoutMs = 10_000;

/** A transport to one server. Loopback addresses never go through a proxy. */
export function createTransport(address: ServerAddress, network: NetworkOptions = {}): Transport {
  const proxies = loadProxies(address, network);
  const dispatcher = createDispatcher(address, network, proxies);
  return {
    async send(request) {
      const limit = request.timeoutMs ?? 30_000;
      request.signal?.throwIfAborted();
      try {
        // Not undici's `request(url)`: a URL would fold an agent called ".." into its parent.
        const response = await dispatcher.request({
          origin: address.origin,
          method: request.method,
          path: address.prefix + request.path,
          headers: withLength(request),
          body: request.body ?? null,
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
function withLength(request: HttpRequest): Record<string, string> {
  if (request.body === undefined) return { ...request.headers };
  const length =
    typeof request.body === "string" ? Buffer.byteLength(request.body) : request.body.byteLength;
  return { ...request.headers, "content-length": String(length) };
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
      const where = formatAddress(address);
      const more = { cause: error, detail: describe(error) };
      if (errorCode(error) === "UND_ERR_BODY_TIMEOUT") {
        throw new AppError(
          "timeout",
          l10n.t("{0} stopped in the middle of its answer.", where),
          more,
        );
      }
      if (isDamaged(errorCode(error))) {
        throw new AppError("badAnswer", l10n.t("The answer of {0} is damaged.", where), more);
      }
      const message = l10n.t("Lost the connection to {0} before the answer was complete.", where);
      throw new AppError("cutOff", message, more);
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

interface Proxies {
  http?: URL;
  https?: URL;
}

/** VS Code's proxy, else the environment's; none for this machine. Throws AppError "proxy". */
function loadProxies(address: ServerAddress, { proxy }: NetworkOptions): Proxies {
  if (isLoopback(address)) return {};
  const { env } = process;
  const http = proxy ?? env["http_proxy"] ?? env["HTTP_PROXY"];
  const https = proxy ?? env["https_proxy"] ?? env["HTTPS_PROXY"];
  return {
    ...(http ? { http: parseProxy(http) } : {}),
    ...(https ? { https: parseProxy(https) } : {}),
  };
}

/** Parses a proxy URL; the scheme is optional. Errors do not repeat the text, which may contain a password. */
function parseProxy(text: string): URL {
  const address = text.includes("://") ? text : `http://${text}`;
  if (!URL.canParse(address)) {
    throw new AppError("proxy", l10n.t("The address of the proxy is not an address."));
  }
  const url = new URL(address);
  if (!/^(https?|socks5?):$/.test(url.protocol)) {
    throw new AppError(
      "proxy",
      l10n.t("A proxy that is used by {0}// is not supported.", url.protocol),
    );
  }
  return url;
}

function createDispatcher(
  address: ServerAddress,
  network: NetworkOptions,
  proxies: Proxies,
): Dispatcher {
  const secure =
    address.origin.startsWith("https:") ||
    [proxies.http, proxies.https].some((proxy) => proxy?.protocol === "https:");
  const trust = secure
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
    ...(noProxy ? { noProxy } : {}),
    requestTls: trust,
    proxyTls: trust,
  });
}

/** Certificate authorities of Node, of the system (if this Node can read them) and of the user's file. */
function certificates(caFile: string | undefined): string[] {
  const trusted =
    typeof tls.getCACertificates === "function"
      ? [...tls.getCACertificates("default"), ...tls.getCACertificates("system")]
      : [...tls.rootCertificates];
  if (!caFile) return trusted;
  try {
    return [...trusted, fs.readFileSync(caFile, "utf8")];
  } catch (cause) {
    throw new AppError("certificate", l10n.t("The certificate file {0} cannot be read.", caFile), {
      cause,
    });
  }
}

/** Node's error codes for invalid certificates. */
const certificateCodes =
  /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(VERIFY|GET|DECRYPT|DECODE)_|CERT_|CRL_|ERR_TLS_CERT_|ERROR_IN_C|INVALID_(CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$|HOSTNAME_MISMATCH$|(CA|EE)_\w+_TOO_(WEAK|SMALL)$)/;

const certificateReasons: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: l10n.t("it is self-signed"),
  SELF_SIGNED_CERT_IN_CHAIN: l10n.t("its authority is not trusted on this machine"),
  UNABLE_TO_GET_ISSUER_CERT: l10n.t("its authority is unknown"),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: l10n.t("its authority is unknown"),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: l10n.t("its authority is unknown"),
  CERT_HAS_EXPIRED: l10n.t("it has expired"),
  CERT_NOT_YET_VALID: l10n.t("it is not valid yet"),
  CERT_REVOKED: l10n.t("it was revoked"),
  ERR_TLS_CERT_ALTNAME_INVALID: l10n.t("it is made for another host"),
  HOSTNAME_MISMATCH: l10n.t("it is made for another host"),
};

interface Attempt {
  address: ServerAddress;
  proxies: Proxies;
  limitMs: number;
}

function networkError(error: unknown, { address, proxies, limitMs }: Attempt): AppError {
  const where = formatAddress(address);
  const code = errorCode(error);
  const more = { cause: error, detail: describe(error) };
  if (error instanceof AppError) return error;
  if (certificateCodes.test(code)) {
    const reason = certificateReasons[code];
    const message =
      reason === undefined
        ? l10n.t("The certificate of {0} is not trusted ({1}).", where, code)
        : l10n.t("The certificate of {0} is not trusted: {1} ({2}).", where, reason, code);
    return new AppError("certificate", message, more);
  }
  if (code === "UND_ERR_HEADERS_TIMEOUT") {
    return new AppError(
      "timeout",
      l10n.t("{0} did not answer within {1} s.", where, Math.round(limitMs / 1000)),
      more,
    );
  }
  if (code === "UND_ERR_HEADERS_OVERFLOW") {
    const message = l10n.t(
      "The headers of the answer of {0} are larger than 16 kB: a proxy on the way may add them.",
      where,
    );
    return new AppError("tooLarge", message, more);
  }
  if (/^(ERR_SSL_|EPROTO)/.test(code)) {
    return new AppError("unreachable", l10n.t("{0} does not speak https.", where), more);
  }
  if (code === "UND_ERR_PRX_TLS" || /Proxy response \(\d+\)/.test(more.detail)) {
    return new AppError(
      "proxy",
      l10n.t("The proxy did not let the request to {0} through.", where),
      more,
    );
  }
  const proxy = address.origin.startsWith("https:")
    ? (proxies.https ?? proxies.http)
    : proxies.http;
  if (proxy && isAbout(proxy, more.detail)) {
    const message = l10n.t("The proxy {0}, on the way to {1}, does not answer.", proxy.host, where);
    return new AppError("proxy", message, more);
  }
  if (/^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(code) || brokeInUse(error)) {
    return new AppError(
      "cutOff",
      l10n.t("{0} closed the connection without an answer.", where),
      more,
    );
  }
  // For example MindsDB's port for MySQL clients.
  if (error instanceof Error && error.name === "HTTPParserError") {
    return new AppError(
      "notMindsDB",
      l10n.t("What answers at {0} does not speak http.", where),
      more,
    );
  }
  if (/^(ENOTFOUND|EAI_AGAIN)$/.test(code)) {
    const { hostname } = new URL(address.origin);
    return new AppError("unreachable", l10n.t("There is no host named {0}.", hostname), more);
  }
  return new AppError("unreachable", l10n.t("Can't reach {0}.", where), more);
}

/** Whether the failed connection was to the proxy. */
function isAbout({ hostname, port, protocol }: URL, detail: string): boolean {
  const usual: Record<string, string> = { "http:": "80", "https:": "443" };
  const number = port || (usual[protocol] ?? "1080");
  return (
    [...detail.matchAll(/:(\d+)/g)].some(([, named]) => named === number) ||
    detail.split("\n").some((line) => line.endsWith(` ${hostname}`))
  );
}

function errorCode(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return errorCode(error.errors[0]);
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === "string") return code;
  return cause ? errorCode(cause) : "";
}

/** Whether an established connection broke: the server may have received the request. */
function brokeInUse(error: unknown): boolean {
  const { syscall } = (error ?? {}) as { syscall?: unknown };
  return syscall === "read" || syscall === "write";
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const parts = [`${error.name}: ${error.message}`];
  if (error instanceof AggregateError) parts.push(...error.errors.map(describe));
  if (error.cause) parts.push(describe(error.cause));
  return parts.join("\n");
}
