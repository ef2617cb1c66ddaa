// A user leaves the form of an agent and comes back, and creates agents by quick create.
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
  const names = () => journey.tree.children(agents);
  const selected = () =>
    journey.tree.sideBar.locator(".monaco-list-row.selected .label-name").innerText();
  before(() => journey.tree.expand(agents));
  beforeEach(() => {
    server.forget();
    server.proxy.set();
  });

  it("are kept unfinished when the window reloads and when the form is closed, without the key", async () => {
    const isBack = async (form: AgentForm) => {
      await journey.workbench.tab("● Create Agent").waitFor();
      await eventually(async () => {
        assert.equal(await form.control("name").inputValue(), "stranger");
      });
      await expectValue(form.control("apiKey"), "");
      await form.says("apiKey", /not stored while this page was hidden/);
    };
    const form = await openForm();
    await form.fill("name", "stranger");
    await form.choose("model", "Custom model");
    await form.fill("modelName", "gpt-4o");
    await form.fill("apiKey", apiKey);
    await journey.reload("stranger");
    await isBack(await AgentForm.with(journey.workbench));
    await closeForms();
    const next = await openForm();
    await next.keptNote.filter({ hasText: /^These are your unsaved changes from / }).waitFor();
    await isBack(next);
    await journey.workbench.screenshot("agent-form-draft");
    await next.button("Start Over").click();
    await next.keptNote.waitFor({ state: "hidden" });
    await eventually(async () => assert.equal(await next.control("name").inputValue(), ""));
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

  describe("by quick create", () => {
    const start = async () => {
      const { quickInput } = journey.workbench;
      await journey.workbench.command("MindsDB: Quick Create Agent…");
      await quickInput.pick("Select a project", "mindsdb");
    };

    it("takes four steps, and can go back", async () => {
      const { quickInput, dialogs } = journey.workbench;
      await start();
      await quickInput.enter("Create an Agent in mindsdb (1/4)", "rental_agent");
      await eventually(async () => assert.match(await quickInput.message(), /has an agent named/));
      await quickInput.enter("(1/4)", "quick_agent");
      await quickInput.pick("(2/4)", "The server's default");
      await quickInput.expect("(3/4)");
      await quickInput.back();
      await quickInput.pick("(2/4)", "The server's default");
      await quickInput.expect("Select what the agent can read");
      await quickInput.check("files.home_rentals");
      await quickInput.check("mindsdb.rental_guide");
      await journey.workbench.screenshot("agent-quick-create");
      await quickInput.box.press("Enter");
      await quickInput.pick("(4/4)", "Generate from Selected Data");
      await dialogs.toast("quick_agent is ready in mindsdb.", "Open Chat");
      await journey.chat("quick_agent");
      await eventually(async () => assert.equal(await selected(), "quick_agent"));
      const { agent } = sent(creations) as { agent: { data: unknown; prompt_template: string } };
      assert.deepEqual(agent.data, {
        tables: ["files.home_rentals"],
        knowledge_bases: ["mindsdb.rental_guide"],
      });
      assert.match(agent.prompt_template, /files\.home_rentals: number_of_rooms/);
    });

    it("continues at the step that the server has rejected", async () => {
      const { quickInput, dialogs } = journey.workbench;
      await start();
      await quickInput.enter("(1/4)", "keyed_agent");
      await quickInput.pick("(2/4)", "Another Model…");
      await quickInput.pick("The model's provider", "openai");
      await quickInput.enter("Model Name", "gpt-4o");
      await quickInput.enter("API Key", `bad ${apiKey}`);
      await quickInput.enter("Base URL", "");
      await quickInput.expect("(3/4)");
      // Enter does nothing before the list is loaded.
      await quickInput.row("files.*").waitFor();
      await quickInput.box.press("Enter");
      await quickInput.pick("(4/4)", "Without an Instruction");
      await dialogs.toast("openai does not accept this key. Enter another one.", "Change…");
      await quickInput.expect("(2/4)");
      await quickInput.cancel();
      await eventually(async () => {
        assert.ok(!(await names()).includes("keyed_agent"));
      });
    });
  });

  it("have caused no policy violation and no error in a page", () => {
    const { watch } = journey.workbench;
    assert.deepEqual(watch.violations, []);
    assert.deepEqual(watch.webviewErrors(), []);
  });

  itLeavesNoSecrets(journey);
});
