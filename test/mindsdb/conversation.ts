// Asks agents on a real server with the product's client, and returns the transcript that a user would see.
import {
  emptyTranscript,
  findOutcome,
  reduce,
  buildTurns,
  type EndState,
  type AgentRun,
  type Transcript,
} from "../../src/chat/transcript.ts";
import { parseAddress } from "../../src/mindsdb/http/serverAddress.ts";
import { askAgent } from "../../src/mindsdb/agents.ts";
import { Client } from "../../src/mindsdb/http/client.ts";
import { mayCost } from "../../src/mindsdb/sql/asksAgent.ts";
import { findListingUse } from "../../src/mindsdb/sql/findListingUse.ts";
import { login } from "../../src/mindsdb/http/login.ts";
import { Secrets } from "../../src/mindsdb/redact/redact.ts";
import { Session, type Credential } from "../../src/mindsdb/http/session.ts";
import { createTransport } from "../../src/mindsdb/http/transport.ts";
import { ACCOUNT } from "./fixture.ts";
import { SEEDED } from "./seed.ts";

/** The product's client on a server. */
export interface Connection {
  readonly client: Client;
  /** How often it has signed in, and with what it came back. */
  readonly signIns: number;
  readonly credential: Credential | undefined;
  close(): Promise<void>;
}

/** Connects to a URL. The user is kept signed in, so a 401 is met by signing in again; not with `keep: false`. */
export async function connect(
  url: string,
  { keep = true, isReadOnly = false } = {},
): Promise<Connection> {
  const transport = createTransport(parseAddress(url));
  let credential: Credential | undefined = await login(transport, ACCOUNT);
  let signIns = 1;
  const session = new Session(transport, {
    current: () => Promise.resolve(credential),
    async renew() {
      credential = keep ? await login(transport, ACCOUNT) : undefined;
      if (credential) signIns += 1;
      return credential;
    },
  });
  return {
    client: new Client(session, new Secrets(), {
      isReadOnly: () => isReadOnly,
      mayCost,
      findListingUse,
    }),
    get signIns() {
      return signIns;
    },
    get credential() {
      return credential;
    },
    close: () => transport.close(),
  };
}

const lost = { runs: 0, asked: 0 };

/** A conversation with an agent of the project `mindsdb`. */
export class Conversation {
  readonly #client: Client;
  readonly #transcript: Transcript;

  constructor({ client }: Connection, agent: string = SEEDED.agent) {
    const id = { connectionId: "real", connection: "Real", project: "mindsdb", name: agent };
    this.#client = client;
    this.#transcript = emptyTranscript({ chatId: "chat", agent: id });
  }

  /** The run of the last question. */
  get last(): AgentRun | undefined {
    return this.#transcript.runs.at(-1);
  }

  /**
   * Asks, and gives the run as it stands at its end. Servers of 25.14.1 lose the end of a run now and then: then the
   * question is asked again, as a user would, twice at most.
   */
  async ask(question: string, options: { signal?: AbortSignal } = {}): Promise<AgentRun> {
    let run = await this.#ask(question, options.signal);
    lost.asked += 1;
    for (let again = 0; again < 2 && run.state === "noAnswer"; again += 1) {
      lost.runs += 1;
      run = await this.#ask(question, options.signal);
    }
    return run;
  }

  async #ask(question: string, signal?: AbortSignal): Promise<AgentRun> {
    const { runs, agent } = this.#transcript;
    const id = runs.length + 1;
    const at = 0;
    reduce(this.#transcript, { type: "asked", run: id, question, startedAt: at });
    const run = runs.at(-1)!;
    let end: { state: EndState; reason?: string };
    try {
      const messages = buildTurns(this.#transcript);
      for await (const event of askAgent(
        this.#client,
        agent.project,
        agent.name,
        messages,
        signal,
      )) {
        reduce(this.#transcript, { type: "stepped", run: id, at, event });
      }
      end = findOutcome(run);
    } catch (error) {
      end = findOutcome(run, error);
    }
    reduce(this.#transcript, { type: "ended", run: id, at, ...end });
    return run;
  }
}

after("tell how many answers were lost", () => {
  console.log(`Of ${lost.asked} questions, ${lost.runs} had to be asked again.`);
});
