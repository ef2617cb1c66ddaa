// Protects the VS Code server, which can read and write files, from other users of the machine and from web pages of
// other origins.
import crypto from "node:crypto";
import http from "node:http";
import type { Duplex } from "node:stream";

export interface GateOptions {
  /** The folder or `.code-workspace` file that a page without one is sent to. */
  folder: string;
  /** Whether VS Code asks before it trusts a folder. If not, the gate opens no other folder. */
  asksForTrust: boolean;
}

/** What is behind the gate. */
export interface GatedServer {
  /** The page of VS Code, for one of the folders that may be opened. */
  answerPage(request: http.IncomingMessage, response: http.ServerResponse): void;
  answer(request: http.IncomingMessage, response: http.ServerResponse): void;
  upgrade(request: http.IncomingMessage, socket: Duplex): void;
}

/** The name of the token in the printed address. */
export const tokenParameter = "tkn";

/** Returns an HTTP server that lets nobody through without the token of the printed address. */
export function createGate(
  options: GateOptions,
  gated: GatedServer,
): { server: http.Server; token: string } {
  const gate = new Gate(options, gated);
  const server = http.createServer((request, response) => gate.answer(request, response));
  server.on("upgrade", (request, socket) => {
    if (refusal(request) || !gate.hasCookie(request)) socket.destroy();
    else gated.upgrade(request, socket);
  });
  return { server, token: gate.token };
}

/**
 * Why a request is refused, whatever else it has, or `undefined`. `Host` must be this machine's loopback (a name that was
 * pointed at 127.0.0.1 is somebody else's page) and `Origin`, where there is one, this server's own.
 */
function refusal(request: http.IncomingMessage): string | undefined {
  const { host, origin } = request.headers;
  const port = String(request.socket.localPort);
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (host === undefined || !hosts.includes(host)) {
    return "Refused: this host name is not served here.";
  }
  if (origin !== undefined && origin !== `http://${host}`) {
    return "Refused: this comes from another page.";
  }
  const site = request.headers["sec-fetch-site"];
  const foreign = site === "cross-site" || site === "same-site";
  // Links from other pages are allowed; frames, images and scripts of other pages are not.
  if (foreign && request.headers["sec-fetch-dest"] !== "document") {
    return "Refused: this is embedded in another page.";
  }
  return undefined;
}

class Gate {
  readonly token = crypto.randomBytes(32).toString("base64url");
  readonly #options: GateOptions;
  readonly #gated: GatedServer;

  constructor(options: GateOptions, gated: GatedServer) {
    this.#options = options;
    this.#gated = gated;
  }

  /** Answers a request, or has it answered by what is behind the gate. */
  answer(request: http.IncomingMessage, response: http.ServerResponse): void {
    const refused = refusal(request);
    const url = parseTarget(request);
    if (refused || !url) return refuse(response, refused ?? "Refused: this is not an address.");
    if (request.method === "GET" && url.pathname === "/" && url.searchParams.has(tokenParameter)) {
      return this.#exchange(url, request, response);
    }
    if (!this.hasCookie(request)) {
      const text = "Refused: open the address with the token that was printed at the start.";
      return refuse(response, text);
    }
    // VS Code also serves its page under the path of its version.
    if (url.pathname.endsWith("/")) this.#answerPage(url, request, response);
    else this.#gated.answer(request, response);
  }

  hasCookie(request: http.IncomingMessage): boolean {
    const prefix = `${cookieName(request)}=`;
    const pairs = request.headers.cookie?.split(/; */) ?? [];
    return pairs.some(
      (pair) => pair.startsWith(prefix) && isSame(pair.slice(prefix.length), this.token),
    );
  }

  /** Exchanges the token of the printed address for a cookie, and takes it out of the address. */
  #exchange(url: URL, request: http.IncomingMessage, response: http.ServerResponse): void {
    const tokens = url.searchParams.getAll(tokenParameter);
    if (tokens.length !== 1 || !isSame(tokens[0] ?? "", this.token)) {
      return refuse(response, "Refused: this token is not valid. It changes with each start.");
    }
    url.searchParams.delete(tokenParameter);
    redirect(response, url.searchParams, {
      "set-cookie": `${cookieName(request)}=${this.token}; HttpOnly; SameSite=Strict; Path=/`,
    });
  }

  /**
   * The page takes a folder from its address, and more: `payload` names extensions that it runs. Only the folder is let
   * through, and without trust only the one that is served.
   */
  #answerPage(url: URL, request: http.IncomingMessage, response: http.ServerResponse): void {
    const { folder, asksForTrust } = this.#options;
    const own = openedBy(folder);
    const names = ["folder", "workspace", "ew"];
    const asked = [...url.searchParams].find(([name]) => names.includes(name)) ?? own;
    const isOwn = asked[0] === own[0] && asked[1] === own[1];
    if (!asksForTrust && !isOwn && asked[0] !== "ew") {
      const text =
        "Refused: this VS Code trusts what it opens, so it opens its sample workspace only. " +
        "With a server of your own (npm start -- --server URL) it opens every folder.";
      return refuse(response, text);
    }
    const query = new URLSearchParams([asked]);
    const isPlain = url.pathname === "/" && url.searchParams.toString() === query.toString();
    if (isPlain) this.#gated.answerPage(request, response);
    else redirect(response, query);
  }
}

/** The parameter with which the page opens a folder or a `.code-workspace` file. */
function openedBy(folder: string): [name: string, value: string] {
  const name = folder.endsWith(".code-workspace") ? "workspace" : "folder";
  return [name, folder.replaceAll("\\", "/")];
}

/** The address of a request, or `undefined` if others could read another one in it. */
function parseTarget({ url = "" }: http.IncomingMessage): URL | undefined {
  if (!/^\/(?![/\\])/.test(url) || !URL.canParse(url, "http://127.0.0.1")) return undefined;
  return new URL(url, "http://127.0.0.1");
}

/** Browsers send a cookie to all ports of a host. */
function cookieName({ socket }: http.IncomingMessage): string {
  return `mindsdb-workbench-${String(socket.localPort)}`;
}

/** Compares without telling by the time it takes how much is the same. */
function isSame(given: string, secret: string): boolean {
  const digest = (text: string) => crypto.createHash("sha256").update(text).digest();
  return crypto.timingSafeEqual(digest(given), digest(secret));
}

function redirect(
  response: http.ServerResponse,
  query: URLSearchParams,
  headers: http.OutgoingHttpHeaders = {},
): void {
  const location = query.size === 0 ? "/" : `/?${query.toString()}`;
  response.writeHead(302, {
    location,
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    ...headers,
  });
  response.end();
}

function refuse(response: http.ServerResponse, text: string): void {
  response.writeHead(403, { "content-type": "text/plain; charset=utf-8", connection: "close" });
  response.end(text);
}
