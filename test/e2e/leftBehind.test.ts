// The search for secrets at the end of journeys finds a secret in every possible place.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { eventually } from "./lib/eventually.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";
import { placesThatHold } from "./lib/storage.ts";

describe("The search for secrets", () => {
  const server = useServer();
  const journey = useWorkbench(() => connectedTo({ Rentals: server }));

  async function found(secret: string): Promise<string[]> {
    return placesThatHold(journey.workbench, [secret]);
  }

  /** A page on a busy machine may not respond in time. */
  function isFound(secret: string): Promise<void> {
    return eventually(async () => assert.equal((await found(secret)).length, 1, secret));
  }

  it("finds nothing if there is no secret", async () => {
    assert.deepEqual(await found("planted-nowhere"), []);
  });

  it("searches settings, logs and files", async () => {
    const { workbench } = journey;
    workbench.changeSettings({ "mindsdbWorkbench.agent.timeLimit": "planted-in-settings" });
    fs.writeFileSync(path.join(workbench.vscode.logsFolder, "a.log"), "planted-in-a-log");
    fs.writeFileSync(path.join(workbench.folder, "a.ipynb"), '"planted-in-a-notebook"');
    for (const secret of ["planted-in-settings", "planted-in-a-log", "planted-in-a-notebook"]) {
      await isFound(secret);
    }
  });

  it("searches the browser's storages, where VS Code keeps globalState", async () => {
    await journey.workbench.page.evaluate(async () => {
      localStorage.setItem("a", "planted-local");
      sessionStorage.setItem("a", "planted-session");
      await new Promise((resolve, reject) => {
        const request = indexedDB.open("planted");
        request.onupgradeneeded = () => {
          const store = request.result.createObjectStore("a");
          store.put("planted-indexed", "text");
          store.put(new TextEncoder().encode("planted-bytes"), "bytes");
        };
        request.onsuccess = resolve;
        request.onerror = reject;
      });
    });
    for (const secret of ["planted-local", "planted-session", "planted-indexed", "planted-bytes"]) {
      await isFound(secret);
    }
  });

  it("searches visible texts and inputs", async () => {
    const { quickInput } = journey.workbench;
    await journey.workbench.command("MindsDB: Add Connection…");
    await quickInput.expect("The address of a MindsDB server");
    await quickInput.box.fill("planted-in-a-box");
    await isFound("planted-in-a-box");
    await quickInput.cancel();
    const chat = await journey.chatWith("Rentals", "mindsdb", "rental_agent");
    await chat.composer.fill("planted-in-a-page");
    await eventually(async () => {
      assert.match((await found("planted-in-a-page")).join(), /^page .*planted-in-a-page/);
    });
  });
});
