// The diagnosis of a connection to a real server, which must not cost anything.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { diagnose } from "../../src/connections/diagnosis.ts";
import { connect, type Connection } from "./conversation.ts";
import { fixture, versions } from "./fixture.ts";

/** More than a server needs to call a model. */
const modelCallMs = 5_000;

for (const version of versions) {
  describe(`MindsDB ${version}, diagnosing a connection`, () => {
    let connection: Connection;
    before(async () => (connection = await connect(fixture(version).server.url)));
    after(() => connection.close());

    it("finds nothing wrong, and reaches no model", async () => {
      const { server, llm } = fixture(version);
      const calls = llm.conversations.length;
      const steps = await diagnose({
        address: server.url,
        network: {},
        client: () => Promise.resolve(connection.client),
        isSignedIn: true,
        signal: AbortSignal.timeout(60_000),
        onStep: () => undefined,
      });
      assert.deepEqual(
        steps.filter(({ state }) => state === "failed"),
        [],
      );
      assert.equal(steps.find(({ name }) => name === "MindsDB")?.text, `Version ${version}.`);
      assert.equal(steps.at(-1)?.state, "ok");
      await sleep(modelCallMs);
      assert.equal(llm.conversations.length, calls);
    });
  });
}
