// A user opens a file with a saved run and replays it, and one that is broken.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { SavedRun } from "../../src/chat/savedRun.ts";
import { eventually } from "./lib/eventually.ts";
import { useWorkbench } from "./lib/journey.ts";

/** Long enough to look at a replay while it waits, in ms. */
const pause = 2_000;

describe("A file of a saved run", () => {
  const journey = useWorkbench();

  function write(name: string, text: string): void {
    fs.writeFileSync(path.join(journey.workbench.folder, name), text);
  }

  it("is replayed in its own rhythm, which can be stopped", async () => {
    const frames = [
      { at: 0, data: '{"type":"context","content":"Creating execution plan..."}' },
      { at: pause, data: '{"type":"data","text":"The studio."}' },
      { at: pause, data: '{"type":"end"}' },
    ];
    const saved: SavedRun = {
      format: "mindsdb-workbench-run",
      version: 1,
      question: "Which home is the cheapest?",
      agent: { project: "mindsdb", name: "rental_agent" },
      server: { connection: "Rentals" },
      startedAt: "2026-01-01T00:00:00.000Z",
      frames,
      steps: [],
      outcome: { state: "answered", at: pause },
    };
    write("cheapest.mindsdb-run.json", JSON.stringify(saved));
    await journey.workbench.openFile("cheapest.mindsdb-run.json");
    const page = await journey.chat("rental_agent");
    assert.equal((await page.ended(1)).answer, "The studio.");
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
    write("broken.mindsdb-run.json", "<img src=x>");
    await workbench.openFile("broken.mindsdb-run.json");
    const frame = await workbench.frameWith("p[role=alert]");
    const text = "This file is not a saved run: it is not JSON, or it is incomplete.";
    await eventually(async () => assert.equal(await frame.locator("p").innerText(), text));
    await workbench.screenshot("saved-run-broken");
  });
});
