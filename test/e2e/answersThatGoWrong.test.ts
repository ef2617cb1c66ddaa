// A question fails in every possible way: each run ends in one visible state, keeps what arrived, and says what to do.
import assert from "node:assert/strict";
import { engineFailure } from "../proxy/faultProxy.ts";
import type { Chat } from "./lib/chat.ts";
import { eventually } from "./lib/eventually.ts";
import {
  connectedTo,
  extensionLog,
  itLeavesNoSecrets,
  useServer,
  useWorkbench,
} from "./lib/journey.ts";
import { canaries } from "./lib/servers.ts";

const streams = /\/completions\/stream$/;

describe("Failing answers", () => {
  const server = useServer({ signIn: "session_or_token" });
  const open = useServer();
  const journey = useWorkbench(() => connectedTo({ Rentals: open, Guarded: server }));

  const context = (content: string) => ({ type: "context", content });
  const end = { type: "end" };
  /** The number of runs so far; each test adds its own. */
  let count = 0;

  const shown = () => journey.chat("rental_agent");

  async function ask(question = "What does a home cost?"): Promise<Chat> {
    const chat = await shown();
    await chat.ask(question);
    count++;
    return chat;
  }

  async function askHeld() {
    const held = open.hold();
    const chat = await ask();
    return { chat, held: await held };
  }

  before("open a conversation", async () => {
    await journey.chatWith("Rentals", "mindsdb", "rental_agent");
  });

  describe("in a stream", () => {
    it("says that the server is silent, and stops a stream that never ends", async () => {
      const { chat, held } = await askHeld();
      held.send(context("Creating execution plan..."));
      await eventually(async () => {
        assert.match(await chat.progress(), /^Plan · 1\d s · no response for 1\d s$/);
      }, 30_000);
      await eventually(async () => {
        await chat.composer.press("Escape", { timeout: 5_000 });
        assert.equal((await chat.ended(count, 3_000)).state, "stopped");
      });
      await held.closed;
    });
  });

  describe("instead of a stream", () => {
    it("summarizes a traceback in one sentence, and logs all of it", async () => {
      open.proxy.set({ on: streams, answer: engineFailure });
      const chat = await ask();
      const run = await chat.ended(count);
      assert.equal(run.state, "failed");
      assert.equal(run.sentence, "[engine/model]: RuntimeError: out of memory.");
      await chat.button("Show Log").waitFor();
      await eventually(() => {
        assert.match(
          extensionLog(journey.workbench),
          /Asking rental_agent failed[^]*process_cache\.py/,
        );
      });
    });

    it("names a server that does not respond, and asks again when it is back", async () => {
      await open.proxy.refuse();
      const chat = await ask();
      const run = await chat.ended(count);
      assert.deepEqual(
        [run.state, run.sentence, run.buttons],
        ["failed", `Can't reach http://${open.address}.`, ["Ask Again"]],
      );
      await open.proxy.accept();
      open.proxy.set();
      await chat.askAgain();
      assert.equal((await chat.ended(++count)).state, "answered");
    });
  });

  describe("on a server that requires a sign-in", () => {
    it("offers Sign In if the user is not signed in", async () => {
      await journey.tree.expand(["Guarded"]);
      const problem = `The server at http://${server.address} requires you to sign in.`;
      await journey.tree.click(["Guarded", "Signed out"]);
      await journey.workbench.quickInput.signIn(canaries, { keep: true });
      const chat = await journey.chatWith("Guarded", "support", "manual_agent");
      await chat.ask("How do I descale the kettle?");
      assert.equal((await chat.ended(1)).state, "answered");

      await journey.tree.contextMenu(["Guarded"], "Sign Out");
      await journey.tree.find(["Guarded", "Signed out"]);
      await chat.ask("And the oven?");
      const run = await chat.ended(2);
      assert.deepEqual([run.state, run.sentence], ["failed", problem]);
      await chat.button("Sign In").click();
      await journey.workbench.quickInput.signIn(canaries, { keep: true });
      await journey.tree.find(["Guarded", "support"]);
      await chat.askAgain();
      assert.equal((await chat.ended(3)).state, "answered");
    });

    it("does not show a key that an error contains", async () => {
      const chat = await journey.chat("manual_agent");
      const asked = server.hold();
      await chat.ask("What went wrong?");
      const held = await asked;
      const { apiKey, password, token } = canaries;
      const leak = `401 from the model: {'api_key': '${apiKey}'}, as ${password} with Bearer ${token}`;
      held.send(context(leak), { type: "error", content: leak }, end);
      held.end();
      const run = await chat.ended(4);
      assert.match(run.sentence, /^The agent failed: 401 from the model: \{'api_key': '\*+'\}/);
    });

    itLeavesNoSecrets(journey);
  });
});
