// A question fails: with a traceback, because the user is not signed in, or with a key in its error.
import assert from "node:assert/strict";
import { engineFailure } from "../proxy/faultProxy.ts";
import { eventually } from "./lib/eventually.ts";
import {
  connectedTo,
  extensionLog,
  itLeavesNoSecrets,
  useServer,
  useWorkbench,
} from "./lib/journey.ts";
import { canaries } from "./lib/servers.ts";

describe("Failing answers", () => {
  const server = useServer({ signIn: "session_or_token" });
  const journey = useWorkbench(() => connectedTo({ Guarded: server }));

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

  it("summarizes a traceback in one sentence, and logs all of it", async () => {
    server.proxy.set({ on: /\/completions\/stream$/, answer: engineFailure });
    const chat = await journey.chat("manual_agent");
    await chat.ask("What does a home cost?");
    const run = await chat.ended(4);
    assert.equal(run.state, "failed");
    assert.equal(run.sentence, "[engine/model]: RuntimeError: out of memory.");
    await chat.button("Show Log").waitFor();
    await eventually(() => {
      assert.match(
        extensionLog(journey.workbench),
        /Asking manual_agent failed[^]*process_cache\.py/,
      );
    });
    server.proxy.set();
  });

  it("does not show a key that an error contains", async () => {
    const chat = await journey.chat("manual_agent");
    const asked = server.hold();
    await chat.ask("What went wrong?");
    const held = await asked;
    const { apiKey, password, token } = canaries;
    const leak = `401 from the model: {'api_key': '${apiKey}'}, as ${password} with Bearer ${token}`;
    held.send(
      { type: "context", content: leak },
      { type: "error", content: leak },
      { type: "end" },
    );
    held.end();
    const run = await chat.ended(5);
    assert.match(run.sentence, /^The agent failed: 401 from the model: \{'api_key': '\*+'\}/);
  });

  itLeavesNoSecrets(journey);
});
