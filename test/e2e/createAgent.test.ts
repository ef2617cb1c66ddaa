// A user creates agents in the form and by quick create, changes them, and sees problems where they are.
import assert from "node:assert/strict";
import { axeViolations } from "./lib/axe.ts";
import { AgentForm } from "./lib/agentForm.ts";
import { eventually } from "./lib/eventually.ts";
import {
  connectedTo,
  extensionLog,
  itLeavesNoSecrets,
  useServer,
  useWorkbench,
} from "./lib/journey.ts";
import { canaries } from "./lib/servers.ts";
import { themes } from "./lib/workbench.ts";

const { apiKey } = canaries;
const agents = ["Server", "mindsdb", "Agents"];
const creations = /^POST .*\/agents$/;
const changes = /^PUT .*\/agents\//;

describe("Creating and editing agents", () => {
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
  beforeEach(() => {
    server.forget();
    server.proxy.set();
  });

  describe("with the keyboard alone", () => {
    let form: AgentForm;
    const press = (...keys: string[]) =>
      keys.reduce(
        (before, key) => before.then(() => journey.workbench.page.keyboard.press(key)),
        Promise.resolve(),
      );
    const type = (text: string) => journey.workbench.page.keyboard.type(text);

    before(async () => {
      await journey.tree.expand(agents);
      await journey.tree.find([...agents, "rental_agent"]);
    });

    it("opens the form with the focus in the name, and converts the name to a plain identifier", async () => {
      form = await openForm();
      await form.focusIn("name");
      await type("Rent Helper");
      // From the model to the tables.
      await press("Tab", "Tab");
      assert.equal(await form.control("name").inputValue(), "rent_helper");
    });

    it("selects tables and whole data sources of the server", async () => {
      const { quickInput } = journey.workbench;
      await press("Enter");
      await quickInput.expect("Select what the agent can query");
      assert.deepEqual(await quickInput.labels(), [
        "files.*",
        "files.home_rentals",
        "files.neighborhoods",
      ]);
      await press("ArrowDown", "Space", "Enter");
      await eventually(async () => {
        assert.deepEqual(await form.entries("tables"), ["files.* 2 tables"]);
      });
      await form.focusIn("tables");
    });

    it("accepts a typed pattern, and says what it matches now", async () => {
      const { quickInput } = journey.workbench;
      await press("Enter");
      await quickInput.expect("Select what the agent can query");
      await type("files.home_*");
      await quickInput.row("files.home_*").waitFor();
      await press("ArrowDown", "Space", "Enter");
      await eventually(async () => {
        assert.deepEqual((await form.entries("tables")).sort(), [
          "files.* 2 tables",
          "files.home_* 1 table",
        ]);
      });
      await form.focusIn("tables");
    });

    it("selects knowledge bases, and drafts an instruction from the data", async () => {
      const { quickInput } = journey.workbench;
      await press("Tab", "Enter");
      await quickInput.expect("Select what the agent can search");
      await type("rental_guide");
      await press("ArrowDown", "Space", "Enter");
      await eventually(async () => {
        assert.deepEqual(await form.entries("knowledgeBases"), ["mindsdb.rental_guide"]);
      });
      await form.focusIn("knowledgeBases");
      // Past the instruction to its button.
      await press("Tab", "Tab", "Enter");
      await eventually(async () => {
        const text = await form.control("instruction").inputValue();
        assert.match(text, /^- files\.home_rentals: number_of_rooms, .*rental_price$/m);
        assert.match(text, /^- mindsdb\.rental_guide: texts from content/m);
      });
      await journey.workbench.setTheme("dark");
      await journey.workbench.screenshot("agent-form-dark", { readme: true });
    });

    it("creates the agent, reveals it in the tree, and opens a chat", async () => {
      await press("Control+Enter");
      await form.frame.locator(".created").waitFor();
      await eventually(async () => assert.equal(await selected(), "rent_helper"));
      assert.ok((await names()).includes("rent_helper"));
      assert.deepEqual(await axeViolations(form.frame), []);
      await journey.workbench.screenshot("agent-created");
      await press("Enter");
      const chat = await journey.chat("rent_helper");
      await eventually(async () => {
        assert.ok(await chat.composer.evaluate((box) => document.activeElement === box));
      });
      await type("What is the average rental price?");
      await press("Enter");
      assert.equal((await chat.ended(1)).state, "answered");
    });
  });

  describe("with problems", () => {
    let form: AgentForm;
    before(async () => {
      await closeForms();
      form = await openForm();
    });

    it("shows them at their fields, and sends nothing", async () => {
      await form.fill("name", "rental_agent");
      await form.choose("model", "Custom model");
      await form.fill("baseUrl", "somewhere");
      await form.button("Create Agent").click();
      await form.says("name", "rental_agent is taken in this project. Choose another name.");
      await form.says("modelName", "Enter the model's name.");
      await form.says("baseUrl", "Enter a URL like https://host/path.");
      assert.equal(await form.status(), "3 fields need attention.");
      assert.deepEqual(server.requests(creations), []);
    });

    it("removes them when they are fixed", async () => {
      await form.fill("name", "stranger");
      await form.fill("modelName", "gpt-4o");
      await form.fill("baseUrl", "");
      for (const field of ["name", "modelName", "baseUrl"] as const) await form.says(field, "");
    });

    it("shows the server's problems at their fields, never with the key", async () => {
      await form.fill("apiKey", `bad ${apiKey}`);
      await form.button("Create Agent").click();
      await form.says("apiKey", "openai does not accept this key. Enter another one.");
      await form.fill("apiKey", apiKey);
      await form.says("apiKey", "");
      await form.choose("provider", "Other…");
      await form.field("provider").locator("input").fill("zzz");
      await form.says("provider", /MindsDB is not known to support the provider zzz/);
      await form.button("Create Agent").click();
      await form.says("provider", /The server refused this model/);
      const page = await form.frame.locator("body").innerText();
      assert.ok(!page.includes(apiKey));
      await eventually(() => assert.match(extensionLog(journey.workbench), /Resource not found/));
      assert.ok(!extensionLog(journey.workbench).includes(apiKey));
    });

    it("shows a connection problem at the top, and keeps the form's content", async () => {
      await server.proxy.refuse();
      await form.button("Create Agent").click();
      await eventually(async () => assert.match(await form.onTop(), /Can't reach/));
      await server.proxy.accept();
      assert.equal(await form.control("modelName").inputValue(), "gpt-4o");
    });

    it("has no accessibility violation in any theme", async () => {
      for (const theme of Object.keys(themes) as (keyof typeof themes)[]) {
        await journey.workbench.setTheme(theme);
        assert.deepEqual(await axeViolations(form.frame), [], theme);
        await journey.workbench.screenshot(`agent-form-problems-${theme}`);
      }
      await journey.workbench.setTheme("dark");
    });

    it("fits the form into half the width", async () => {
      const { page } = journey.workbench;
      const size = page.viewportSize()!;
      await page.setViewportSize({ width: size.width / 2, height: size.height / 2 });
      const overflow = await form.frame.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.equal(overflow, 0);
      await form.button("Create Agent").scrollIntoViewIfNeeded();
      await journey.workbench.screenshot("agent-form-narrow");
      await page.setViewportSize(size);
    });
  });

  describe("in a form", () => {
    it("restores the form after a reload of the window, without the key", async () => {
      await journey.reload("stranger");
      const form = await AgentForm.with(journey.workbench);
      assert.equal(await form.control("name").inputValue(), "stranger");
      assert.equal(await form.control("modelName").inputValue(), "gpt-4o");
      assert.equal(await form.control("apiKey").inputValue(), "");
      await form.says("apiKey", /not kept while this page was hidden/);
      await journey.workbench.tab("● Create Agent").waitFor();
      await closeForms();
    });

    it("warns about too many tables and about a pattern without matches", async () => {
      const tables = Array.from({ length: 23 }, (_, i) => ({
        name: `sales_${String(i)}`,
        class: "table",
        type: "table",
      }));
      const headers = { "content-type": "application/json" };
      const answer = { status: 200, headers, body: JSON.stringify(tables) };
      server.proxy.set({ on: /\/api\/tree\/files$/, answer });
      const { quickInput } = journey.workbench;
      const form = await openForm();
      await form.button("Choose Tables…").click();
      await quickInput.expect("Select what the agent can query");
      await quickInput.row("files.*").click();
      await quickInput.box.fill("files.rents_*");
      await quickInput.row("files.rents_*").click();
      await quickInput.box.press("Enter");
      await form.says("tables", /would read 23 tables and knowledge bases\. With more than 10/);
      await form.says("tables", /Nothing matches files\.rents_\* now/);
      await journey.workbench.screenshot("agent-form-many");
      await form.button("Remove files.*").click();
      await eventually(async () => {
        assert.deepEqual(await form.entries("tables"), ["files.rents_* 0 tables"]);
      });
      await form.fill("name", "nothing_to_read");
      await form.button("Create Agent").click();
      await eventually(async () => assert.equal(await form.status(), "One field needs attention."));
      assert.deepEqual(server.requests(creations), []);
      await closeForms();
    });

    it("copies the request without the key", async () => {
      const form = await openForm();
      await form.fill("name", "copied");
      await form.choose("model", "Custom model");
      await form.fill("modelName", "m");
      await form.fill("apiKey", apiKey);
      await form.button("Copy as curl").click();
      await eventually(async () => {
        const copied = await journey.workbench.clipboard();
        assert.match(
          copied,
          /^curl -X POST 'http:\/\/127\.0\.0\.1:\d+\/api\/projects\/mindsdb\/agents'/,
        );
        assert.match(copied, /"api_key": "<your API key>"/);
        assert.ok(!copied.includes(apiKey));
      });
      await form.button("Copy as SQL").click();
      await eventually(async () => {
        const copied = await journey.workbench.clipboard();
        assert.match(
          copied,
          /^CREATE AGENT `mindsdb`\.`copied`\nUSING\n {2}model = \{"provider": 'openai'/,
        );
        assert.match(copied, /"api_key": '<your API key>'/);
        assert.ok(!copied.includes(apiKey));
      });
      // It can be sent anyway: the warning describes the consequence.
      await form.frame.getByText("Without a table or a knowledge base,").scrollIntoViewIfNeeded();
      await journey.workbench.screenshot("agent-form-no-data");
      await form.button("Copy as JSON").click();
      await eventually(async () => {
        const copied = JSON.parse(await journey.workbench.clipboard()) as { agent: unknown };
        const model = { provider: "openai", model_name: "m", api_key: "<your API key>" };
        assert.deepEqual(copied.agent, { name: "copied", model });
      });
      await closeForms();
    });

    it("cancels while the server tests the model", async () => {
      server.proxy.set({ on: creations, silent: true });
      const form = await openForm();
      await form.fill("name", "slow_agent");
      await form.button("Create Agent").click();
      await eventually(async () => assert.match(await form.status(), /Creating… [1-9] s/));
      await journey.workbench.screenshot("agent-form-sending");
      await form.button("Cancel").click();
      await eventually(async () =>
        assert.match(await form.onTop(), /^Canceled\. The server may still be/),
      );
      await server.proxy.waitFor(
        ({ path, state }) => path.endsWith("/agents") && state === "aborted",
      );
      await closeForms();
    });
  });

  describe("with an existing agent", () => {
    const edit = async (name: string): Promise<AgentForm> => {
      await journey.tree.contextMenu([...agents, name], "Edit Agent…");
      return AgentForm.with(journey.workbench, `Edit ${name}`);
    };

    it("sends only what differs", async () => {
      const form = await edit("rent_helper");
      await form.fill("instruction", "Answer briefly.");
      await form.button("Save Changes").click();
      await eventually(async () => assert.equal(await form.status(), "Saved."));
      assert.ok(
        await form.button("Save Changes").evaluate((button) => document.activeElement === button),
      );
      assert.deepEqual(sent(changes), { agent: { prompt_template: "Answer briefly." } });
    });

    it("renames the agent", async () => {
      const form = await AgentForm.with(journey.workbench, "Edit rent_helper");
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

    it("duplicates the agent", async () => {
      await journey.tree.contextMenu([...agents, "rent_expert"], "Duplicate Agent…");
      await journey.workbench.tab("Duplicate rent_expert").waitFor();
      const form = await AgentForm.with(journey.workbench, "Duplicate rent_expert");
      assert.equal(await form.control("name").inputValue(), "rent_expert_copy");
      assert.equal(await form.control("instruction").inputValue(), "Answer briefly.");
      await form.create();
      await eventually(async () => assert.ok((await names()).includes("rent_expert_copy")));
    });

    const heading = 'main.page h1:text-is("rent_expert_copy")';

    it("shows a created agent from the server's response, and reads it again after a reload", async () => {
      const made = await journey.workbench.frameWith(".created");
      server.forget();
      await made.getByRole("button", { name: "Show Agent" }).click();
      const shown = await journey.workbench.frameWith(heading);
      await shown.getByText("Answer briefly.").first().waitFor();
      const reads = /^GET .*\/agents\/rent_expert_copy$/;
      assert.deepEqual(server.requests(reads), []);
      for (const theme of ["light", "dark"] as const) {
        await journey.workbench.setTheme(theme);
        await journey.workbench.screenshot(`agent-page-${theme}`);
      }
      await journey.reload("rent_expert_copy");
      const again = await journey.workbench.frameWith(heading);
      await again.getByRole("cell", { name: "created_at" }).waitFor();
      assert.equal(server.requests(reads).length, 1);
      await again.getByRole("button", { name: "Ask" }).click();
      await journey.chat("rent_expert_copy");
      await journey.workbench.command("View: Close Editor");
    });

    it("deletes the agent only after confirmation", async () => {
      const { dialogs } = journey.workbench;
      const remove = () =>
        journey.tree.contextMenu([...agents, "rent_expert_copy"], "Delete Agent…");
      await remove();
      await dialogs.modal("Delete the agent rent_expert_copy in mindsdb?", "Cancel");
      assert.ok((await names()).includes("rent_expert_copy"));
      await remove();
      await dialogs.modal("Delete the agent rent_expert_copy in mindsdb?", "Delete");
      await eventually(async () => assert.ok(!(await names()).includes("rent_expert_copy")));
      // Its page says so, and disables its actions.
      const shown = await journey.workbench.frameWith(heading);
      await shown.getByRole("alert").getByText("is no longer in mindsdb").waitFor();
      assert.equal(await shown.getByRole("button", { name: "Ask" }).count(), 0);
      await journey.workbench.screenshot("agent-page-gone");
      await journey.workbench.command("View: Close Editor");
    });

    it("says in the form that created the agent that it was deleted, also after a reload", async () => {
      await journey.reload("The server tested the model");
      const frame = await journey.workbench.frameWith(".created");
      await frame.getByRole("button", { name: "Edit Agent" }).click();
      await journey.workbench.dialogs.toast(/rent_expert_copy/);
      await journey.workbench.command("Notifications: Clear All Notifications");
      await closeForms();
    });
  });

  describe("from the tree", () => {
    it("offers the form in a project without agents", async () => {
      const group = ["Server", "support", "Agents"];
      await journey.tree.expand(group);
      await journey.tree.contextMenu([...group, "manual_agent"], "Delete Agent…");
      await journey.workbench.dialogs.modal("Delete the agent manual_agent in support?", "Delete");
      await journey.tree.find([...group, "No agents yet"]);
      await journey.tree.click([...group, "No agents yet"]);
      const form = await AgentForm.with(journey.workbench);
      assert.match(await form.control("project").innerText(), /support/);
      await closeForms();
    });

    it("opens the form with the selected knowledge base", async () => {
      const bases = ["Server", "mindsdb", "Knowledge Bases"];
      await journey.tree.expand(bases);
      await journey.tree.contextMenu([...bases, "rental_guide"], "Create Agent…");
      const form = await AgentForm.with(journey.workbench);
      assert.deepEqual(await form.entries("knowledgeBases"), ["mindsdb.rental_guide"]);
      // Discarding a draft restores what it replaced.
      await form.fill("instruction", "Mine.");
      await form.button("Draft from the Chosen Data").click();
      await form.button("Undo").click();
      assert.equal(await form.control("instruction").inputValue(), "Mine.");
      await closeForms();
    });
  });

  describe("with quick create", () => {
    const start = async () => {
      const { quickInput } = journey.workbench;
      await journey.workbench.command("MindsDB: Quick Create Agent…");
      await quickInput.pick("Select a project", "mindsdb");
    };

    it("takes four steps, and can go back", async () => {
      const { quickInput, dialogs, page } = journey.workbench;
      await start();
      await quickInput.enter("Create an Agent in mindsdb (1/4)", "rental_agent");
      await eventually(async () => assert.match(await quickInput.message(), /is taken/));
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
      await quickInput.pick("(4/4)", "Draft from the Chosen Data");
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
      await quickInput.pick("Who runs the model", "openai");
      await quickInput.enter("Model Name", "gpt-4o");
      await quickInput.enter("API Key", `bad ${apiKey}`);
      await quickInput.enter("Base URL", "");
      await quickInput.expect("(3/4)");
      await quickInput.box.press("Enter");
      await quickInput.pick("(4/4)", "Without an Instruction");
      await dialogs.toast("openai does not accept this key. Enter another one.", "Change…");
      await quickInput.expect("(2/4)");
      await quickInput.cancel();
      assert.ok(!(await names()).includes("keyed_agent"));
    });

    it("cancels while the server tests the model", async () => {
      const { quickInput, dialogs } = journey.workbench;
      server.proxy.set({ on: creations, silent: true });
      await start();
      await quickInput.enter("(1/4)", "slow_quick_agent");
      await quickInput.pick("(2/4)", "The server's default");
      await quickInput.expect("(3/4)");
      await quickInput.box.press("Enter");
      await quickInput.pick("(4/4)", "Without an Instruction");
      await dialogs.toast("Creating slow_quick_agent.", "Cancel");
      await dialogs.toast(/^Canceled\. The server may still be/);
      await server.proxy.waitFor(
        ({ path, state }) => path.endsWith("/agents") && state === "aborted",
      );
    });
  });

  describe("after closing a form with unsaved changes", () => {
    const offered = async (): Promise<AgentForm> => {
      const form = await openForm();
      await form.draftOffer.filter({ hasText: /^You have unsaved changes from / }).waitFor();
      return form;
    };

    it("restores its draft, without the key", async () => {
      const form = await openForm();
      await form.fill("name", "half_written");
      await form.choose("model", "Custom model");
      await form.fill("apiKey", apiKey);
      await journey.workbench.tab("● Create Agent").waitFor();
      await closeForms();
      const next = await offered();
      for (const theme of ["light", "dark"] as const) {
        await journey.workbench.setTheme(theme);
        await journey.workbench.screenshot(`agent-form-draft-${theme}`);
      }
      await next.button("Restore Draft").click();
      await next.draftOffer.waitFor({ state: "hidden" });
      const restored = await AgentForm.with(journey.workbench);
      assert.equal(await restored.control("name").inputValue(), "half_written");
      assert.equal(await restored.control("apiKey").inputValue(), "");
      await restored.says("apiKey", /not kept while this page was hidden/);
      await journey.workbench.tab("● Create Agent").waitFor();
      await closeForms();
    });

    it("offers the draft after a reload and a restart too", async () => {
      await journey.reload();
      await offered();
      await closeForms();
      await journey.restart();
      const form = await offered();
      await form.button("Restore Draft").click();
      await journey.workbench.tab("● Create Agent").waitFor();
      assert.equal(await form.control("name").inputValue(), "half_written");
      await closeForms();
    });
  });

  describe("at the end", () => {
    it("has caused no policy violation and no error in a page", () => {
      const { watch } = journey.workbench;
      assert.deepEqual(watch.violations, []);
      assert.deepEqual(watch.webviewErrors(), []);
    });

    itLeavesNoSecrets(journey);
  });
});
