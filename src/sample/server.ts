// The sample server: a small MindsDB on 127.0.0.1, for trying things out and for tests.
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

/** How a sample server starts. */
export interface SampleServerOptions {
  /** A free port unless given. */
  port?: number;
  /** Without it, nobody has to sign in. */
  login?: Login;
  /** The token that every login gives and that is valid without one. */
  token?: string;
  /** The generation of servers it speaks like; "26" unless given. */
  dialect?: Dialect;
  /** Milliseconds that a step of an agent takes, so that one sees the steps arrive; 250 unless given. */
  stepDelay?: number;
  /** Whether the server has a model for agents that name none; true unless given. */
  defaultModel?: boolean;
  /**
   * Answers under any host name and for any web page, and returns agents' keys in clear, as real servers do. For tests
   * with proxies and keys; false unless given.
   */
  unguarded?: boolean;
  /** Where changes are kept; without it they are lost when the server stops. */
  changesFile?: string;
  onStorageProblem?: (problem: StorageProblem) => void;
  /** For a server that several windows share. */
  control?: Control;
}

/** A running sample server. */
export interface SampleServer {
  url: string;
  port: number;
  /** Closes all connections and frees the port. */
  stop(): Promise<void>;
}

/** Starts a sample server; rejects if the port is taken. */
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

/** What a server is made of. */
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
    // Nothing else runs between reading the file and writing it.
    saved?.load();
    const answer = controlled ?? handle(state, auth, request, body);
    saved?.save();
    if ("events" in answer) await stream(response, answer.events, stepDelay);
    else send(request, response, answer);
  } catch (error) {
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    const refusal = error instanceof Refusal ? error : crash("InternalServerError", String(error));
    send(request, response, refusal.reply);
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Answers a request in the order of a real server: credentials, route, then the rest. */
function handle(state: State, auth: Auth, request: IncomingMessage, body: Buffer): Answer {
  const path = (request.url ?? "/").replace(/[?#].*$/, "");
  auth.check(request, path);
  const method = request.method === "HEAD" ? "GET" : (request.method ?? "GET");
  const { handle: run, params, methods, unslashed } = matchRoute(method, path);
  if (run) return run({ state, auth, request, params, json: () => readJson(request, body) });
  if (unslashed) throw redirect(request, path);
  if (method === "OPTIONS" && methods.length > 0) {
    const allow = ["OPTIONS", "HEAD", ...methods].join(", ");
    return { status: 200, type: "text/html; charset=utf-8", body: "", headers: { allow } };
  }
  throw noRoute(method, path, methods.length > 0);
}

/** What a real server says where no route answers: it depends on how near the request came to one. */
function noRoute(method: string, path: string, isKnownPath: boolean): Refusal {
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

/** Real servers know some lists only with a slash at the end. */
function redirect(request: IncomingMessage, path: string): Refusal {
  const location = `http://${request.headers.host ?? ""}${path}/`;
  const link = `<a href="${location}">${location}</a>`;
  const text = `You should be redirected automatically to the target URL: ${link}. If not, click the link.`;
  const refusal = page(308, "Redirecting...", "Redirecting...", text);
  // Unlike the server's other pages this one leaves its paragraph open.
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

function send(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  const length = reply.status === 204 ? {} : { "content-length": Buffer.byteLength(reply.body) };
  response.writeHead(reply.status, { "content-type": reply.type, ...length, ...reply.headers });
  response.end(request.method === "HEAD" ? undefined : reply.body);
}

/** Sends one event after the other as it is computed, and stops when nobody listens any more. */
async function stream(
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
