// A user who has just installed the extension: three ways to start, a local server that is detected, and no command
// without a next step.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { eventually } from "./lib/eventually.ts";
import { expectText } from "./lib/expect.ts";
import { extensionLog, useWorkbench } from "./lib/journey.ts";
import { Notebook } from "./lib/notebook.ts";
import { JourneyServer } from "./lib/servers.ts";

/** The default address of MindsDB. */
const usualPort = 47_334;

describe("Starting with nothing", () => {
  const journey = useWorkbench();
  const server = new JourneyServer();
  after(() => server.stop());

  const welcome = () => journey.tree.sideBar.locator(".welcome-view-content");
  const ways = () => welcome().locator("a.monaco-button").allInnerTexts();

  it("offers three ways to start", async () => {
    await welcome().waitFor();
    await eventually(async () => {
      assert.deepEqual(await ways(), [
        "Try the Sample Server",
        "Add Connection…",
        "Connect to 127.0.0.1:47334",
      ]);
    });
    await expectText(welcome(), /No MindsDB server is connected yet/);
  });

  it("explains that no server responds at the default address", async () => {
    await welcome().getByRole("button", { name: "Connect to 127.0.0.1:47334" }).click();
    await journey.workbench.dialogs.toast("Can't reach http://127.0.0.1:47334.");
    await eventually(async () => {
      assert.equal((await ways()).length, 3);
    });
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

  it("connects with one click and shows the content of the server", async () => {
    await welcome().getByRole("button", { name: "Connect to 127.0.0.1:47334" }).click();
    await journey.tree.find(["127.0.0.1:47334", "mindsdb"]);
    await eventually(async () => {
      assert.equal((await journey.tree.find(["127.0.0.1:47334"])).description, "26.1.0");
    });
    const { sideBar } = journey.tree;
    await eventually(async () => assert.doesNotMatch(await sideBar.innerText(), /found/i));
  });

  it("offers the same ways again after the connection was removed", async () => {
    await journey.tree.contextMenu(["127.0.0.1:47334"], "Remove Connection…");
    await journey.workbench.dialogs.modal("Remove the connection to 127.0.0.1:47334?", "Remove");
    await welcome().waitFor();
    await eventually(async () => {
      assert.equal((await ways()).length, 3);
    });
  });

  describe("without a connection", () => {
    const offer = "No MindsDB server is connected yet.";
    const notebookName = "prices.predict.md";
    const recipe = { model: "mindsdb.home_rentals_model", rows: "homes.json", limit: 3 };

    const openNotebook = async () => {
      await journey.workbench.openFile(notebookName);
      return Notebook.with(journey.workbench, notebookName);
    };
    const runsAt = (notebook: Notebook, kernel: string) => notebook.expectKernel(kernel);
    const predicts = async (notebook: Notebook) => {
      await (
        await notebook.runToEnd()
      ).when(({ count, message }) =>
        assert.deepEqual({ count, message }, { count: "3 rows", message: "" }),
      );
    };

    before("write a notebook", () => {
      const text = `\`\`\`json predict\n${JSON.stringify(recipe)}\n\`\`\`\n`;
      fs.writeFileSync(path.join(journey.workbench.folder, notebookName), text);
    });

    it("offers to connect in every command that needs a connection", async () => {
      const { dialogs, quickInput } = journey.workbench;
      await journey.workbench.openFile("homes.json");
      for (const command of [
        "Ask Agent…",
        "Find…",
        "Predict…",
        "Predict Rows…",
        "Show Model",
        "Sign In…",
      ]) {
        await journey.workbench.command(`MindsDB: ${command}`);
        if (command === "Find…") await journey.workbench.screenshot("no-connection");
        await dialogs.toast(offer, "Add Connection…");
        await quickInput.expect("The address of a MindsDB server");
        await quickInput.cancel();
      }
    });

    it("has a notebook kernel that offers to connect", async () => {
      const { dialogs, quickInput } = journey.workbench;
      const notebook = await openNotebook();
      await runsAt(notebook, "Connect to MindsDB…");
      await notebook.run();
      await journey.workbench.screenshot("no-connection-notebook");
      await dialogs.toast(offer, "Add Connection…");
      await quickInput.enter("The address of a MindsDB server", server.address);
      await runsAt(notebook, server.address);
      await predicts(notebook);
      await journey.tree.contextMenu([server.address], "Remove Connection…");
      await dialogs.modal(`Remove the connection to ${server.address}?`, "Remove");
      await runsAt(notebook, "Connect to MindsDB…");
    });

    it("can start the sample server and continue the command", async () => {
      const { dialogs, quickInput } = journey.workbench;
      await journey.workbench.command("MindsDB: Find…");
      await dialogs.toast(offer, "Try the Sample Server");
      await quickInput.expect("Find in MindsDB");
      await quickInput.row("rental_agent").waitFor();
      await quickInput.cancel();
      await journey.tree.find(["Sample Server", "mindsdb"]);
    });

    it("offers to start the sample server again in a chat and a cell", async () => {
      const { workbench } = journey;
      const stop = async (): Promise<void> => {
        await workbench.command("MindsDB: Stop Sample Server");
        await journey.tree.find(["Sample Server", "Stopped"]);
      };
      const chat = await journey.chatWith("Sample Server", "mindsdb", "rental_agent");
      await stop();
      await chat.ask("Is there a gym?");
      const stopped = await chat.ended(1);
      assert.match(stopped.sentence, /The sample server is stopped\./);
      await chat.button("Start Sample Server").waitFor();
      await workbench.screenshot("sample-stopped-chat");
      await chat.button("Start Sample Server").click();
      // The question is sent again automatically.
      assert.equal((await chat.ended(2)).state, "answered");
      await journey.tree.find(["Sample Server", "mindsdb"]);

      const { quickInput } = workbench;
      await stop();
      await workbench.command("MindsDB: Find…");
      await quickInput.expect("1 list could not be loaded");
      await workbench.screenshot("sample-stopped-find");
      await quickInput.choose("The sample server is stopped. Start Sample Server");
      await journey.tree.find(["Sample Server", "mindsdb"]);

      const notebook = await openNotebook();
      await runsAt(notebook, "Sample Server");
      await stop();
      const result = await notebook.runToEnd();
      await result.when(({ message, buttons }) => {
        assert.equal(message, "The sample server is stopped.");
        assert.ok(buttons.includes("Start Sample Server"));
      });
      await workbench.screenshot("sample-stopped-cell");
      await result.button("Start Sample Server").click();
      await journey.tree.find(["Sample Server", "mindsdb"]);
      await predicts(notebook);
    });
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

  it("names the ignored ones, and opens the setting", async () => {
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
