// The sample server: a small MindsDB server on 127.0.0.1, for trying the extension and for tests.
import { finishTrainings } from "../models/training.ts";
import { randomBytes } from "node:crypto";
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
  /** Set if several windows share the server. It answers nobody else then. */
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
  const state = seed();
  options.extension?.prepare?.(state);
  const { changesFile, onStorageProblem = () => undefined } = options;
  const saved = changesFile ? new SavedChanges(changesFile, state, onStorageProblem) : undefined;
  saved?.load();
  const programToken = randomBytes(32).toString("hex");
  const server = createServer((request, response) => {
    void serve({ ...options, state, saved, programToken }, request, response);
  });
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

interface RunningServer extends SampleServerOptions {
  state: State;
  saved: SavedChanges | undefined;
  /** Lets other programs of the user in, such as curl in a terminal, until the server stops. */
  programToken: string;
}

async function serve(
  { state, saved, control, programToken, stepDelay = 250, extension = {} }: RunningServer,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    if (!state.unguarded) refuseStrangers(message);
    const controlled = control && serveControl(control, programToken, message, response);
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
    } else sendReply(response, answer);
  } catch (error) {
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    const refusal = error instanceof Refusal ? error : crash("InternalServerError", String(error));
    sendReply(response, refusal.reply);
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
  const json = () => JSON.parse(body.toString("utf8")) as unknown;
  const request = { state, method: message.method ?? "GET", path, message, body, json };
  const all = [...(extension.routes ?? []), ...routes];
  const next = (given: ServerRequest): Answer => {
    const match = matchRoute(all, given.method, given.path);
    if (!match) throw problem(404, "Not found", "The server has no such endpoint.");
    return match.handle({ ...given, params: match.params });
  };
  return extension.handle ? extension.handle(request, next) : next(request);
}

function sendReply(response: ServerResponse, { status, type, body, headers }: Reply): void {
  const length = status === 204 ? {} : { "content-length": Buffer.byteLength(body) };
  response.writeHead(status, { "content-type": type, ...length, ...headers });
  response.end(body);
}

/** Sends events as they are computed and stops when the client disconnects. */
async function sendStream(
  response: ServerResponse,
  events: Iterable<StreamEvent>,
  stepDelay: number,
  formatEvent: (data: StreamEvent["data"]) => string,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  for (const { data, works } of events) {
    if (works && stepDelay > 0) await sleep(stepDelay, undefined, { ref: false });
    if (response.destroyed) return;
    response.write(`data: ${formatEvent(data)}\n\n`);
  }
  response.end();
}
