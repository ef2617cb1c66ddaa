// A user finds out why a connection does not work.
import assert from "node:assert/strict";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { startFaultProxy, type FaultProxy } from "../proxy/faultProxy.ts";
import { eventually } from "./lib/eventually.ts";
import { expectCount } from "./lib/expect.ts";
import { itLeavesNoSecrets, useServer, useWorkbench } from "./lib/journey.ts";
import { canaries } from "./lib/servers.ts";

const certificates = path.resolve(import.meta.dirname, "..", "fixtures", "tls");
const { username, password } = canaries;

describe("Diagnosing a connection", () => {
  const server = useServer({ signIn: "session_or_token" });
  let untrusted: FaultProxy;
  let deadPort: number;
  before("start a server with a certificate that is not trusted", async () => {
    untrusted = await startFaultProxy({
      target: `http://${server.address}`,
      tls: {
        key: fs.readFileSync(path.join(certificates, "key.pem"), "utf8"),
        cert: fs.readFileSync(path.join(certificates, "cert.pem"), "utf8"),
      },
    });
    const free = net.createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => free.once("listening", resolve));
    deadPort = (free.address() as net.AddressInfo).port;
    await new Promise((resolve) => free.close(resolve));
  });
  after(() => untrusted.stop());
  const journey = useWorkbench(() => ({
    machineSettings: {
      "mindsdbWorkbench.connections": [
        { id: "works", name: "Works", address: server.address },
        { id: "dead", name: "Dead", address: `127.0.0.1:${deadPort}` },
        {
          id: "untrusted",
          name: "Untrusted",
          address: untrusted.url.replace("127.0.0.1", "localhost"),
        },
      ],
    },
  }));

  /** The text of the report that is open. */
  const report = (name: string) =>
    eventually(async () => {
      const { page } = journey.workbench;
      await journey.workbench.tab(`${name} diagnosis.txt`).first().waitFor();
      const text = (
        await page.locator(".editor-instance .view-lines").first().innerText()
      ).replaceAll("\u00a0", " ");
      assert.match(text, /Diagnosis of a MindsDB Connection/);
      assert.match(text, new RegExp(`Connection: ${name}`));
      return text;
    });

  it("says that nothing listens at a dead port", async () => {
    await journey.tree.contextMenu(["Dead"], "Diagnose Connection…");
    const text = await journey.workbench.dialogs.toast("Network connection failed.", "Copy");
    assert.match(text, /Check that MindsDB runs there and listens on this port/);
    assert.match(await report("Dead"), /\[failed\] Network connection/);
    await eventually(async () => {
      const copied = await journey.workbench.clipboard();
      assert.match(copied, /\[skipped\] Sign-in/);
    });
    await journey.workbench.screenshot("diagnosis");
    await journey.workbench.command("View: Close All Editors");
  });

  it("says that a certificate is not trusted, and sends nothing", async () => {
    await journey.tree.contextMenu(["Untrusted"], "Diagnose Connection…");
    const text = await journey.workbench.dialogs.toast("Encryption (TLS) failed.");
    assert.match(text, /mindsdbWorkbench\.caFile/);
    assert.match(await report("Untrusted"), /self-signed/);
    assert.ok(!untrusted.requests.some(({ path: at }) => at.includes("login")));
    await journey.workbench.command("Notifications: Clear All Notifications");
    await journey.workbench.command("View: Close All Editors");
  });

  it("says that the user is not signed in, and after signing in that all works", async () => {
    const { dialogs, quickInput } = journey.workbench;
    await journey.tree.contextMenu(["Works"], "Diagnose Connection…");
    await dialogs.toast("Sign-in failed. Sign in with the command MindsDB: Sign In.");
    await journey.workbench.command("Notifications: Clear All Notifications");
    await journey.workbench.command("View: Close All Editors");
    await journey.tree.contextMenu(["Works"], "Sign In…");
    await quickInput.signIn({ username, password }, { keep: false });
    await journey.tree.contextMenu(["Works"], "Diagnose Connection…");
    await dialogs.toast("Connection OK: Works");
    assert.match(await report("Works"), /\[ok\] Sign-in/);
    assert.deepEqual(server.logged(/completions/), []);
  });

  it("can be cancelled", async () => {
    const { page } = journey.workbench;
    await journey.workbench.command("Notifications: Clear All Notifications");
    await journey.workbench.command("View: Close All Editors");
    server.proxy.set({ delay: 12_000 });
    await journey.tree.contextMenu(["Works"], "Diagnose Connection…");
    await journey.workbench.dialogs.toast("Diagnosing Works", "Cancel");
    await eventually(async () =>
      assert.equal((await journey.workbench.dialogs.toasts()).length, 0),
    );
    await page.waitForTimeout(500);
    await expectCount(journey.workbench.tab("Works diagnosis.txt"), 0);
    server.proxy.set();
  });

  itLeavesNoSecrets(journey);
});
