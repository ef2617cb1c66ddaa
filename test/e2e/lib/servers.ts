// The server of a journey: a sample server, agents that a test can respond for, and the fault proxy in front of both.
import { startTestServer } from "../../sampleServer/server.ts";
import type { SampleServer } from "../../../src/sample/server/server.ts";
import type { TestServerOptions } from "../../sampleServer/server.ts";
import { startFaultProxy, type FaultProxy, type LoggedRequest } from "../../proxy/faultProxy.ts";
import { HeldStreams, type HeldQuestion } from "./heldStreams.ts";

/** Secrets that no journey may leave behind. Their shape does not match known kinds of secrets. */
export const canaries = {
  username: "ada",
  password: "canary-password-4711",
  token: "canary-token-0815",
  apiKey: "canary-api-key-1234",
};

export interface JourneyServerOptions extends TestServerOptions {
  /** Requires users to sign in, with the canaries. */
  signIn?: "token" | "session" | "session_or_token";
}

interface SqlAnswer {
  column_names?: string[];
  data?: unknown[][];
  error_message?: string | null;
}

export class JourneyServer {
  readonly #options: JourneyServerOptions;
  readonly #streams = new HeldStreams("");
  #sample: SampleServer | undefined;
  #proxy: FaultProxy | undefined;

  constructor(options: JourneyServerOptions = {}) {
    const { username, password, token } = canaries;
    const { signIn: mode } = options;
    const account = mode ? { login: { username, password, mode }, token } : {};
    this.#options = { stepDelay: 30, unguarded: true, ...account, ...options };
  }

  async start(port?: number): Promise<void> {
    await this.#startSample(this.#options);
    await this.#streams.start();
    const target = this.#streams.url;
    this.#proxy = await startFaultProxy({ target, ...(port === undefined ? {} : { port }) });
  }

  get proxy(): FaultProxy {
    if (!this.#proxy) throw new Error("The server has not been started");
    return this.#proxy;
  }

  /** The address as a user types it: host and port. */
  get address(): string {
    return `127.0.0.1:${this.proxy.port}`;
  }

  /** The sample server behind the proxy, for changes that others make in the meantime. */
  get behind(): string {
    return this.#streams.target;
  }

  /** Runs a statement behind the proxy, and returns the rows of a SELECT. */
  async sql(query: string): Promise<unknown[][]> {
    return (await this.#post(query)).data ?? [];
  }

  /** The first row of a statement's result, by column. */
  async sqlRow(query: string): Promise<Record<string, unknown>> {
    const { column_names = [], data = [] } = await this.#post(query);
    return Object.fromEntries(column_names.map((name, at) => [name, data[0]?.[at]]));
  }

  /** Adds rows to a knowledge base of the project `mindsdb`, behind the proxy. */
  async addContent(knowledgeBase: string, rows: readonly object[]): Promise<void> {
    const path = `/api/projects/mindsdb/knowledge_bases/${knowledgeBase}`;
    await this.#send("PUT", path, { knowledge_base: { rows } });
  }

  /** Holds the next question for the test to answer. */
  hold(): Promise<HeldQuestion> {
    return this.#streams.hold();
  }

  /** Answers the next question with a text; `ask` makes an agent be asked. */
  async answerNext(text: string, ask: () => Promise<void>): Promise<void> {
    const held = this.hold();
    await ask();
    const question = await held;
    question.send({ type: "data", text }, { type: "end" });
    question.end();
  }

  /** The requests since the proxy was started (or since `forget`), as `METHOD /path`. */
  requests(fits = /./): string[] {
    return this.logged(fits).map(({ method, path }) => `${method} ${path}`);
  }

  logged(fits = /./): LoggedRequest[] {
    return this.proxy.requests.filter(({ method, path }) => fits.test(`${method} ${path}`));
  }

  forget(): void {
    this.proxy.requests.length = 0;
  }

  /** Simulates a server restart: it does not respond for a moment, and earlier tokens are invalid. */
  async restart(): Promise<void> {
    await this.proxy.refuse();
    await this.#sample?.stop();
    const token = this.#options.token && { token: `${this.#options.token}-again` };
    await this.#startSample({ ...this.#options, ...token });
    await this.proxy.accept();
  }

  async stop(): Promise<void> {
    await this.#proxy?.stop();
    await this.#streams.stop();
    await this.#sample?.stop();
  }

  async #post(query: string): Promise<SqlAnswer> {
    const response = await this.#send("POST", "/api/sql/query", { query });
    const answer = (await response.json()) as SqlAnswer;
    if (answer.error_message) throw new Error(`${query}: ${answer.error_message}`);
    return answer;
  }

  #send(method: string, path: string, body: object): Promise<Response> {
    const headers = { "content-type": "application/json" };
    return fetch(this.behind + path, { method, headers, body: JSON.stringify(body) });
  }

  async #startSample(options: TestServerOptions): Promise<void> {
    this.#sample = await startTestServer(options);
    this.#streams.target = this.#sample.url;
  }
}
