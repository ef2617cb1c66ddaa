// Interruptions on a real server: Stop, and a restart, after which every sign-in is invalid.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { AgentRun } from "../../src/chat/transcript.ts";
import { listAgents } from "../../src/mindsdb/agents.ts";
import { listModels } from "../../src/mindsdb/models.ts";
import { startFaultProxy, type FaultProxy } from "../proxy/faultProxy.ts";
import { send } from "./admin.ts";
import { connect, Conversation, type Connection } from "./conversation.ts";
import { fixture, versions } from "./fixture.ts";
import { SEEDED } from "./seed.ts";

for (const version of versions) {
  describe(`MindsDB ${version}, interrupted`, () => {
    let proxy: FaultProxy;
    let connection: Connection;
    beforeEach(async () => {
      proxy = await startFaultProxy({ target: fixture(version).server.url });
      connection = await connect(proxy.url);
    });
    afterEach(async () => {
      fixture(version).llm.release();
      await connection.close();
      await proxy.stop();
    });

    it("by Stop: closes the connection immediately and keeps received steps", async () => {
      const { server, llm } = fixture(version);
      const stop = new AbortController();
      const conversation = new Conversation(connection);
      const asking = conversation.ask("[held late] Where to live?", { signal: stop.signal });
      while (llm.held === 0 || !hasObservation(conversation.last)) await sleep(10);
      const closed = proxy.waitFor(({ state }) => state === "aborted").then(() => "closed");
      stop.abort();
      const run = await asking;
      const stillOpen = send(`${server.url}/api/status`, "GET").then(() => "still open");
      assert.equal(await Promise.race([closed, stillOpen]), "closed");
      // The server's side does not notice: its language model is still being waited for.
      assert.equal(llm.held, 1);
      assert.equal(run.state, "stopped");
      assert.equal(run.answer, undefined);
      assert.ok(hasObservation(run));
    });
  });

  describe(`MindsDB ${version}, restarted between two questions`, () => {
    it("gets one new sign-in for all requests, and answers the question", async () => {
      const { server } = fixture(version);
      const kept = await connect(server.url);
      const notKept = await connect(server.url, { keep: false });
      try {
        const conversation = new Conversation(kept);
        assert.equal((await conversation.ask("[text] Before?")).state, "answered");
        const before = kept.credential;

        await server.restart();
        const [agents, models, run] = await Promise.all([
          listAgents(kept.client, "mindsdb"),
          listModels(kept.client, "mindsdb"),
          conversation.ask("[text] After?"),
        ]);
        assert.equal(run.state, "answered");
        assert.equal(agents.length, 3);
        assert.equal(models[0]?.name, SEEDED.model);
        assert.equal(kept.signIns, 2);
        assert.notDeepEqual(kept.credential, before);

        const listing = listAgents(notKept.client, "mindsdb");
        await assert.rejects(listing, { kind: "signInNeeded" });
      } finally {
        await kept.close();
        await notKept.close();
      }
    });
  });
}

function hasObservation(run: AgentRun | undefined): boolean {
  const parts = run?.steps.flatMap((step) => step.parts) ?? [];
  return parts.some((part) => part.kind === "observation");
}
