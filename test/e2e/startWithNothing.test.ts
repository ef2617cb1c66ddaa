// A user who has just installed the extension: three ways to begin, and a server on this machine that is found by itself.
import assert from "node:assert/strict";
import { eventually } from "./lib/eventually.ts";
import { extensionLog, useWorkbench } from "./lib/journey.ts";
import { JourneyServer } from "./lib/servers.ts";

/** Where a MindsDB listens unless it is told otherwise. */
const usualPort = 47_334;

describe("Starting with nothing", () => {
  const journey = useWorkbench();
  const server = new JourneyServer();
  after(() => server.stop());

  const welcome = () => journey.tree.sideBar.locator(".welcome-view-content");
  const ways = () => welcome().locator("a.monaco-button").allInnerTexts();

  it("offers three ways to begin", async () => {
    await welcome().waitFor();
    assert.deepEqual(await ways(), [
      "Connect to 127.0.0.1:47334",
      "Add Connection…",
      "Try the Sample Server",
    ]);
    assert.match(await welcome().innerText(), /No MindsDB server is connected yet/);
  });

  it("says what is wrong when nothing answers at the usual address", async () => {
    await welcome().getByRole("button", { name: "Connect to 127.0.0.1:47334" }).click();
    await journey.workbench.dialogs.toast("Can't reach http://127.0.0.1:47334.");
    assert.equal((await ways()).length, 3);
  });

  it("finds a server that is started on this machine", async () => {
    await server.start(usualPort);
    await eventually(async () => {
      assert.match(await journey.tree.sideBar.innerText(), /MindsDB: 26\.1 found/i);
      assert.match(await welcome().innerText(), /A MindsDB server is running on this machine/);
      assert.equal((await ways()).length, 3);
    });
    await journey.workbench.screenshot("welcome-found");
  });

  it("connects with one click and shows what the server holds", async () => {
    await welcome().getByRole("button", { name: "Connect to 127.0.0.1:47334" }).click();
    await journey.tree.find(["127.0.0.1:47334", "mindsdb"]);
    await eventually(async () => {
      assert.equal((await journey.tree.find(["127.0.0.1:47334"])).description, "26.1.0");
    });
    assert.doesNotMatch(await journey.tree.sideBar.innerText(), /found/i);
  });

  it("begins anew once the connection is removed", async () => {
    await journey.tree.contextMenu(["127.0.0.1:47334"], "Remove Connection…");
    await journey.workbench.dialogs.modal("Remove the connection to 127.0.0.1:47334?", "Remove");
    await welcome().waitFor();
    assert.equal((await ways()).length, 3);
  });
});

describe("Starting with connections from the settings", () => {
  const server = new JourneyServer();
  before(() => server.start());
  after(() => server.stop());
  const journey = useWorkbench(() => ({
    machineSettings: {
      "mindsdbWorkbench.connections": [
        { name: "Typo", address: "http://" },
        { name: "Good", address: server.address },
        { address: "ftp://me:made-up-password@host" },
        7,
      ],
    },
  }));

  it("says which of them are left out, and leads to the setting", async () => {
    const text = await journey.workbench.dialogs.toast("not a valid address", "Open Settings");
    assert.match(text, /Ignored Typo, entry 3, entry 4 in/);
    assert.ok(!text.includes("made-up-password"));
    await eventually(async () => assert.deepEqual(await journey.tree.children([]), ["Good"]));
    await journey.workbench.page.locator(".settings-editor").first().waitFor();
    await journey.workbench.screenshot("preset-left-out");
    await eventually(() => {
      const log = extensionLog(journey.workbench);
      assert.match(log, /Ignored Typo, entry 3, entry 4 in/);
      assert.ok(!log.includes("made-up-password"));
    });
  });
});
