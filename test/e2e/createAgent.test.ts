// A user creates agents in the form and by quick create, changes them and deletes them.
import assert from "node:assert/strict";
import { AgentForm } from "./lib/agentForm.ts";
import { eventually } from "./lib/eventually.ts";
import { expectText, expectValue } from "./lib/expect.ts";
import { connectedTo, itLeavesNoSecrets, useServer, useWorkbench } from "./lib/journey.ts";
import { canaries } from "./lib/servers.ts";

const { apiKey } = canaries;
const agents = ["Server", "mindsdb", "Agents"];
const creations = /^POST .*\/agents$/;
const changes = /^PUT .*\/agents\//;

describe("Agents of the user", () => {
  const server = useServer();
  const journey = useWorkbench(() => connectedTo({ Server: server }));

  const sent = (fits: RegExp): unknown => JSON.parse(String(server.logged(fits).at(-1)?.body));
  const openForm = async (): Promise<AgentForm> => {
    await journey.workbench.command("MindsDB: Create Agent…");
    return AgentForm.with(journey.workbench);
  };
  const closeForms = () => journey.workbench.command("View: Close All Editors");
  const names = () => journey.tree.children(agents);
  const selected = () =>
    journey.tree.sideBar.locator(".monaco-list-row.selected .label-name").innerText();
  before(() => journey.tree.expand(agents));
  beforeEach(() => {
    server.forget();
    server.proxy.set();
  });

  it("are created in the form, from what the server has", async () => {
    const { quickInput } = journey.workbench;
    const form = await openForm();
    await form.fill("name", "rent_helper");
    await form.button("Choose Tables…").click();
    await quickInput.expect("Select what the agent can query");
    await quickInput.expectLabels(["files.*", "files.home_rentals", "files.neighborhoods"]);
    await quickInput.row("files.*").click();
    await quickInput.box.fill("files.home_*");
    await quickInput.row("files.home_*").click();
    await quickInput.box.press("Enter");
    await eventually(async () => {
      const entries = (await form.entries("tables")).sort();
      assert.deepEqual(entries, ["files.* 2 tables", "files.home_* 1 table"]);
    });
    // Where the user was before the list opened.
    await form.focusIn("tables");
    await form.button("Choose Knowledge Bases…").click();
    await quickInput.expect("Select what the agent can search");
    await quickInput.row("mindsdb.rental_guide").click();
    await quickInput.box.press("Enter");
    await eventually(async () => {
      assert.deepEqual(await form.entries("knowledgeBases"), ["mindsdb.rental_guide"]);
    });
    await form.button("Generate from Selected Data").click();
    await eventually(async () => {
      const text = await form.control("instruction").inputValue();
      assert.match(text, /^- files\.home_rentals: number_of_rooms, .*rental_price$/m);
      assert.match(text, /^- mindsdb\.rental_guide: texts from content/m);
    });
    await journey.workbench.setTheme("dark");
    await journey.workbench.screenshot("agent-form-dark", { readme: true });
    await form.create();
    await eventually(async () => assert.equal(await selected(), "rent_helper"));
    await eventually(async () => {
      assert.ok((await names()).includes("rent_helper"));
    });
    await journey.workbench.screenshot("agent-created");
    await closeForms();
  });

  it("are not created with a key that the provider refuses", async () => {
    const form = await openForm();
    await form.fill("name", "stranger");
    await form.choose("model", "Custom model");
    await form.fill("modelName", "gpt-4o");
    await form.fill("apiKey", `bad ${apiKey}`);
    await form.button("Create Agent").click();
    await form.says("apiKey", "openai does not accept this key. Enter another one.");
    await eventually(async () => {
      assert.ok(!(await names()).includes("stranger"));
    });
  });

  it("are kept unfinished when the window reloads and when the form is closed, without the key", async () => {
    const isBack = async (form: AgentForm) => {
      await journey.workbench.tab("● Create Agent").waitFor();
      await eventually(async () => {
        assert.equal(await form.control("name").inputValue(), "stranger");
      });
      await expectValue(form.control("apiKey"), "");
      await form.says("apiKey", /not kept while this page was hidden/);
    };
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

  it("are edited and renamed", async () => {
    await journey.tree.contextMenu([...agents, "rent_helper"], "Edit Agent…");
    const form = await AgentForm.with(journey.workbench, "Edit rent_helper");
    await form.fill("instruction", "Answer briefly.");
    await form.fill("name", "rent_expert");
    await form.button("Save Changes").click();
    await journey.workbench.tab("Edit rent_expert").waitFor();
    await eventually(async () => {
      assert.equal(await selected(), "rent_expert");
      assert.ok(!(await names()).includes("rent_helper"));
    });
    assert.deepEqual(sent(changes), {
      agent: { name: "rent_expert", prompt_template: "Answer briefly." },
    });
    await journey.workbench.screenshot("agent-edit");
    await closeForms();
  });

  it("are duplicated, and deleted after a question only", async () => {
    const { dialogs } = journey.workbench;
    await journey.tree.contextMenu([...agents, "rent_expert"], "Duplicate Agent…");
    const form = await AgentForm.with(journey.workbench, "Duplicate rent_expert");
    await form.create();
    const copy = [...agents, "rent_expert_copy"];
    await journey.tree.find(copy);
    for (const button of ["Cancel", "Delete"]) {
      await journey.tree.contextMenu(copy, "Delete Agent…");
      await dialogs.modal("Delete the agent rent_expert_copy in mindsdb?", button);
    }
    await eventually(async () => assert.ok(!(await names()).includes("rent_expert_copy")));
    await eventually(() => assert.equal(server.requests(/^DELETE /).length, 1));
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
      const { quickInput, dialogs, page } = journey.workbench;
      await start();
      await quickInput.enter("Create an Agent in mindsdb (1/4)", "rental_agent");
      await eventually(async () => assert.match(await quickInput.message(), /has an agent named/));
      await quickInput.enter("(1/4)", "quick_agent");
      await quickInput.pick("(2/4)", "The server's default");
      await quickInput.expect("(3/4)");
      await page.getByRole("button", { name: "Back" }).click();
      await quickInput.pick("(2/4)", "The server's default");
      await quickInput.expect("Select what the agent can read");
      await quickInput.row("files.home_rentals").click();
      await quickInput.row("mindsdb.rental_guide").click();
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
