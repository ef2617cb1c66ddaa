// A provider for promptfoo, bundled into one file that a workspace gets a copy of. It reads an agent's answer with the
// code of the Test Explorer, so that both judge the same.
import { emptyTranscript, findOutcome, reduce } from "../../chat/transcript.ts";
import { isObject } from "../../mindsdb/json.ts";
import { formatCount, quotePath } from "../../mindsdb/sql/quoteName.ts";
import { readSteps } from "../../mindsdb/stream/readSteps.ts";
import { toOutcome, type AgentOutcome } from "../checks/agentOutcome.ts";
import { parseTarget, type TestTarget } from "../runs/testTarget.ts";
import * as retrieval from "../checks/searchMetrics.ts";
import { sendSpans } from "./sendSpans.ts";

interface ProviderOptions {
  config?: { provider?: string; limit?: number };
}

interface ProviderResponse {
  output?: string;
  error?: string;
  latencyMs?: number;
}

/** The second argument of an assertion's function in promptfoo; `config` is the assertion's. */
interface AssertionContext {
  config: { expected: unknown[]; k?: number };
}

/** Its static methods are for `type: javascript`: promptfoo looks for functions in the default export. */
export default class MindsDBProvider {
  readonly #written: string;
  readonly #target: TestTarget | undefined;
  readonly #limit: number;

  constructor({ config }: ProviderOptions = {}) {
    this.#written = config?.provider ?? "";
    this.#target = parseTarget(this.#written);
    this.#limit = config?.limit ?? retrieval.defaultLimit;
  }

  /** `output` is the JSON list of ids that a search gives. */
  static hitAtK(output: string, { config }: AssertionContext): number {
    return retrieval.hitAtK(readIds(output), config.expected.map(String), config.k ?? Infinity);
  }

  /** As `hitAtK`. */
  static reciprocalRank(output: string, { config }: AssertionContext): number {
    return retrieval.reciprocalRank(readIds(output), config.expected.map(String));
  }

  id(): string {
    return this.#written;
  }

  /** Errors hold no text of the server, which may repeat an agent's key. */
  async callApi(prompt: string, context: { traceparent?: string } = {}): Promise<ProviderResponse> {
    const target = this.#target;
    if (!target) {
      return {
        error: "config.provider must be mindsdb:PROJECT/AGENT or mindsdb-search:PROJECT/KB",
      };
    }
    try {
      if (target.kind === "knowledgeBase") return await search(target, prompt, this.#limit);
      const outcome = await ask(target, prompt);
      await sendSpans(outcome, context.traceparent);
      return { output: outcome.output, latencyMs: outcome.latencyMs };
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  }
}

function readIds(output: string): string[] {
  return JSON.parse(output) as string[];
}

async function ask({ project, name }: TestTarget, question: string): Promise<AgentOutcome> {
  const agent = { connectionId: "", connection: "", project, name };
  const transcript = emptyTranscript({ chatId: "", agent });
  const startedAt = performance.now();
  const at = (): number => performance.now() - startedAt;
  reduce(transcript, { type: "asked", run: 1, question, startedAt: 0 });
  const path = `/api/projects/${encodeURIComponent(project)}/agents/${encodeURIComponent(name)}/completions/stream`;
  const response = await post(path, { messages: [{ question, answer: "" }] });
  if (!response.body) throw new Error("The server's answer is empty.");
  for await (const event of readSteps(response.body)) {
    reduce(transcript, { type: "stepped", run: 1, at: at(), event });
  }
  const [run] = transcript.runs;
  if (run) reduce(transcript, { type: "ended", run: 1, at: at(), state: findOutcome(run).state });
  const outcome = run && toOutcome(run);
  if (!outcome) throw new Error("The agent failed, or ended without an answer.");
  return outcome;
}

async function search(
  { project, name }: TestTarget,
  question: string,
  limit: number,
): Promise<ProviderResponse> {
  const startedAt = performance.now();
  const from = quotePath([project, name]);
  const query = `SELECT * FROM ${from} WHERE content = :question LIMIT ${formatCount(limit)}`;
  const response = await post("/api/sql/query", { query, params: { question } });
  const answer: unknown = await response.json();
  const { type, column_names: columns, data } = isObject(answer) ? answer : {};
  if (type !== "table" || !Array.isArray(columns) || !Array.isArray(data)) {
    throw new Error(`The search of ${project}.${name} failed.`);
  }
  const [relevanceAt, idAt] = [columns.indexOf("relevance"), columns.indexOf("id")];
  const chunks = (data as unknown[][]).map((row) => {
    const relevance = row[relevanceAt];
    return {
      id: row[idAt],
      content: "",
      ...(typeof relevance === "number" ? { relevance } : {}),
    };
  });
  const ids = retrieval.rankDocuments(chunks).map(({ id }) => id);
  return { output: JSON.stringify(ids), latencyMs: performance.now() - startedAt };
}

async function post(path: string, body: object): Promise<Response> {
  const server = (process.env["MINDSDB_URL"] ?? "http://127.0.0.1:47334").replace(
    /(?<!\/)\/+$/,
    "",
  );
  const token = process.env["MINDSDB_TOKEN"];
  const headers = {
    "content-type": "application/json",
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(server + path, {
    method: "POST",
    // The question and the token are for this server.
    redirect: "error",
    headers,
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`The server answered ${String(response.status)} to ${path}.`);
  return response;
}
