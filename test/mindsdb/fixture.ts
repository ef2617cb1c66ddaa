// What the tests share: one seeded server of each version, with its language model.
import { VERSIONS, type Version } from "../../scripts/mindsdb/install.ts";
import { Admin } from "./admin.ts";
import { startLanguageModel, type LanguageModel } from "./languageModel.ts";
import { homes } from "./rentals.ts";
import { seed, SEEDED } from "./seed.ts";
import { startMindsDB, type Auth, type RealServer } from "../../scripts/mindsdb/server.ts";

/** The versions under test: all, or those that MINDSDB_VERSIONS names. */
export const versions: readonly Version[] = VERSIONS.filter((version) =>
  (process.env["MINDSDB_VERSIONS"] ?? version).includes(version),
);

/** The one user of each server; made up. */
export const ACCOUNT = { username: "tester", password: "made-up-password-1" } as const;

export interface Fixture {
  server: RealServer;
  llm: LanguageModel;
}

const fixtures = new Map<Version, Fixture>();
const backgroundServers = new Map<Version, RealServer>();

/** A server that lets the one user in, in this mode. */
export function authOf(mode: Auth["mode"]): Auth {
  return { mode, ...ACCOUNT };
}

/** A version's seeded server and its language model; there from the first test on. */
export function fixture(version: Version): Fixture {
  const found = fixtures.get(version);
  if (!found) throw new Error(`no server of ${version}`);
  return found;
}

/** A version's server without data and sign-in, whose jobs and queries run in the background. Started with its first use. */
export async function backgroundServer(version: Version): Promise<RealServer> {
  const found = backgroundServers.get(version);
  if (found) return found;
  const server = await startMindsDB({ version, background: true });
  backgroundServers.set(version, server);
  return server;
}

/** A server ends the process of an engine that was idle for two minutes, and needs up to half a minute for the next one. */
const keepWarmMs = 60_000;
let keepWarm: NodeJS.Timeout | undefined;

async function predictOnce({ server }: Fixture): Promise<void> {
  const admin = await Admin.signIn(server);
  const [row] = homes(1);
  await admin.post(`/api/projects/mindsdb/models/${SEEDED.model}/predict`, { data: [row] });
}

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
  keepWarm = setInterval(() => {
    // A server may be down when a test has stopped it.
    for (const one of fixtures.values()) void predictOnce(one).catch(() => undefined);
  }, keepWarmMs);
});

afterEach("show what the servers say of a failure", function () {
  if (this.currentTest?.state !== "failed") return;
  for (const server of [...fixtures.values()]
    .map((one) => one.server)
    .concat([...backgroundServers.values()])) {
    const end = server.log().split("\n").slice(-40).join("\n");
    console.log(`${server.version}, the end of its log:\n${end}`);
  }
});

after("stop the servers", async () => {
  clearInterval(keepWarm);
  for (const server of backgroundServers.values()) await server.stop();
  for (const { server, llm } of fixtures.values()) {
    await server.stop();
    await llm.stop();
  }
});
