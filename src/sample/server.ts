// The sample server: a small MindsDB server on 127.0.0.1, for trying the extension and for tests.
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Auth } from "./auth.ts";
import type { Login } from "./auth.ts";
import { serveControl } from "./control.ts";
import type { Control } from "./control.ts";
import {
  badRequest,
  crash,
  page,
  problem,
  pythonJson,
  Refusal,
  unsupportedMediaType,
} from "./replies.ts";
import type { Reply } from "./replies.ts";
import { refuseStrangers } from "./requestGuard.ts";
import { matchRoute } from "./routes.ts";
import type { Answer } from "./call.ts";
import { SavedChanges } from "./savedChanges.ts";
import type { StorageProblem } from "./savedChanges.ts";
import { seed } from "./seed.ts";
import type { Dialect, State } from "./state.ts";
import type { StreamEvent } from "./streams.ts";

/** Options of a sample server. */
export interface SampleServerOptions {
  /** Default: a free port. */
  port?: number;
  /** If missing, users do not have to sign in. */
  login?: Login;
  /** The token that every login returns. It is also valid before a login. */
  token?: string;
  /** The server generation to imitate. Default: "26". */
  dialect?: Dialect;
  /** Duration of an agent's step in ms, so that users see the steps arrive. Default: 250. */
  stepDelay?: number;
  /** Whether the server has a model for agents without one. Default: true. */
  defaultModel?: boolean;
  /**
   * Accept any host name and requests from any web page, and return agents' keys unmasked, as real servers do. For tests
   * with proxies and keys. Default: false.
   */
  unguarded?: boolean;
  /** The file that stores changes. If missing, changes are lost when the server stops. */
  changesFile?: string;
  onStorageProblem?: (problem: StorageProblem) => void;
  /** Set if several windows share the server. */
  control?: Control;
}

/** A running sample server. */
export interface SampleServer {
  url: string;
  port: number;
  /** Closes all connections and frees the port. */
  stop(): Promise<void>;
}

/** Starts a sample server. Rejects if the port is in use. */
export async function startSampleServer(options: SampleServerOptions = {}): Promise<SampleServer> {
  const state = seed(options.dialect ?? "26");
  if (options.defaultModel === false) state.defaultModel = undefined;
  state.unguarded = options.unguarded ?? false;
  const { changesFile, onStorageProblem = () => undefined } = options;
  const saved = changesFile ? new SavedChanges(changesFile, state, onStorageProblem) : undefined;
  saved?.load();
  const auth = new Auth(options.login, options.token);
  const { control, stepDelay = 250 } = options;
  const parts: Parts = { state, saved, auth, control, stepDelay };
  const server = createServer((request, response) => void serve(parts, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The parts of a server that handle a request. */
interface Parts {
  state: State;
  saved: SavedChanges | undefined;
  auth: Auth;
  control: Control | undefined;
  stepDelay: number;
}

async function serve(
  { state, saved, auth, control, stepDelay }: Parts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    if (!state.unguarded) refuseStrangers(request);
    const controlled = control && serveControl(control, request, response);
    if (controlled === "answered") return;
    const body = await readBody(request);
    // There must be no `await` between load and save, so that requests cannot overwrite each other's changes.
    saved?.load();
    const answer = controlled ?? handleRequest(state, auth, request, body);
    saved?.save();
    if ("events" in answer) await sendStream(response, answer.events, stepDelay);
    else sendReply(request, response, answer);
  } catch (error) {
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    const refusal = error instanceof Refusal ? error : crash("InternalServerError", String(error));
    sendReply(request, response, refusal.reply);
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Handles a request. Like a real server, it checks credentials before it looks for a route. */
function handleRequest(state: State, auth: Auth, request: IncomingMessage, body: Buffer): Answer {
  const path = (request.url ?? "/").replace(/[?#].*$/, "");
  auth.check(request, path);
  const method = request.method === "HEAD" ? "GET" : (request.method ?? "GET");
  const { handle: run, params, methods, unslashed } = matchRoute(method, path);
  if (run) return run({ state, auth, request, params, json: () => readJson(request, body) });
  if (unslashed) throw createRedirect(request, path);
  if (method === "OPTIONS" && methods.length > 0) {
    const allow = ["OPTIONS", "HEAD", ...methods].join(", ");
    return { status: 200, type: "text/html; charset=utf-8", body: "", headers: { allow } };
  }
  throw createRouteError(method, path, methods.length > 0);
}

/** Creates the error of a real server for a request without a route. It depends on the path and the method. */
function createRouteError(method: string, path: string, isKnownPath: boolean): Refusal {
  if (!path.startsWith("/api/")) {
    const hint = "If you entered the URL manually please check your spelling and try again.";
    const text = `The requested URL was not found on the server. ${hint}`;
    return page(404, "404 Not Found", "Not Found", text);
  }
  if (method === "GET") {
    const detail = "The endpoint you are trying to access does not exist on the server.";
    return problem(404, "Not found", detail);
  }
  const text = "The method is not allowed for the requested URL.";
  return isKnownPath
    ? crash("Method Not Allowed", text, 405)
    : page(405, "405 Method Not Allowed", "Method Not Allowed", text);
}

/** Creates the redirect that real servers send if a list's trailing slash is missing. */
function createRedirect(request: IncomingMessage, path: string): Refusal {
  const location = `http://${request.headers.host ?? ""}${path}/`;
  const link = `<a href="${location}">${location}</a>`;
  const text = `You should be redirected automatically to the target URL: ${link}. If not, click the link.`;
  const refusal = page(308, "Redirecting...", "Redirecting...", text);
  // Unlike other pages of real servers, this one does not close its paragraph.
  refusal.reply.body = refusal.reply.body.replace("</p>", "");
  refusal.reply.headers = { location };
  return refusal;
}

function readJson(request: IncomingMessage, body: Buffer): unknown {
  const { headers } = request;
  if (!headers["content-type"]?.startsWith("application/json")) throw unsupportedMediaType();
  if (headers["transfer-encoding"] !== undefined) throw badRequest();
  try {
    return JSON.parse(body.toString("utf8")) as unknown;
  } catch {
    throw badRequest();
  }
}

function sendReply(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  const length = reply.status === 204 ? {} : { "content-length": Buffer.byteLength(reply.body) };
  response.writeHead(reply.status, { "content-type": reply.type, ...length, ...reply.headers });
  response.end(request.method === "HEAD" ? undefined : reply.body);
}

/** Sends events as they are computed and stops when the client disconnects. */
async function sendStream(
  response: ServerResponse,
  events: Iterable<StreamEvent>,
  stepDelay: number,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  for (const { data, works } of events) {
    if (works && stepDelay > 0) {
      await sleep(stepDelay, undefined, { signal: gone.signal }).catch(() => undefined);
    }
    if (gone.signal.aborted) return;
    response.write(`data: ${pythonJson(data)}\n\n`);
  }
  response.end();
}
