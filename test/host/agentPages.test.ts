import assert from "node:assert/strict";
import * as vscode from "vscode";
import { emptyDraft } from "../../src/agents/agentDraft.ts";
import { commands } from "../../src/ids.ts";
import { createAgent, deleteAgent, getAgent, updateAgent } from "../../src/mindsdb/agents.ts";
import { useTestConnection } from "./useTestServer.ts";
import { copied, eventually, tabs, until, useSampleServer, workbench } from "./workbench.ts";

const key = "canary-key-0456";
const project = { connectionId: "sample", project: "mindsdb" };

describe("Agent pages", () => {
  useSampleServer();

  const client = async () => (await workbench()).connections.client("sample");
  const open = async (name: string, connectionId = "sample") => {
    const agent = { ...project, connectionId, name };
    await vscode.commands.executeCommand(commands.agentShow, agent);
    const pages = await (await workbench()).agents.pages.load();
    return until("the page", () =>
      pages.contents.find(
        (page) => page.item.name === name && page.item.connectionId === connectionId,
      ),
    );
  };

  it("show every field of an agent, and no key", async () => {
    const model = { provider: "openai", model_name: "m", api_key: key };
    const data = { tables: ["files.home_rentals"] };
    await createAgent(await client(), "mindsdb", { name: "keyed", model, data });
    const page = await open("keyed");
    const details = await until("the fields", () => page.state.current.details);
    assert.equal(details.model, "openai · m");
    assert.deepEqual(details.tables, data.tables);
    assert.ok(!JSON.stringify(page.state.current).includes(key));
    assert.equal(await open("keyed"), page);
  });

  it("give terminals the token that a copied command names, without the token in it", async () => {
    const { agents, connections, sampleServer } = await workbench();
    const forms = await agents.load();
    await forms.create(project);
    const form = await until("the form", () => forms.contents.at(-1));
    const draft = { ...emptyDraft("mindsdb"), name: "copied" };
    await form.handlers.copy("curl", draft, {});
    const text = await copied(/\bMINDSDB_SAMPLE_TOKEN\b/);
    const { value: token } = sampleServer.variables.get("MINDSDB_SAMPLE_TOKEN")!;
    assert.equal(sampleServer.variables.persistent, false);
    assert.match(token, /^[\da-f]{64}$/);
    assert.ok(!text.includes(token));
    const headers = { authorization: `Bearer ${token}` };
    const address = connections.find("sample")!.address;
    assert.equal((await fetch(`${address}/api/projects/mindsdb/agents`, { headers })).status, 200);
  });

  it("say that an agent was deleted here or elsewhere, and disable their actions", async () => {
    const page = await open("keyed");
    assert.equal(page.isGone, false);
    await deleteAgent(await client(), "mindsdb", "keyed");
    await until("the update", () => page.isGone);
    await eventually(() =>
      assert.match(page.state.current.notice?.text ?? "", /^keyed is no longer in mindsdb\./),
    );
    // The page itself, its chat and its form have the name in their titles.
    const named = () => tabs().filter(({ label }) => label.includes("keyed"));
    await until("the page's tab", () => named().length === 1);
    await page.handlers.ask();
    await page.handlers.edit();
    assert.equal(named().length, 1);
    // The form for a new agent begins with what the page shows, and is not saved yet.
    assert.equal(page.state.current.notice?.action, "Create Agent Again");
    const forms = await (await workbench()).agents.load();
    const before = forms.contents.length;
    await page.handlers.runNoticeAction();
    const form = await until("the form", () => forms.contents[before]);
    const { name, model, tables } = form.form.draft;
    assert.deepEqual(
      [name, model.provider, model.modelName, tables],
      ["keyed", "openai", "m", ["files.home_rentals"]],
    );
    // Another agent may be created with its name.
    await createAgent(await client(), "mindsdb", { name: "keyed" });
    await until("the agent", () => !page.isGone);
    assert.equal(await open("keyed"), page);
  });

  describe("of another server", () => {
    const server = useTestConnection("Followed");

    it("update when other parts of the extension change or read the agent", async () => {
      const here = await (await workbench()).connections.client(server.id);
      await createAgent(here, "mindsdb", { name: "followed", prompt_template: "Hi." });
      const page = await open("followed", server.id);
      const instruction = () => page.state.current.details?.instruction;
      await until("the fields", () => instruction() === "Hi.");
      await updateAgent(here, "mindsdb", "followed", { prompt_template: "Ho." });
      await until("the change", () => instruction() === "Ho.");

      // Deleted elsewhere, which this window only notices when it sends a question.
      const address = `${server.proxy.url}/api/projects/mindsdb/agents/followed`;
      assert.ok((await fetch(address, { method: "DELETE" })).ok);
      await assert.rejects(getAgent(here, "mindsdb", "followed"));
      await until("the update", () => page.isGone);
    });

    it("distinguish a server that cannot be reached from a deleted agent", async () => {
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ detail: "Not Found" });
      server.proxy.set({ on: /\/agents\/rental_agent$/, answer: { status: 404, headers, body } });
      const page = await open("rental_agent", server.id);
      await until("the notice", () => page.state.current.notice);
      assert.equal(page.isGone, false);
      server.proxy.set({ unauthorized: true });
      await page.handlers.refresh();
      await until("the button", () => page.state.current.notice?.action === "Sign In");
      server.proxy.set();
      // This server requires no login, so signing in is over at once.
      await page.handlers.runNoticeAction();
      await until("the fields", () => page.state.current.details && !page.state.current.notice);
    });
  });

  it("show the response of a creation at once", async () => {
    const pages = await (await workbench()).agents.pages.load();
    const row = { id: 9, name: "just_made", model: { provider: "x", api_key: "******" } };
    pages.open({ ...project, name: "just_made" }, row);
    const page = pages.contents.at(-1) ?? assert.fail();
    assert.equal(page.state.current.details?.model, "x");
    assert.equal(page.state.current.isLoading, false);
  });
});
