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

  /** Holds the next question for the test to answer. */
  hold(): Promise<HeldQuestion> {
    return this.#streams.hold();
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

  async #startSample(options: TestServerOptions): Promise<void> {
    this.#sample = await startTestServer(options);
    this.#streams.target = this.#sample.url;
  }
}
