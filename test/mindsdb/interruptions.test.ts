// What breaks into the work with a real server: the user's Stop, and a restart, which makes it forget every sign-in.
import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { listAgents } from "../../src/mindsdb/agents.ts";
import { listModels } from "../../src/mindsdb/models.ts";
import { send } from "./admin.ts";
import { connect, Conversation } from "./conversation.ts";
import { fixture, versions } from "./fixture.ts";
import { SEEDED } from "./seed.ts";

for (const version of versions) {
  describe(`MindsDB ${version}, Stop`, () => {
    it("closes the connection at once and keeps what came", async () => {
      const { server, llm } = fixture(version);
      const relay = await startRelay(Number(new URL(server.url).port));
      const connection = await connect(relay.url);
      const stop = new AbortController();
      try {
        const asking = new Conversation(connection).ask("[held late] Where are rents highest?", {
          signal: stop.signal,
        });
        while (llm.held === 0) await sleep(10);
        const closed = relay.nextClose().then(() => "closed");
        stop.abort();
        const run = await asking;
        const stillOpen = send(`${server.url}/api/status`, "GET").then(() => "still open");
        assert.equal(await Promise.race([closed, stillOpen]), "closed");
        // The server's side does not notice: its language model is still being waited for.
        assert.equal(llm.held, 1);
        assert.equal(run.state, "stopped");
        const query = run.steps.find((step) => step.kind === "sql");
        assert.ok(query?.parts.some((part) => part.kind === "observation"));
        assert.equal(run.answer, undefined);
      } finally {
        llm.release();
        await connection.close();
        relay.stop();
      }
    });
  });

  describe(`MindsDB ${version}, restarted between two questions`, function () {
    this.timeout(180_000);

    it("is signed in to again, once for all requests, and the question is asked", async () => {
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

/** Stands between a client and a port of this machine, and tells when the client closes a connection. */
async function startRelay(port: number) {
  const sockets = new Set<net.Socket>();
  const relay = net.createServer((client) => {
    const upstream = net.connect(port, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => sockets.delete(socket));
    }
    client.pipe(upstream).pipe(client);
    client.on("close", () => {
      upstream.destroy();
      relay.emit("clientClosed");
    });
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  return {
    url: `http://127.0.0.1:${(relay.address() as net.AddressInfo).port}`,
    nextClose: () => once(relay, "clientClosed"),
    stop() {
      relay.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
