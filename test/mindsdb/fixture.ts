// What the tests share: one seeded server of each version, with its language model.
import { VERSIONS, type Version } from "../../scripts/mindsdb/install.ts";
import { startLanguageModel, type LanguageModel } from "./languageModel.ts";
import { seed } from "./seed.ts";
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

afterEach("show what the servers say of a failure", function () {
  if (this.currentTest?.state !== "failed") return;
  for (const { server } of fixtures.values()) {
    const end = server.log().split("\n").slice(-40).join("\n");
    console.log(`${server.version}, the end of its log:\n${end}`);
  }
});

after("stop the servers", async () => {
  for (const { server, llm } of fixtures.values()) {
    await server.stop();
    await llm.stop();
  }
});
