// What a user sees when the language model behind a real server fails.
import assert from "node:assert/strict";
import { listAgents } from "../../src/mindsdb/agents.ts";
import { Admin } from "./admin.ts";
import { connect, Conversation, type Connection } from "./conversation.ts";
import { fixture, versions } from "./fixture.ts";
import { startLanguageModel } from "./languageModel.ts";
import { MODEL_API_KEY, type FAILURES } from "./script.ts";
import { createAgent } from "./seed.ts";

/** What a server lets one see of each failure, where it shows anything. */
const CAUSES = {
  401: /401.*Incorrect API key provided/,
  429: /429.*Rate limit reached/,
  500: /500.*The scripted model has failed/,
  unreachable: /Connection error\./,
  broken: /Connection error\./,
} satisfies Record<keyof typeof FAILURES | "unreachable" | "broken", RegExp>;

for (const version of versions) {
  describe(`MindsDB ${version}, a language model that fails`, () => {
    let connection: Connection;
    before(async () => (connection = await connect(fixture(version).server.url)));
    after(() => connection.close());

    for (const [trouble, cause] of Object.entries(CAUSES)) {
      it(`fails with ${trouble} at its first call`, async () => {
        const run = await new Conversation(connection).ask(`[${trouble} early] Where to live?`);
        assert.equal(run.state, "failed");
        // 26.x tells no cause of what fails before there is a plan.
        assert.match(run.reason ?? "", version === "26.1.0" ? /completion event/ : cause);
        assert.equal(run.answer, undefined);
      });

      it(`fails with ${trouble} after a query, and the query stays visible`, async () => {
        const run = await new Conversation(connection).ask(`[${trouble} late] Where to live?`);
        assert.equal(run.state, "failed");
        assert.match(run.reason ?? "", cause);
        const query = run.steps.find((step) => step.kind === "sql");
        assert.equal(query?.state, "done");
        assert.ok(query.parts.some((part) => part.kind === "observation"));
      });
    }

    it("is stopped", async () => {
      const llm = await startLanguageModel();
      const admin = await Admin.signIn(fixture(version).server);
      await createAgent(admin, llm, "abandoned");
      await llm.stop();
      const run = await new Conversation(connection, "abandoned").ask("[text] Hello?");
      await admin.delete("/api/projects/mindsdb/agents/abandoned");
      assert.equal(run.state, "failed");
      assert.match(
        run.reason ?? "",
        version === "26.1.0" ? /completion event/ : /Connection error/,
      );
    });

    it("repeats its key, which is redacted after the agents were listed", async () => {
      await listAgents(connection.client, "mindsdb");
      const run = await new Conversation(connection).ask("[401 late] Where to live?");
      assert.match(run.reason ?? "", new RegExp(MODEL_API_KEY));
      const shown = connection.client.secrets.redact(JSON.stringify(run));
      assert.match(shown, /Incorrect API key provided: \*+/);
      assert.ok(!shown.includes(MODEL_API_KEY));
    });
  });
}
