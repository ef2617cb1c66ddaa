// What the tests share: one seeded server of each version, the product's client on it, and questions asked through it.
import { createTransport } from "../../src/mindsdb/transport.ts";
import { parseAddress } from "../../src/mindsdb/address.ts";
import { askAgent, type Turn } from "../../src/mindsdb/agents.ts";
import { Client } from "../../src/mindsdb/client.ts";
import { login } from "../../src/mindsdb/login.ts";
import { Secrets } from "../../src/mindsdb/redact.ts";
import { Session, type Credential } from "../../src/mindsdb/session.ts";
import type { AgentStep, StepEvent } from "../../src/mindsdb/stream/steps.ts";
import { VERSIONS, type Version } from "./install.ts";
import { startLanguageModel, type LanguageModel } from "./languageModel.ts";
import { seed, SEEDED } from "./seed.ts";
import { startMindsDB, type Auth, type RealServer } from "./server.ts";

/** The versions under test: all, or those that MINDSDB_VERSIONS names. */
export const versions: readonly Version[] = VERSIONS.filter((version) =>
  (process.env["MINDSDB_VERSIONS"] ?? version).includes(version),
);

export const ACCOUNT = { username: "tester", password: "made-up-password-1" } as const;

export function authOf(mode: Auth["mode"]): Auth {
  return { mode, ...ACCOUNT };
}

export interface Fixture {
  server: RealServer;
  llm: LanguageModel;
}

const fixtures = new Map<Version, Fixture>();
const lost = { asked: 0, withoutAnswer: 0 };

before("start and seed the servers", async function () {
  this.timeout(10 * 60_000);
  await Promise.all(
    versions.map(async (version) => {
      const llm = await startLanguageModel();
      const server = await startMindsDB({ version, auth: authOf("session_or_token") });
      fixtures.set(version, { server, llm });
      await seed(server, llm, { train: true });
    }),
  );
});

afterEach(function () {
  if (this.currentTest?.state !== "failed") return;
  for (const { server } of fixtures.values()) console.log(`${server.version}: ${server.log()}`);
});

after("stop the servers", async () => {
  for (const { server, llm } of fixtures.values()) {
    await server.stop();
    await llm.stop();
  }
  console.log(
    `25.14.1 lost ${lost.withoutAnswer} of ${lost.asked} answers; each was asked for again.`,
  );
});

/** A version's seeded server and its language model; there from the first test on. */
export function fixture(version: Version): Fixture {
  const found = fixtures.get(version);
  if (!found) throw new Error(`no server of ${version}`);
  return found;
}

/** The product's client on a server, which signs in by itself whenever it has to. */
export interface Connection {
  client: Client;
  /** How often it has signed in. */
  signIns(): number;
  credential(): Credential | undefined;
  close(): Promise<void>;
}

/** Connects to a URL; `mayRenew: false` stands for a user who is not kept signed in. */
export function connect(url: string, { mayRenew = true } = {}): Connection {
  const transport = createTransport(parseAddress(url));
  let credential: Credential | undefined;
  let signIns = 0;
  const session = new Session(transport, {
    current: () => Promise.resolve(credential),
    async renew() {
      if (!mayRenew) return undefined;
      credential = await login(transport, ACCOUNT);
      signIns += 1;
      return credential;
    },
  });
  return {
    client: new Client(session, new Secrets()),
    signIns: () => signIns,
    credential: () => credential,
    close: () => session.close(),
  };
}

/** A run's outcome: its steps as they stood at the end, and how it ended. */
export interface Run {
  steps: AgentStep[];
  answer?: { format: "markdown" | "table"; text: string };
  failed?: { message: string; early: boolean };
  ended: boolean;
}

/**
 * Asks an agent of the seeded server. 25.14.1 loses the end of a run now and then (neither answer nor error): then it
 * is asked again, twice at most.
 */
export async function ask(
  version: Version,
  client: Client,
  question: string,
  { agent = SEEDED.agent, earlier = [] }: { agent?: string; earlier?: Turn[] } = {},
): Promise<Run> {
  const messages = [...earlier, { question, answer: "" }];
  let run = await askOnce(client, agent, messages);
  if (version !== "25.14.1") return run;
  lost.asked += 1;
  for (let again = 0; again < 2 && !run.answer && !run.failed; again += 1) {
    lost.withoutAnswer += 1;
    run = await askOnce(client, agent, messages);
  }
  return run;
}

async function askOnce(client: Client, agent: string, messages: Turn[]): Promise<Run> {
  const run: Run = { steps: [], ended: false };
  for await (const event of askAgent(client, "mindsdb", agent, messages)) take(run, event);
  return run;
}

function take(run: Run, event: StepEvent): void {
  switch (event.type) {
    case "step":
      run.steps.push(event.step);
      break;
    case "add": {
      const step = run.steps[event.n - 1];
      if (!step) throw new Error(`no step ${event.n}`);
      step.parts.push(...event.parts);
      step.state = event.state;
      break;
    }
    case "answer":
      run.answer = event;
      break;
    case "failed":
      run.failed = event;
      break;
    case "end":
      run.ended = true;
  }
}
