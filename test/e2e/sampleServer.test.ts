// A user without a server starts the included sample server: it answers, restarts after a reload, stops on request,
// runs once for all windows, and stores changes.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { bearerToken } from "../../src/sample/sharedServer/secret.ts";
import { Chat } from "./lib/chat.ts";
import { eventually } from "./lib/eventually.ts";
import { extensionLog, useWorkbench } from "./lib/journey.ts";
import type { Tree } from "./lib/tree.ts";
import type { Workbench } from "./lib/workbench.ts";

describe("Trying the sample server", () => {
  const journey = useWorkbench();
  const connection = "Sample Server";
  const agents = [connection, "mindsdb", "Agents"];
  let description = "";

  it("starts with one click and shows its content", async () => {
    const welcome = journey.tree.sideBar.locator(".welcome-view-content");
    await welcome.getByRole("button", { name: "Try the Sample Server" }).click();
    await journey.tree.find([connection, "mindsdb"]);
    await eventually(async () => {
      ({ description } = await journey.tree.find([connection]));
      assert.match(description, /^26\.1\.0 · 127\.0\.0\.1:\d+$/);
    });
    for (const group of ["Knowledge Bases", "Agents", "Models"]) {
      const path = [connection, "mindsdb", group];
      await journey.tree.expand(path);
      await eventually(async () => {
        assert.notDeepEqual(await journey.tree.children(path), []);
      });
    }
  });

  it("restarts at the first request after a reload, with the same address", async () => {
    await journey.reload();
    await journey.tree.expand(agents);
    await journey.tree.find([...agents, "rental_agent"]);
    await eventually(async () => {
      assert.equal((await journey.tree.find([connection])).description, description);
    });
    const chat = await journey.chatWith(connection, "mindsdb", "rental_agent");
    await chat.ask("Is there a gym?");
    assert.equal((await chat.ended(1)).state, "answered");
  });

  const statusBar = () =>
    journey.workbench.page
      .locator(".statusbar-item[id$='.connection'] a")
      .filter({ visible: true });

  it("has its version in the status bar, and passes the diagnosis", async () => {
    await eventually(async () =>
      assert.equal((await statusBar().innerText()).trim(), "Sample Server · 26.1.0"),
    );
    const { quickInput } = journey.workbench;
    await statusBar().click();
    await quickInput.expect("Sample Server");
    await quickInput.expectLabels([
      "Set Protection…",
      "Diagnose Connection…",
      "Copy Address",
      "Remove Connection…",
    ]);
    await quickInput.cancel();
    await journey.tree.contextMenu([connection], "Diagnose Connection…");
    await journey.workbench.dialogs.toast("Connection OK: Sample Server");
    await journey.workbench.editors.close("View: Revert and Close Editor");
    await journey.chat("rental_agent");
  });

  it("stops on request, and starts again", async () => {
    const { tree, workbench } = journey;
    await workbench.command("MindsDB: Stop Sample Server");
    const stopped = [connection, "Stopped"];
    await eventually(async () => {
      assert.equal((await tree.find(stopped)).description, "Start Sample Server");
    });
    await tree.contextMenu([connection], "Diagnose Connection…");
    await workbench.dialogs.toast("The sample server is stopped.");
    // Refreshing does not start it again.
    await workbench.command("MindsDB: Refresh");
    await tree.find(stopped);
    await tree.click(stopped);
    await tree.find([connection, "mindsdb"]);
    await eventually(async () => {
      assert.equal((await tree.find([connection])).description, description);
    });
  });

  const storedFile = (name: string): string | undefined => {
    const { dataFolder } = journey.workbench.vscode;
    const [file] = fs.globSync(`**/sampleServer/${name}`, { cwd: dataFolder });
    return file && path.join(dataFolder, file);
  };

  it("stores its state and the log for nobody else", () => {
    const { dataFolder, logsFolder } = journey.workbench.vscode;
    const folders = [
      ...fs.globSync("user/**/mindsdb-workbench-*/sampleServer", { cwd: dataFolder }),
      ...fs.globSync("**/exthost*/mindsdb-workbench-*", { cwd: logsFolder }),
    ];
    assert.ok(folders.length >= 2, folders.join());
    for (const folder of folders) {
      const at = fs.existsSync(path.join(dataFolder, folder)) ? dataFolder : logsFolder;
      assert.equal(fs.statSync(path.join(at, folder)).mode & 0o777, 0o700, folder);
    }
  });

  describe("in two windows", () => {
    const stopped = [connection, "Stopped"];
    const mine = [...agents, "mine"];
    let second: Workbench;
    let secondTree: Tree;

    const address = () => `http://${/[\d.]+:\d+$/.exec(description)?.[0] ?? ""}`;
    const answers = () =>
      fetch(`${address()}/api/status`).then(
        () => true,
        () => false,
      );
    /** Requests the agents again, in the window of this tree. */
    async function agentsIn(tree: Tree, window: Workbench): Promise<string[]> {
      await window.command("MindsDB: Refresh");
      return tree.children(agents);
    }

    it("runs once for both", async () => {
      second = await journey.workbench.openWindow();
      secondTree = await second.openView("MindsDB");
      await secondTree.find([...agents, "rental_agent"]);
      await eventually(async () => {
        assert.equal((await secondTree.find([connection])).description, description);
      });
      const create = (headers: Record<string, string>) =>
        fetch(`${address()}/api/projects/mindsdb/agents`, {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify({ agent: { name: "mine", data: { tables: ["files.*"] } } }),
        });
      assert.equal((await create({})).status, 401);
      const secret = fs.readFileSync(storedFile("secret") ?? "", "utf8");
      const made = await create({ authorization: `Bearer ${bearerToken(secret)}` });
      assert.equal(made.status, 201);
      for (const [tree, window] of [
        [journey.tree, journey.workbench],
        [secondTree, second],
      ] as const) {
        await eventually(async () => {
          assert.ok((await agentsIn(tree, window)).includes("mine"));
        });
      }
    });

    it("stops from the window that does not run it, and starts in the other", async () => {
      await second.command("MindsDB: Stop Sample Server");
      // It is not started by a request in either window.
      await secondTree.find(stopped);
      await journey.tree.find(stopped);
      await eventually(async () => {
        assert.equal(await answers(), false);
      });
      await journey.workbench.screenshot("sample-stopped");
      await journey.tree.click(stopped);
      await journey.tree.find(mine);
      await secondTree.click(stopped);
      await secondTree.find(mine);
      await eventually(async () => {
        assert.equal((await secondTree.find([connection])).description, description);
      });
    });

    it("still answers after the window that runs it is closed", async () => {
      await journey.workbench.closeWindow();
      await eventually(async () => assert.ok(await answers()));
      await secondTree.click([...agents, "rental_agent"]);
      const chat = await Chat.with(second, "rental_agent");
      const before = (await chat.runs()).length;
      await chat.ask("May I keep a dog?");
      assert.equal((await chat.ended(before + 1)).state, "answered");
      await eventually(async () => {
        assert.ok((await agentsIn(secondTree, second)).includes("mine"));
      });
    });

    it("is shared with a reopened window, and keeps running when the other one closes", async () => {
      await journey.workbench.openAgain();
      const tree = await journey.workbench.openView("MindsDB");
      await tree.find(mine);
      await second.closeWindow();
      await second.page.close();
      await eventually(async () => assert.ok(await answers()));
      await eventually(async () => {
        assert.ok((await agentsIn(tree, journey.workbench)).includes("mine"));
        assert.equal((await tree.find([connection])).description, description);
      });
    });
  });

  describe("with changes", () => {
    const changes = () => storedFile("changes.json");
    const names = () => journey.tree.children(agents);

    it("keeps them after a restart of VS Code", async () => {
      await journey.restart();
      await journey.tree.find([...agents, "mine"]);
      assert.ok(changes());
    });

    it("removes them on reset", async () => {
      const { workbench } = journey;
      await workbench.command("MindsDB: Reset Sample Server…");
      await workbench.dialogs.modal("Reset the sample server?");
      await workbench.screenshot("sample-reset");
      await workbench.dialogs.modal("Reset the sample server?", "Reset");
      await eventually(async () => {
        assert.deepEqual(await names(), ["prices_agent", "rental_agent"]);
      });
      await eventually(() => assert.equal(changes(), undefined));
    });

    it("starts without them, and says so, if they cannot be read", async () => {
      const { workbench } = journey;
      const folder = fs.globSync("**/sampleServer", { cwd: workbench.vscode.dataFolder })[0] ?? "";
      const file = path.join(workbench.vscode.dataFolder, folder, "changes.json");
      fs.writeFileSync(file, '{"version":1,"agents":[{"proj');
      await workbench.command("MindsDB: Refresh");
      await workbench.dialogs.toast("The saved changes to the sample server could not be read");
      await workbench.screenshot("sample-damaged");
      await eventually(async () => {
        assert.deepEqual(await names(), ["prices_agent", "rental_agent"]);
      });
      await eventually(() =>
        assert.match(extensionLog(workbench), /The file is now .*changes\.json\.damaged/),
      );
    });
  });
});
