// A user saves a run, stops the server, and opens and replays the file.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { eventually } from "../lib/eventually.ts";
import { connectedTo, useServer, useWorkbench } from "../lib/journey.ts";
import { placesThatHold } from "../lib/storage.ts";

describe("A saved run", () => {
  const server = useServer();
  const journey = useWorkbench(() => connectedTo({ Rentals: server }));
  const canary = "sk-canary4711canary4711canary4711canary4711";
  /** Long enough to look at a replay while it waits, in ms. */
  const pause = 2_000;
  const file = () => path.join(journey.workbench.folder, "cheapest.mindsdb-run.json");

  it("is written from the chat, with times and without keys", async () => {
    const { workbench } = journey;
    const page = await journey.chatWith("Rentals", "mindsdb", "rental_agent");
    const asked = server.hold();
    await page.ask("Which home is the cheapest?");
    const held = await asked;
    held.send({ type: "context", content: "Creating execution plan..." });
    await workbench.page.waitForTimeout(pause);
    held.send({ type: "context", content: `Proposed Execution Plan:\nUse ${canary}.` });
    held.send({ type: "data", text: `The studio; my key is ${canary}.` }, { type: "end" });
    held.end();
    assert.equal((await page.ended(1)).state, "answered");
    await page.composer.click();
    await workbench.command("MindsDB: Save Run…");
    await workbench.quickInput.saveAs(
      /\/Which home is the cheapest_\.mindsdb-run\.json$/,
      "cheapest.mindsdb-run.json",
    );
    await workbench.dialogs.toast("Saved the run to");
    await workbench.command("Notifications: Clear All Notifications");
    const saved = JSON.parse(fs.readFileSync(file(), "utf8")) as {
      server: object;
      frames: { at: number; data: string }[];
    };
    assert.deepEqual(saved.server, { connection: "Rentals", version: "26.1.0" });
    assert.equal(saved.frames.length, 4);
    assert.ok(saved.frames[1]!.at - saved.frames[0]!.at >= pause - 50);
    assert.ok(!JSON.stringify(saved).includes("canary"));
  });

  it("opens without a server, as a chat that asks nobody", async () => {
    const { workbench } = journey;
    await workbench.editors.closeAll();
    await server.proxy.refuse();
    await workbench.openFile("cheapest.mindsdb-run.json");
    const page = await journey.chat("rental_agent");
    const run = await page.ended(1);
    assert.deepEqual([run.question, run.state], ["Which home is the cheapest?", "answered"]);
    assert.match(run.answer, /^The studio; my key is /);
    assert.match(run.sentence, /[2-9](\.\d)? s/);
    await eventually(async () => {
      assert.equal(await page.composer.isVisible(), false);
      assert.equal(await page.button("Ask Again").isVisible(), false);
    });
    await workbench.screenshot("saved-run");
  });

  it("is replayed in its own rhythm, which can be stopped", async () => {
    const page = await journey.chat("rental_agent");
    const started = performance.now();
    await page.button("Replay").click();
    await page.button("Stop Replay").waitFor();
    await eventually(async () => {
      assert.equal((await page.lastRun()).answer, "");
    });
    await journey.workbench.screenshot("saved-run-replaying");
    await page.button("Replay").waitFor();
    assert.ok(performance.now() - started >= pause - 50);
    assert.equal((await page.ended(1)).state, "answered");
    await page.button("Replay").click();
    await page.button("Stop Replay").click();
    assert.equal((await page.ended(1)).state, "answered");
  });

  it("says what is wrong with a file that is none", async () => {
    const { workbench } = journey;
    const [broken, name] = ["<img src=x>", "broken.mindsdb-run.json"];
    fs.writeFileSync(path.join(workbench.folder, name), broken);
    await workbench.openFile(name);
    const frame = await workbench.frameWith("p[role=alert]");
    const text = "This file is not a saved run: it is not JSON, or it is incomplete.";
    await eventually(async () => assert.equal(await frame.locator("p").innerText(), text));
    await workbench.screenshot("saved-run-broken");
  });

  it("leaves no key behind", async () => {
    assert.deepEqual(await placesThatHold(journey.workbench, [canary]), []);
  });
});
