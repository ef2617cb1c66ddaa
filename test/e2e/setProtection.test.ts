// A user sets the protection of a connection of their own, which is in the tree and in the status bar, also after a reload.
import assert from "node:assert/strict";
import { eventually } from "./lib/eventually.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";

const changes = /^(PUT|DELETE|PATCH) |^POST .*\/agents$/;

describe("The protection of a connection", () => {
  const server = useServer();
  const other = useServer();
  const journey = useWorkbench(() => connectedTo({ Other: other }));
  const statusBar = () =>
    journey.workbench.page
      .locator(".statusbar-item[id$='.connection'] a")
      .filter({ visible: true });

  it("is chosen for a connection that the user has added, and changed from the message", async () => {
    const { quickInput, dialogs } = journey.workbench;
    await journey.workbench.command("MindsDB: Add Connection…");
    await quickInput.enter("The address of a MindsDB server", server.address);
    const own = [server.address];
    await journey.tree.contextMenu(own, "Set Protection…");
    await quickInput.pick("Set Protection of", "Read-Only");
    await eventually(async () =>
      assert.match((await journey.tree.find(own)).description, /^Read-Only/),
    );
    await journey.reload();
    await eventually(async () =>
      assert.match((await journey.tree.find(own)).description, /^Read-Only/),
    );
    await journey.workbench.command("MindsDB: Quick Create Agent…");
    await quickInput.pick("Create an Agent", server.address);
    await dialogs.toast(`The connection ${server.address} is read-only.`, "Set Protection…");
    await quickInput.pick("Set Protection of", "None");
    await journey.tree.contextMenu(own, "Set Protection…");
    await quickInput.pick("Set Protection of", "Mark as Production");
    await eventually(async () =>
      assert.match((await journey.tree.find(own)).description, /^Production/),
    );
    assert.deepEqual(server.requests(changes), []);
  });

  it("stands out in the status bar if the connection is production", async () => {
    await journey.chatWith(server.address, "mindsdb", "prices_agent");
    await eventually(async () => assert.match(await statusBar().innerText(), /Production/));
    await journey.workbench.screenshot("protect-production");
  });
});
