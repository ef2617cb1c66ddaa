// The client library against the sample server: sign-in, lists and answers.
import assert from "node:assert/strict";
import { askAgent, listAgents } from "../../../src/mindsdb/agents.ts";
import type { Turn } from "../../../src/mindsdb/conversationTurn.ts";
import { parseAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { isAppError, type AppErrorKind } from "../../../src/mindsdb/errors.ts";
import { listKnowledgeBases } from "../../../src/mindsdb/knowledgeBases.ts";
import { getStatus, login, logout } from "../../../src/mindsdb/http/login.ts";
import { listModels } from "../../../src/mindsdb/models.ts";
import { listProjects } from "../../../src/mindsdb/projects.ts";
import type { Credential } from "../../../src/mindsdb/http/session.ts";
import { quoteName, quoteTable, runSql } from "../../../src/mindsdb/sql/runSql.ts";
import { createTransport, type Transport } from "../../../src/mindsdb/http/transport.ts";
import { startTestServer } from "../../sampleServer/server.ts";
import { clientOver } from "../../clientOver.ts";
import { useTestClient } from "../../useTestClient.ts";

type Sample = Awaited<ReturnType<typeof startTestServer>>;
const account = { username: "ada", password: "canary-password" };
const isKind = (kind: AppErrorKind) => (error: unknown) => isAppError(error, kind);
const ask = (question: string): Turn[] => [{ question, answer: "" }];

for (const mode of ["token", "session", "session_or_token"] as const) {
  describe(`login in mode ${mode}`, () => {
    let server: Sample;
    let transport: Transport;
    before(async () => {
      server = await startTestServer({ login: { ...account, mode } });
      transport = createTransport(parseAddress(server.url));
    });
    after(async () => {
      await transport.close();
      await server.stop();
    });

    const clientWith = (credential: Credential | undefined) =>
      clientOver(transport, { credential });

    it("returns a credential for later requests, and logout revokes it", async () => {
      const credential = await login(transport, account);
      assert.equal("token" in credential, mode !== "session");
      const client = clientWith(credential);
      assert.ok((await listProjects(client)).length > 0);
      assert.equal((await getStatus(transport, { credential })).confirmed, true);
      if (mode !== "session") {
        await logout(transport, credential);
        await assert.rejects(listProjects(client), isKind("signInNeeded"));
      }
    });

    it("reports a wrong username or password", () =>
      assert.rejects(login(transport, { ...account, password: "other" }), isKind("signInRefused")));

    it("rejects requests without a sign-in", async () => {
      await assert.rejects(listProjects(clientWith(undefined)), isKind("signInNeeded"));
      assert.equal((await getStatus(transport)).authEnabled, true);
    });
  });
}

for (const dialect of ["25", "26"] as const) {
  describe(`lists and answers in the dialect of ${dialect}.x`, () => {
    const sample = useTestClient(() => startTestServer({ dialect }));

    it("lists the default project first", async () => {
      const projects = await listProjects(sample.client);
      assert.deepEqual(projects[0], { name: "mindsdb", isDefault: true });
      assert.ok(projects.slice(1).every(({ isDefault }) => !isDefault));
      assert.ok(!projects.some(({ name }) => name === "files" || name === "information_schema"));
    });

    it("groups a model's versions under its active one", async () => {
      const models = await listModels(sample.client, "mindsdb");
      const rentals = models.find(({ name }) => name === "home_rentals_model");
      assert.ok(rentals && rentals.versions.length >= 2);
      assert.equal(rentals.current.active, true);
      assert.deepEqual(
        rentals.versions.map(({ version }) => version),
        rentals.versions.map(({ version }) => version).sort((a, b) => b - a),
      );
      assert.ok(models.some(({ current }) => current.status === "error" && current.error));
    });

    it("lists agents and knowledge bases by name", async () => {
      const agents = await listAgents(sample.client, "mindsdb");
      assert.ok(agents.length > 1);
      const names = agents.map(({ name }) => name);
      assert.deepEqual(names, [...names].sort());
      const [guide] = await listKnowledgeBases(sample.client, "mindsdb");
      assert.equal(guide?.idColumn, "id");
    });

    it("never sends an empty question", () =>
      assert.rejects(
        askAgent(sample.client, "mindsdb", "rental_agent", ask("  ")).next(),
        isKind("refused"),
      ));

    it("treats an error with status 200 as an error", () =>
      assert.rejects(runSql(sample.client, "SELECT * FROM nowhere.nothing"), isKind("sql")));
  });
}

describe("SQL", () => {
  it("quotes names, and rejects the one character that cannot be escaped", () => {
    assert.equal(quoteName("a.b c"), "`a.b c`");
    assert.throws(() => quoteName("a`b"), isKind("sql"));
    for (const name of ['a`"b', "a`\\b"]) assert.throws(() => quoteTable(name), isKind("sql"));
    assert.equal(quoteTable("a`b"), '"a`b"');
  });
});
