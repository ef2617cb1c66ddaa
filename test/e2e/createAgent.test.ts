// A user leaves the form of an agent and comes back, and creates one by quick create.
import assert from "node:assert/strict";
import { AgentForm } from "./lib/agentForm.ts";
import { eventually } from "./lib/eventually.ts";
import { expectText, expectValue } from "./lib/expect.ts";
import { connectedTo, itLeavesNoSecrets, useServer, useWorkbench } from "./lib/journey.ts";
import { canaries } from "./lib/servers.ts";

const { apiKey } = canaries;
const agents = ["Server", "mindsdb", "Agents"];
const creations = /^POST .*\/agents$/;

describe("Agents of the user", () => {
  const server = useServer();
  const journey = useWorkbench(() => connectedTo({ Server: server }));

  const sent = (fits: RegExp): unknown => JSON.parse(String(server.logged(fits).at(-1)?.body));
  const openForm = async (): Promise<AgentForm> => {
    await journey.workbench.command("MindsDB: Create Agent…");
    return AgentForm.with(journey.workbench);
  };
  const closeForms = () => journey.workbench.editors.closeAll();
  const selected = () =>
    journey.tree.sideBar.locator(".monaco-list-row.selected .label-name").innerText();
  before(() => journey.tree.expand(agents));
  beforeEach(() => {
    server.forget();
    server.proxy.set();
  });

  it("are kept unfinished when the window reloads and when the form is closed, without the key", async () => {
    const form = await openForm();
    await form.fill("name", "stranger");
    await form.choose("model", "Custom model");
    await form.fill("modelName", "gpt-4o");
    await form.fill("apiKey", apiKey);
    await journey.reload("stranger");
    const restored = await AgentForm.with(journey.workbench);
    await expectValue(restored.control("name"), "stranger");
    await journey.workbench.tab("● Create Agent").waitFor();
    await closeForms();
    const next = await openForm();
    await expectValue(next.control("name"), "stranger");
    await expectValue(next.control("apiKey"), "");
    await journey.workbench.screenshot("agent-form-draft");
    await next.button("Start Over").click();
    await closeForms();
  });

  it("begin from the row of a project without agents", async () => {
    const group = ["Server", "support", "Agents"];
    await journey.tree.expand(group);
    await journey.tree.contextMenu([...group, "manual_agent"], "Delete Agent…");
    await journey.workbench.dialogs.modal("Delete the agent manual_agent in support?", "Delete");
    await journey.tree.find([...group, "No agents yet"]);
    await journey.tree.click([...group, "No agents yet"]);
    const form = await AgentForm.with(journey.workbench);
    await expectText(form.control("project"), /support/);
    await closeForms();
  });

  it("are created by their name alone, and go on in their form", async () => {
    const { quickInput } = journey.workbench;
    await journey.workbench.command("MindsDB: Quick Create Agent…");
    await quickInput.pick("Select a project", "mindsdb");
    await quickInput.enter("Create an Agent in mindsdb", "rental_agent");
    await eventually(async () => assert.match(await quickInput.message(), /has an agent named/));
    await quickInput.enter("Create an Agent in mindsdb", "quick_agent");
    const form = await AgentForm.with(journey.workbench, "Edit quick_agent");
    await expectValue(form.control("name"), "quick_agent");
    await journey.workbench.screenshot("agent-quick-create");
    assert.deepEqual(sent(creations), { agent: { name: "quick_agent" } });
    await eventually(async () => assert.equal(await selected(), "quick_agent"));
    await closeForms();
  });

  it("go on in a form if the server refuses what quick create sends", async () => {
    const { quickInput, dialogs } = journey.workbench;
    server.proxy.set({ on: /^POST .*\/mindsdb\/agents$/, answer: { status: 500, body: "No" } });
    await journey.workbench.command("MindsDB: Quick Create Agent…");
    await quickInput.pick("Select a project", "mindsdb");
    await quickInput.enter("Create an Agent in mindsdb", "refused_agent");
    await dialogs.toast("The server refused");
    const form = await AgentForm.with(journey.workbench);
    await expectValue(form.control("name"), "refused_agent");
    await closeForms();
  });

  it("have caused no policy violation and no error in a page", () => {
    const { watch } = journey.workbench;
    assert.deepEqual(watch.violations, []);
    assert.deepEqual(watch.webviewErrors(), []);
  });

  itLeavesNoSecrets(journey);
});
