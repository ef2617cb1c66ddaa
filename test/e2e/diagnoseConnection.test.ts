// A user finds out why a connection does not work.
import assert from "node:assert/strict";
import net from "node:net";
import { eventually } from "./lib/eventually.ts";
import { itLeavesNoSecrets, useServer, useWorkbench } from "./lib/journey.ts";
import { canaries } from "./lib/servers.ts";

const { username, password } = canaries;

describe("Diagnosing a connection", () => {
  const server = useServer({ signIn: "session_or_token" });
  let deadPort: number;
  before("find a port on which nothing listens", async () => {
    const free = net.createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => free.once("listening", resolve));
    deadPort = (free.address() as net.AddressInfo).port;
    await new Promise((resolve) => free.close(resolve));
  });
  const journey = useWorkbench(() => ({
    machineSettings: {
      "mindsdbWorkbench.connections": [
        { id: "works", name: "Works", address: server.address },
        { id: "dead", name: "Dead", address: `127.0.0.1:${deadPort}` },
      ],
    },
  }));

  /** Waits until the report that is open says this. */
  const expectReport = (name: string, says: RegExp) =>
    eventually(async () => {
      const { page } = journey.workbench;
      await journey.workbench.tab(`${name} diagnosis.txt`).first().waitFor({ timeout: 5_000 });
      const lines = page.locator(".editor-instance .view-lines").first();
      const text = (await lines.innerText({ timeout: 5_000 })).replaceAll("\u00a0", " ");
      assert.match(text, /Diagnosis of a MindsDB Connection/);
      assert.match(text, new RegExp(`Connection: ${name}`));
      assert.match(text, says);
    });

  it("says that nothing listens at a dead port", async () => {
    await journey.tree.contextMenu(["Dead"], "Diagnose Connection…");
    const text = await journey.workbench.dialogs.toast("Network connection failed.", "Copy");
    assert.match(text, /Check that MindsDB is running there and listening on this port/);
    await expectReport("Dead", /\[failed\] Network connection/);
    await eventually(async () => {
      const copied = await journey.workbench.clipboard();
      assert.match(copied, /\[skipped\] Sign-in/);
    });
    await journey.workbench.screenshot("diagnosis");
    await journey.workbench.editors.closeAll();
  });

  it("says that the user is not signed in, and after signing in that all works", async () => {
    const { dialogs, quickInput } = journey.workbench;
    await journey.tree.contextMenu(["Works"], "Diagnose Connection…");
    await dialogs.toast("Sign-in failed. Sign in with the command MindsDB: Sign In.");
    await journey.workbench.clearNotifications();
    await journey.workbench.editors.closeAll();
    await journey.tree.contextMenu(["Works"], "Sign In…");
    await quickInput.signIn({ username, password }, { keep: false });
    await journey.tree.contextMenu(["Works"], "Diagnose Connection…");
    await dialogs.toast("Connection OK: Works");
    await expectReport("Works", /\[ok\] Sign-in/);
    assert.deepEqual(server.logged(/completions/), []);
  });

  itLeavesNoSecrets(journey);
});
