// The sample server: a small MindsDB server on 127.0.0.1, for trying the extension and for tests.
import { finishTrainings } from "../models/training.ts";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { serveControl } from "../sharedServer/control.ts";
import type { Control } from "../sharedServer/control.ts";
import { crash, problem, Refusal } from "./replies.ts";
import type { Reply } from "./replies.ts";
import { refuseStrangers } from "./requestGuard.ts";
import { matchRoute, routes } from "./routes.ts";
import type { Answer, Extension, ServerRequest } from "./call.ts";
import { SavedChanges } from "./savedChanges.ts";
import type { StorageProblem } from "./savedChanges.ts";
import { seed } from "./seed.ts";
import type { State } from "./state.ts";
import type { StreamEvent } from "../agents/streams.ts";

export interface SampleServerOptions {
  /** Default: a free port. */
  port?: number;
  /** Duration of an agent's step in ms, so that users see the steps arrive. Default: 250. */
  stepDelay?: number;
  /** The file that stores changes. If missing, changes are lost when the server stops. */
  changesFile?: string;
  onStorageProblem?: (problem: StorageProblem) => void;
  /** Set if several windows share the server. */
  control?: Control;
  extension?: Extension;
}

export interface SampleServer {
  url: string;
  port: number;
  /** Closes all connections and frees the port. */
  stop(): Promise<void>;
}

/** Starts a sample server. Rejects if the port is in use. */
export async function startSampleServer(options: SampleServerOptions = {}): Promise<SampleServer> {
  const { control, stepDelay = 250, extension = {} } = options;
  const state = seed();
  extension.prepare?.(state);
  const { changesFile, onStorageProblem = () => undefined } = options;
  const saved = changesFile ? new SavedChanges(changesFile, state, onStorageProblem) : undefined;
  saved?.load();
  const parts: Parts = { state, saved, control, stepDelay, extension };
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

/** Twice as long as the file that stores the changes can be. */
const maxBodyBytes = 32 * 1024 * 1024;

/** The parts of a server that handle a request. */
interface Parts {
  state: State;
  saved: SavedChanges | undefined;
  control: Control | undefined;
  stepDelay: number;
  extension: Extension;
}

async function serve(
  { state, saved, control, stepDelay, extension }: Parts,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    if (!state.unguarded) refuseStrangers(message);
    const controlled = control && serveControl(control, message, response);
    if (controlled === "answered") return;
    const body = await readBody(message);
    // There must be no `await` between load and save, so that requests cannot overwrite each other's changes.
    saved?.load();
    finishTrainings(state);
    const answer = controlled ?? handleRequest(extension, state, message, body);
    saved?.save();
    if ("events" in answer) {
      const { formatEvent = JSON.stringify } = extension;
      await sendStream(response, answer.events, stepDelay, formatEvent);
    } else sendReply(message, response, answer);
  } catch (error) {
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    const refusal = error instanceof Refusal ? error : crash("InternalServerError", String(error));
    sendReply(message, response, refusal.reply);
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  // The connection is still needed for the reply if the body is too long.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length > maxBodyBytes) throw problem(413, "Content Too Large", "The request is too long.");
  }
  return Buffer.concat(chunks);
}

function handleRequest(
  extension: Extension,
  state: State,
  message: IncomingMessage,
  body: Buffer,
): Answer {
  const path = (message.url ?? "/").replace(/[?#].*$/, "");
  const method = message.method === "HEAD" ? "GET" : (message.method ?? "GET");
  const json = () => readJson(message, body);
  const request = { state, method, path, message, body, json };
  const all = [...(extension.routes ?? []), ...routes];
  const next = (given: ServerRequest): Answer => {
    const match = matchRoute(all, given.method, given.path);
    if (!match) throw problem(404, "Not found", "The server has no such endpoint.");
    return match.handle({ ...given, params: match.params });
  };
  return extension.handle ? extension.handle(request, next) : next(request);
}

function readJson(message: IncomingMessage, body: Buffer): unknown {
  if (message.headers["content-type"]?.startsWith("application/json") !== true) {
    throw problem(415, "Unsupported Media Type", "The Content-Type must be application/json.");
  }
  try {
    return JSON.parse(body.toString("utf8")) as unknown;
  } catch {
    throw problem(400, "Bad Request", "The body of the request is not JSON.");
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
  formatEvent: (data: StreamEvent["data"]) => string,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  for (const { data, works } of events) {
    if (works && stepDelay > 0) {
      await sleep(stepDelay, undefined, { signal: gone.signal }).catch(() => undefined);
    }
    if (gone.signal.aborted) return;
    response.write(`data: ${formatEvent(data)}\n\n`);
  }
  response.end();
}
