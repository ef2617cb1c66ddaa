// How sockets are opened: directly or through a proxy. The only file that imports undici.
import type { Socket } from "node:net";
import { Agent, buildConnector, Pool, ProxyAgent, Socks5ProxyAgent, type Dispatcher } from "undici";
import type { ProvenServer } from "./provenServer.ts";
import { loginIn, portOf, proxyFailed, withoutBrackets, type Proxy } from "./proxy.ts";

type Connector = ReturnType<typeof buildConnector>;

/** Certificates to trust, and whether others are refused; empty where nothing is encrypted. */
export interface Trust {
  ca?: string[];
  rejectUnauthorized?: boolean;
}

const connectTimeoutMs = 10_000;
// Our own limits replace undici's 300 s, which would cut a slow model; silence is shown to the user instead.
const noLimits = { headersTimeout: 0, bodyTimeout: 0 };

export function createDispatcher(proxy: Proxy | undefined, trust: Trust): Dispatcher {
  const direct = buildConnector({ timeout: connectTimeoutMs, ...trust });
  if (!proxy) return new Agent({ ...noLimits, connect: ignoringContinue(direct) });
  if (proxy.isSocks) {
    return new Agent({ ...noLimits, connect: ignoringContinue(throughSocks(proxy.url, direct)) });
  }
  return new ProxyAgent({
    ...noLimits,
    // Without a username and password, which undici decodes and cannot always.
    uri: proxy.url.origin,
    ...(proxy.authorization !== undefined && { token: proxy.authorization }),
    requestTls: trust,
    proxyTls: trust,
    clientFactory: (origin, options) => {
      const { connect } = options as { connect: Connector };
      return new Pool(origin, { ...options, connect: namingProxy(connect) });
    },
    factory: (origin, options) => {
      const { connect } = options as { connect: Connector };
      return new Pool(origin, { ...options, connect: ignoringContinue(connect) });
    },
  });
}

/** Tells errors of the connection to a proxy from those of the connection to the server. */
function namingProxy(connect: Connector): Connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error) callback(new Error(proxyFailed, { cause: error }), null);
      else callback(null, socket);
    });
}

/** Sends nothing before the server has proven who it is, on each connection. */
export function createProvenDispatcher(server: ProvenServer): Dispatcher {
  const connect: Connector = ({ port }, callback) => {
    server.openSocket(Number(port)).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(error as Error, null),
    );
  };
  return new Agent({ ...noLimits, connect });
}

/** A method of undici's SOCKS agent that its types omit. */
interface SocksTunnel {
  createSocks5Connection(host: string, port: number): Promise<Socket>;
}

/**
 * Opens tunnels through a SOCKS 5 proxy, which resolves the names. Not undici's agent itself, which has no time limit for
 * TLS to the server; of its options `proxyTls`, even an empty one, stands for TLS to the proxy.
 */
function throughSocks(url: URL, direct: Connector): Connector {
  const { username, password } = loginIn(url);
  const connect = buildConnector({ timeout: connectTimeoutMs });
  const agent = new Socks5ProxyAgent(`socks5://${url.host}`, {
    connect: (options, callback) =>
      connect({ ...options, hostname: withoutBrackets(options.hostname) }, callback),
    username,
    password,
  }) as unknown as SocksTunnel;
  return (options, callback) => {
    const { hostname, protocol, host = hostname } = options;
    agent.createSocks5Connection(hostname, portOf(new URL(`${protocol}//${host}`))).then(
      (socket) => {
        if (protocol === "https:") direct({ ...options, httpSocket: socket }, callback);
        else callback(null, socket);
      },
      (error: Error) => callback(error, null),
    );
  };
}

type HeadersComplete = (status: number, ...more: unknown[]) => number;

/**
 * Lets a server send "100 Continue" without having been asked, as HTTP allows (RFC 9110, 15.2). undici closes the
 * connection at one, but ignores "102 Processing".
 */
function ignoringContinue(connect: Connector): Connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error) return callback(error, null);
      callback(null, socket);
      const key = Object.getOwnPropertySymbols(socket).find(
        ({ description }) => description === "parser",
      );
      const parser = key && (socket as unknown as Record<symbol, unknown>)[key];
      if (!parser) return;
      const { onHeadersComplete } = parser as { onHeadersComplete: HeadersComplete };
      Object.assign(parser, {
        onHeadersComplete: (status: number, ...more: unknown[]): number =>
          onHeadersComplete.call(parser, status === 100 ? 102 : status, ...more),
      });
    });
}
