// Agents made and changed on real servers by what stands behind the form and quick create; and models that fail.
import assert from "node:assert/strict";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import {
  createDraft,
  emptyDraft,
  hasStoredKey,
  type AgentDraft,
} from "../../src/agents/agentDraft.ts";
import type { SaveRequest, SavedAgent } from "../../src/agents/host/saveAgent.ts";
import type { Problem } from "../../src/agents/agentProblems.ts";
import { readGuard, type ServerAccess } from "../../src/shared/connection.ts";
import { parseAddress } from "../../src/mindsdb/http/serverAddress.ts";
import { deleteAgent, getAgent } from "../../src/mindsdb/agents.ts";
import type { AppError } from "../../src/mindsdb/errors.ts";
import { getStatus } from "../../src/mindsdb/http/login.ts";
import { createTransport } from "../../src/mindsdb/http/transport.ts";
import { connect, type Connection } from "./conversation.ts";
import { fixture } from "./fixture.ts";
import type { Version } from "../../scripts/mindsdb/install.ts";
import { MODEL_API_KEY } from "./script.ts";
import "./stubVscode.ts";

const { ServerCatalog } = await import("../../src/agents/host/serverCatalog.ts");
const { findSaveProblem, saveAgent } = await import("../../src/agents/host/saveAgent.ts");
const { explainError } = await import("../../src/shared/host/errorMessages.ts");

/** Another made-up key, for the models that refuse. */
export const KEY = "close-sesame-9876543210";

export const project = "mindsdb";

/** An answer in words, where agents need a call of a tool. */
const words = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1_700_000_000,
  model: "scripted",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Hi!" } }],
};

/** Has another model on this machine answer: its port stands in the path, `/late/PORT/v1/…`. */
async function forward(
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const [, port = "", path = ""] = /^\/late\/(\d+)(\/.*)/.exec(request.url ?? "") ?? [];
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    body: await buffer(request),
  });
  response.shouldKeepAlive = false;
  response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
  response.end(await answer.text());
}

/** Models that fail or take their time: how stands in the address. */
export class FailingModels {
  /** Requests that wait for their answer. */
  readonly #held = new Set<() => void>();
  readonly #server = http.createServer((request, response) => {
    const [, how = ""] = /^\/(\w+)\//.exec(request.url ?? "") ?? [];
    const answer = (status: number, type: string, body: string): void => {
      response.shouldKeepAlive = false;
      response.writeHead(status, { "content-type": type }).end(body);
    };
    const json = "application/json";
    if (how === "words") answer(200, json, JSON.stringify(words));
    else if (how === "page") answer(200, "text/html", "<!doctype html><p>A page</p>");
    else if (how === "damaged") answer(200, json, "{");
    else if (how === "gone") response.destroy();
    else if (how === "elsewhere") {
      response.writeHead(302, { location: "http://127.0.0.1:9/" }).end();
    } else if (how === "held") this.#held.add(() => answer(500, json, "{}"));
    else if (how === "late") {
      // A server that has given up its request is no failure of the test.
      const send = () => void forward(request, response).catch(() => response.destroy());
      this.#held.add(send);
    } else {
      const error = { message: `No, not with ${KEY}.`, type: "scripted", param: null, code: null };
      answer(Number(how), json, JSON.stringify({ error }));
    }
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  /** The address of a model that answers with this status; or with `words`, a `page`, … */
  with(how: number | "words" | "page" | "damaged" | "gone" | "elsewhere" | "held"): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/${how}/v1`;
  }

  /** The address of a model that is asked only once it is let go. */
  late(model: { url: string }): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/late/${new URL(model.url).port}/v1`;
  }

  get held(): number {
    return this.#held.size;
  }

  /** Lets those that are held go on. */
  release(): void {
    for (const goOn of this.#held) goOn();
    this.#held.clear();
  }

  /** Lets all go on that are held until this is done. */
  async letting<T>(work: Promise<T>): Promise<T> {
    const releasing = setInterval(() => this.release(), 100);
    return work.finally(() => clearInterval(releasing));
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** The agents' way to one server, as the form takes it. */
export class AgentOrders {
  readonly connection: Connection;
  readonly servers: ServerAccess;
  readonly catalog: InstanceType<typeof ServerCatalog>;
  readonly #llm: string;
  readonly #made = new Set<string>();

  private constructor(version: Version, connection: Connection) {
    const { server, llm } = fixture(version);
    const entry = {
      id: "real",
      name: "Real",
      address: server.url,
      isPreset: false,
      ...readGuard({}),
    };
    const transport = createTransport(parseAddress(server.url));
    this.#llm = llm.url;
    this.connection = connection;
    this.servers = {
      list: () => [entry],
      find: () => entry,
      client: () => Promise.resolve(connection.client),
      allowWrite: () => Promise.resolve(true),
      secrets: () => connection.client.secrets,
      status: () => getStatus(transport),
    };
    this.catalog = new ServerCatalog(this.servers, entry.id);
  }

  /** With `keep: false` a login that the server forgets is not renewed. */
  static async connect(version: Version, options: { keep?: boolean } = {}): Promise<AgentOrders> {
    return new AgentOrders(version, await connect(fixture(version).server.url, options));
  }

  /** Deletes the agents that were made, each of those that share a name. */
  async close(): Promise<void> {
    for (const name of this.#made) {
      for (let deleted = true; deleted;) {
        deleted = await deleteAgent(this.connection.client, project, name).then(
          () => true,
          () => false,
        );
      }
    }
    await this.connection.close();
  }

  /** A model that answers. */
  own(change: Partial<AgentDraft["model"]> = {}): AgentDraft["model"] {
    return {
      own: true,
      provider: "openai",
      modelName: "scripted",
      baseUrl: this.#llm,
      ...change,
    };
  }

  draft(name: string, change: Partial<AgentDraft> = {}): AgentDraft {
    return { ...emptyDraft(project), name, model: this.own(), ...change };
  }

  async send(order: SaveRequest, signal = new AbortController().signal): Promise<SavedAgent> {
    try {
      const sent = await saveAgent(this.catalog, order, signal);
      if (sent.kind !== "problem") this.#made.add(order.draft.name);
      return sent;
    } catch (error) {
      // What is cancelled here can come into being there.
      if (signal.aborted) this.#made.add(order.draft.name);
      throw error;
    }
  }

  make(draft: AgentDraft, apiKey: string = MODEL_API_KEY): Promise<SavedAgent> {
    return this.send({ draft, apiKey });
  }

  stored(name: string): ReturnType<typeof getAgent> {
    return getAgent(this.connection.client, project, name);
  }

  /** The order of a form in which an agent is edited. */
  async edit(name: string, edit: Partial<AgentDraft>, apiKey = ""): Promise<SaveRequest> {
    const now = await this.stored(name);
    const before = createDraft(now, project);
    const modelOf = { project, name, hasKey: hasStoredKey(now.model) };
    return { draft: { ...before, ...edit }, apiKey, before, modelOf };
  }

  async change(name: string, edit: Partial<AgentDraft>, apiKey = ""): Promise<SavedAgent> {
    return this.send(await this.edit(name, edit, apiKey));
  }

  /** What the user is told; fails if the server does not refuse, or if a key is in a text. */
  async refused(order: SaveRequest): Promise<Problem> {
    try {
      const outcome = await this.send(order);
      if (outcome.kind === "problem") return outcome.problem;
    } catch (error) {
      const found = await findSaveProblem(error, this.catalog, order);
      const failure: Problem = found ?? { field: "form", text: explainError(error).message };
      const { message, detail = "" } = error as AppError;
      for (const secret of [KEY, MODEL_API_KEY]) {
        for (const text of [failure.text, message, detail]) {
          assert.ok(!text.includes(secret), text);
        }
      }
      assert.doesNotMatch(failure.text, /Traceback|\{'|status_code|ModelHTTPError/);
      assert.match(failure.text, /\.$/);
      return failure;
    }
    return assert.fail("the server took it");
  }
}

/** Asserts that an agent was made, and that what the server said of it holds no key. */
export function assertMade(outcome: unknown, name: string): void {
  const { row } = outcome as { row?: Record<string, unknown> };
  assert.equal(row?.["name"], name, JSON.stringify(outcome));
  assert.ok(!JSON.stringify(row).includes(MODEL_API_KEY));
}
