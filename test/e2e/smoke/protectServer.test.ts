// A user protects servers: read-only, with confirmations, and as production.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { AgentForm } from "../lib/agentForm.ts";
import { eventually } from "../lib/eventually.ts";
import { expectCount } from "../lib/expect.ts";
import { useServer, useSharedWorkbench } from "../lib/journey.ts";
import { Notebook } from "../lib/notebook.ts";

const project = ["mindsdb", "Agents"];
const agent = "rental_agent";
const changes = /^(PUT|DELETE|PATCH) |^POST .*\/agents$/;

describe("Protecting a server", () => {
  const server = useServer();
  const journey = useSharedWorkbench(() => {
    const preset = (id: string, more: object) => ({
      id,
      name: id,
      address: server.address,
      ...more,
    });
    return {
      machineSettings: {
        "mindsdbWorkbench.connections": [
          preset("Live", { protection: "confirm", isProduction: true }),
          preset("Archive", { protection: "readOnly" }),
        ],
      },
    };
  });
  const statusBar = () =>
    journey.workbench.page
      .locator(".statusbar-item[id$='.connection'] a")
      .filter({ visible: true });
  const sent = () => server.requests(changes);
  const statements = () =>
    server.logged(/POST .*\/sql\/query$/).filter(({ body }) => body.includes("PROJECT guarded"));

  it("shows it in the tree, in words and in color", async () => {
    const marks = async (name: string) =>
      (await journey.tree.find([name])).description.split(" · ");
    await eventually(async () => {
      assert.deepEqual((await marks("Live")).slice(0, 2), ["Production", "Confirm Changes"]);
      assert.equal((await marks("Archive"))[0], "Read-Only");
    });
    await journey.tree.expand(["Live", ...project]);
    await journey.tree.expand(["Archive", ...project]);
  });

  it("refuses changes of a read-only connection with one sentence, and sends nothing", async () => {
    const { dialogs, page } = journey.workbench;
    await journey.tree.contextMenu(["Archive", ...project, agent], "Delete Agent…");
    await dialogs.toast("The connection Archive is read-only.");
    await expectCount(page.locator(".monaco-dialog-box"), 0);
    await journey.workbench.command("Notifications: Clear All Notifications");
    await journey.tree.contextMenu(["Archive", ...project, agent], "Edit Agent…");
    const form = await AgentForm.with(journey.workbench, `Edit ${agent}`);
    await form.fill("instruction", "Answer in one word.");
    await form.button("Save Changes").click();
    await dialogs.toast("The connection Archive is read-only.");
    await eventually(async () => assert.match(await form.onTop(), /Not saved\./));
    await journey.workbench.editors.close("View: Revert and Close Editor");
    assert.deepEqual(sent(), []);
  });

  it("shows the connection of the active editor in the status bar, with its menu", async () => {
    const { quickInput, page } = journey.workbench;
    const chat = await journey.chatWith("Archive", "mindsdb", agent);
    await eventually(async () =>
      assert.equal(await statusBar().innerText(), " Archive · Read-Only · 26.1.0"),
    );
    await chat.ask("What is the highest rent?");
    assert.equal((await chat.ended(1)).state, "answered");
    await statusBar().click();
    await quickInput.expect("Archive · Read-Only");
    await quickInput.expectLabels([
      "Set Protection…",
      "Diagnose Connection…",
      "Sign In…",
      "Copy Address",
      "Remove Connection…",
    ]);
    await quickInput.cancel();
    await journey.workbench.command("Notifications: Clear All Notifications");
    await journey.workbench.editors.closeAll();
    await eventually(async () => assert.equal(await statusBar().count(), 0));
    await eventually(async () => {
      assert.ok(await page.title());
    });
  });

  it("asks once before a change of a connection with confirmations, and names both", async () => {
    const { dialogs } = journey.workbench;
    await journey.tree.contextMenu(["Live", ...project, agent], "Edit Agent…");
    const form = await AgentForm.with(journey.workbench, `Edit ${agent}`);
    await form.fill("instruction", "Answer in one word.");
    const save = form.button("Save Changes");
    await save.click();
    const text = await dialogs.modal(`Change the agent ${agent} in mindsdb?`, "Cancel");
    assert.match(text, /Production connection: Live \(http:\/\/127\.0\.0\.1:\d+\)\./);
    assert.deepEqual(sent(), []);
    await eventually(async () => assert.match(await form.onTop(), /Not saved\./));
    await save.click();
    await dialogs.modal(`Change the agent ${agent} in mindsdb?`, "Save");
    await eventually(() => assert.equal(sent().length, 1));
    await journey.workbench.editors.closeAll();
    server.forget();
  });

  it("asks for the name before something is deleted in production", async () => {
    const { quickInput } = journey.workbench;
    await journey.tree.contextMenu(["Live", ...project, agent], "Delete Agent…");
    await quickInput.enter(`Delete the agent ${agent} in mindsdb?`, "rental");
    await eventually(async () =>
      assert.match(await quickInput.message(), /That does not match rental_agent\./),
    );
    await journey.workbench.screenshot("protect-delete-production");
    await quickInput.cancel();
    assert.deepEqual(sent(), []);
    await journey.tree.contextMenu(["Live", ...project, agent], "Delete Agent…");
    await quickInput.enter(`Delete the agent ${agent} in mindsdb?`, agent);
    await eventually(() => assert.equal(sent().length, 1));
    server.forget();
  });

  it("asks before each run of a statement that may change something, and not for reads", async () => {
    const { dialogs } = journey.workbench;
    const name = "guarded.predict.md";
    const cell = "```sql predict\nCREATE PROJECT guarded\n```\n";
    fs.writeFileSync(path.join(journey.workbench.folder, name), cell);
    await journey.workbench.openFile(name);
    const notebook = await Notebook.with(journey.workbench, name);
    await notebook.expectKernel("Live");
    await eventually(async () => assert.match(await statusBar().innerText(), /Live/));
    for (const button of ["Cancel", "Run", "Cancel"]) {
      await notebook.run();
      await dialogs.modal("Run a statement that may change “Live”?", button);
    }
    await eventually(() => assert.equal(statements().length, 1));
    await notebook.paste("DROP PROJECT guarded", 0);
    await notebook.run();
    const { quickInput } = journey.workbench;
    await quickInput.enter("Run a statement that may change “Live”?", "guarded");
    await eventually(() => assert.equal(statements().length, 2));
  });
});
