// A user connects a data source: chooses what, tests it, and sees its tables in the tree.
import assert from "node:assert/strict";
import type { Frame, Locator } from "playwright-core";
import { eventually } from "./lib/eventually.ts";
import { connectedTo, itLeavesNoSecrets, useServer, useWorkbench } from "./lib/journey.ts";
import { canaries } from "./lib/servers.ts";

const data = ["Server", "Data"];
const source = [...data, "lantern"];

describe("Connecting data sources", () => {
  const server = useServer();
  const journey = useWorkbench(() => connectedTo({ Server: server }));
  let frame: Frame;

  const field = (name: string): Locator => frame.locator(`.field[data-field="${name}"]`);
  const fill = (name: string, text: string) => field(name).locator("input").first().fill(text);
  const press = (name: string) => frame.getByRole("button", { name, exact: true }).click();
  const says = (name: string, sentence: RegExp): Promise<void> =>
    eventually(async () => assert.match(await field(name).innerText(), sentence));
  const open = async (engine: string, heading: string): Promise<void> => {
    const { quickInput } = journey.workbench;
    await quickInput.expect("What do you want to connect to?");
    await quickInput.choose(engine);
    frame = await journey.workbench.frameWith(`.form h1:text-is("${heading}")`);
  };

  it("offers what the server has, and says which driver is missing", async () => {
    await journey.tree.expand(data);
    await journey.tree.inlineAction(data, "Connect Data Source…");
    const { quickInput } = journey.workbench;
    await quickInput.expect("What do you want to connect to?");
    await quickInput.expectLabels(["PostgreSQL", "MySQL", "Web"]);
    await quickInput.widget.getByText("Needs a driver: mysql").first().waitFor();
    await open("PostgreSQL", "Connect PostgreSQL");
  });

  it("tests a connection without storing it, with the reason at its field", async () => {
    for (const [name, text] of [
      ["name", "lantern"],
      ["arg-host", "sample"],
      ["arg-user", "tenant"],
      ["arg-database", "lantern_lane"],
      ["arg-password", canaries.password],
    ] as const) {
      await fill(name, text);
    }
    await press("Test Connection");
    await says("arg-password", /The server could not connect: .*password authentication failed/);
    await journey.workbench.screenshot("data-source-form");
    await fill("arg-port", "5433");
    await press("Test Connection");
    await says("arg-host", /Connection refused/);
    await fill("arg-port", "5432");
    await fill("arg-password", "lantern");
    await press("Test Connection");
    await frame.getByText("The server can connect.").waitFor();
    const tests = server.logged(/^POST \/api\/databases\/status/);
    assert.equal(tests.length, 3);
    assert.deepEqual(server.logged(/^(POST|PUT) \/api\/databases\/(?!status)/), []);
  });

  it("shows the whole address where the user has to sign in, and opens it only after a click", async () => {
    const { page } = journey.workbench;
    // What is encoded in it must still be so when it is opened.
    const query = "redirect_uri=https%3A%2F%2Fhost%2Fback%3Fa%3D1%26b%3D2&state=x%2By";
    const address = `https://sign-in.example/authorize?${query}`;
    const body = JSON.stringify({ status: "redirect_required", redirect_url: address });
    const answer = { status: 200, headers: { "content-type": "application/json" }, body };
    server.proxy.set({ on: /^POST \/api\/databases\//, answer });
    // VS Code opens addresses with this function.
    await page.evaluate(() => {
      const opened: string[] = [];
      window.open = (url) => (opened.push(String(url)), window);
      Object.assign(window, { opened });
    });
    const opened = () => page.evaluate(() => (window as unknown as { opened: string[] }).opened);
    for (const button of ["Test Connection", "Connect"]) {
      await press(button);
      await frame.getByText(`The data source requires you to sign in at ${address}`).waitFor();
    }
    await journey.workbench.screenshot("data-source-sign-in");
    assert.deepEqual(await opened(), []);
    await press("Open Address");
    await journey.workbench.dialogs.modal("open the external website", "Open");
    await eventually(async () => assert.deepEqual(await opened(), [address]));
    server.proxy.set();
  });

  it("connects it and shows it in the tree, with its schemas", async () => {
    await press("Connect");
    await journey.tree.find(source);
    await eventually(() => assert.equal(frame.isDetached(), true));
    await journey.tree.expand(source);
    await journey.tree.expand([...source, "public"]);
    await journey.tree.find([...source, "public", "tenants"]);
    await journey.tree.find([...source, "billing"]);
  });

  it("installs a missing driver after a question", async () => {
    await journey.workbench.command("MindsDB: Connect Data Source…");
    const { quickInput, dialogs } = journey.workbench;
    await quickInput.expect("What do you want to connect to?");
    await quickInput.choose("MySQL");
    const text = await dialogs.modal("Install the driver for MySQL?", "Install");
    assert.match(text, /MindsDB runs pip on its machine/);
    frame = await journey.workbench.frameWith('.form h1:text-is("Connect MySQL")');
    await field("alternative").waitFor();
    const installed = /^POST \/api\/handlers\/mysql\/install/;
    await eventually(() => assert.equal(server.logged(installed).length, 1));
  });

  it("reconnects it, and disconnects it after a question that names what depends on it", async () => {
    const query =
      "CREATE JOB mindsdb.payments_job (SELECT * FROM lantern.billing.payments) EVERY 1 day";
    const response = await fetch(`${server.behind}/api/sql/query`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query }),
    });
    assert.match(await response.text(), /"type":"ok"/);
    await journey.tree.contextMenu(source, "Reconnect Data Source");
    await eventually(() => assert.equal(server.logged(/^PUT \/api\/databases\/lantern/).length, 1));
    await journey.tree.contextMenu(source, "Disconnect Data Source…");
    const question = "Disconnect the data source lantern?";
    const text = await journey.workbench.dialogs.modal(question, "Disconnect");
    assert.match(text, /Jobs that will fail: mindsdb\.payments_job/);
    await eventually(async () =>
      assert.ok(!(await journey.tree.children(data)).includes("lantern")),
    );
  });

  itLeavesNoSecrets(journey);
});
