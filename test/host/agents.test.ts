import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { createDraft, emptyDraft, type AgentDraft } from "../../src/agents/agentDraft.ts";
import { AgentFormPage } from "../../src/agents/host/agentFormPage.ts";
import { AgentForms, type AgentFormsOptions } from "../../src/agents/host/agentForms.ts";
import { pickData } from "../../src/agents/host/dataPicker.ts";
import { editForm, newForm, panelKey } from "../../src/agents/host/initialForm.ts";
import type { AgentForm, AgentFormContent } from "../../src/agents/agentForm.ts";
import type { AgentRef } from "../../src/mindsdb/references.ts";
import { readGuard, type Connection, type ServerAccess } from "../../src/shared/connection.ts";
import { parseAddress } from "../../src/mindsdb/http/serverAddress.ts";
import {
  createAgent,
  deleteAgent,
  getAgent,
  listAgents,
  updateAgent,
} from "../../src/mindsdb/agents.ts";
import type { Client } from "../../src/mindsdb/http/client.ts";
import { getStatus } from "../../src/mindsdb/http/login.ts";
import { Secrets } from "../../src/mindsdb/redact/redact.ts";
import { createTransport, type Transport } from "../../src/mindsdb/http/transport.ts";
import { startTestServer } from "../sampleServer/server.ts";
import { Log } from "../../src/shared/host/log.ts";
import { startFaultProxy, type FaultProxy } from "../proxy/faultProxy.ts";
import {
  closeAllEditors,
  copied,
  eventually,
  extensionFolder,
  hiddenPick,
  tabs,
  until,
  withWindow,
  workbench,
} from "./workbench.ts";
import { clientOver } from "../clientOver.ts";

/** A made-up key that does not look like a known kind of key. */
const key = "canary-key-0123";
const own = { own: true, provider: "openai", modelName: "m", baseUrl: "" };
const draft = (change: Partial<AgentDraft> = {}): AgentDraft => ({
  ...emptyDraft("mindsdb"),
  name: "helper",
  ...change,
});

describe("The list of tables of an agent", () => {
  it("offers to connect a data source instead, and closes without a change", async () => {
    for (const isOffered of [true, false]) {
      let connected = 0;
      const { pick, press } = hiddenPick();
      await withWindow({ createQuickPick: () => pick }, async () => {
        const picked = pickData({
          field: "tables",
          title: "Tables",
          placeholder: "",
          sources: Promise.resolve([]),
          chosen: ["files.a"],
          connect: isOffered ? () => void connected++ : undefined,
        });
        const [button] = pick.buttons;
        assert.equal(button?.tooltip, isOffered ? "Connect Data Source…" : undefined);
        if (!button) return;
        press(button);
        assert.equal(await picked, undefined);
        assert.equal(connected, 1);
      });
    }
  });

  const open = async (work: (list: ReturnType<typeof hiddenPick>) => unknown) => {
    const list = hiddenPick();
    return withWindow({ createQuickPick: () => list.pick }, async () => {
      const picked = pickData({
        field: "tables",
        title: "Tables",
        placeholder: "",
        sources: Promise.resolve([
          {
            owner: "files",
            items: [
              ["files", "sales_1"],
              ["files", "sales_2"],
              ["files", "b.c"],
            ],
          },
          { owner: "$(bug)", items: undefined },
        ]),
        chosen: ["files.sales_1", "files.gone"],
      });
      await until("the items", () => !list.pick.busy);
      await work(list);
      return picked;
    });
  };
  const find = ({ pick }: ReturnType<typeof hiddenPick>, label: string) =>
    pick.items.find((item) => item.label === label) ?? assert.fail(label);

  it("keeps what is selected, also what the server no longer has", async () => {
    const picked = await open((list) => {
      list.accept(...list.pick.selectedItems, find(list, "files.`b.c`"));
    });
    assert.deepEqual(picked?.toSorted(), ["files.`b.c`", "files.gone", "files.sales_1"]);
  });

  it("names what could not be read in its title, as text", async () => {
    await open((list) => {
      assert.equal(list.pick.title, "Tables ($\u200B(bug) could not be read)");
      list.accept();
    });
  });

  it("offers a typed pattern once, with the number of its tables, and keeps a selected one", async () => {
    const picked = await open((list) => {
      const first = () => list.pick.items[0];
      list.type("files.sales_*");
      assert.deepEqual([first()?.label, first()?.description], ["files.sales_*", "2 tables"]);
      list.pick.selectedItems = [...list.pick.selectedItems, first()!];
      list.type("files.*");
      const labels = list.pick.items.map(({ label }) => label);
      assert.deepEqual(
        ["files.*", "files.sales_*"].map((label) => labels.filter((one) => one === label).length),
        [1, 1],
      );
      list.type("");
      list.accept(...list.pick.selectedItems);
    });
    assert.deepEqual(picked?.toSorted(), ["files.gone", "files.sales_*", "files.sales_1"]);
  });
});

describe("Agent forms", () => {
  let server: Awaited<ReturnType<typeof startTestServer>>;
  let proxy: FaultProxy;
  let transport: Transport;
  let client: Client;
  let options: AgentFormsOptions;
  let log: Log;
  const shown: AgentRef[] = [];
  const asked: AgentRef[] = [];
  const opened: { agent: AgentRef; row: unknown }[] = [];
  const draftsFolder = fs.mkdtempSync(path.join(os.tmpdir(), "drafts-"));

  before(async () => {
    await workbench();
    server = await startTestServer({ unguarded: true });
    proxy = await startFaultProxy({ target: server.url });
    transport = createTransport(parseAddress(proxy.url));
    const secrets = new Secrets();
    client = clientOver(transport, { secrets });
    log = new Log();
    const connection: Connection = {
      id: "c",
      name: "Test",
      address: proxy.url,
      isPreset: false,
      ...readGuard({}),
    };
    const servers: ServerAccess = {
      list: () => [connection],
      find: () => connection,
      client: () => Promise.resolve(client),
      allowWrite: () => Promise.resolve(true),
      secrets: () => secrets,
      status: () => getStatus(transport),
    };
    options = {
      servers,
      log,
      tree: {
        pickAgent: () => Promise.resolve(undefined),
        revealAgent: (agent) => Promise.resolve(void shown.push(agent)),
      },
      ask: (agent) => void asked.push(agent),
      pages: {
        open: (agent, row) => void opened.push({ agent, row }),
      },
      draftsFolder,
      extensionUri: extensionFolder(),
    };
  });
  beforeEach(() => {
    proxy.set();
    proxy.requests.length = 0;
  });
  after(async () => {
    await transport.close();
    await proxy.stop();
    await server.stop();
    fs.rmSync(draftsFolder, { recursive: true, force: true });
  });

  const open = (
    form: AgentForm = newForm("c", draft()),
    content: AgentFormContent = {},
  ): AgentFormPage =>
    new AgentFormPage({ form, content, isDone: content.created !== undefined }, options);
  const change = (page: AgentFormPage, changed: AgentDraft) => page.handlers.change(changed, {});
  const send = (page: AgentFormPage, sent: AgentDraft, apiKey = "") =>
    page.handlers.send(sent, { apiKey });
  const created = (page: AgentFormPage) => until("the new agent", () => page.state.current.created);
  const failed = (page: AgentFormPage) => until("the failure", () => page.state.current.failure);
  const editing = async (name: string) =>
    editForm("c", await getAgent(client, "mindsdb", name), "mindsdb");

  it("show the server's data", async () => {
    const page = open(newForm("c", draft({ tables: ["files.*", "files.zzz"] })));
    await eventually(() => {
      const { loaded } = page.state.current;
      assert.deepEqual(loaded?.tables, { "files.*": 2, "files.zzz": 0 });
      assert.equal(loaded.defaultModel, "sample · rules");
      assert.deepEqual(loaded.projects, ["mindsdb", "support"]);
      assert.ok(loaded.items?.some(({ name }) => name === "rental_agent"));
    });
  });

  it("create an agent again that was deleted elsewhere", async () => {
    await createAgent(client, "mindsdb", { name: "lost", prompt_template: "Be brief." });
    const page = open(await editing("lost"));
    await deleteAgent(client, "mindsdb", "lost");
    const changed = { ...page.form.draft, instruction: "Be long." };
    await send(page, changed);
    const { text, action = "" } = await failed(page);
    assert.match(text, /^The agent lost no longer exists\./);
    await page.handlers.runProblemAction(action);
    assert.equal(page.title, "Create Agent");
    assert.ok(page.isDirty);
    await send(page, page.form.draft);
    assert.equal((await created(page)).name, "lost");
    const { promptTemplate } = await getAgent(client, "mindsdb", "lost");
    assert.equal(promptTemplate, "Be long.");
    await deleteAgent(client, "mindsdb", "lost");
  });

  it("ignore responses about lists that have changed in the meantime", async () => {
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    proxy.set({ on: /\/tree\/files/, until: held, times: 1 });
    const page = open(newForm("c", draft({ tables: ["files.*"] })));
    const slow = await proxy.waitFor(({ path }) => path.includes("/tree/files"));
    change(page, draft({ tables: ["files.h*"] }));
    const loaded = await until("the data", () => page.state.current.loaded);
    assert.deepEqual(loaded.tables, { "files.h*": 1 });
    answer();
    await until("the slow answer", () => slow.state === "whole");
    // The tables are read last.
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(page.state.current.loaded, loaded);
  });

  it("show a notice if the server cannot be reached, and remove it later", async () => {
    proxy.set({ unauthorized: true });
    const page = open();
    const notice = await until("the notice", () => page.state.current.loadError);
    assert.match(notice.text, /requires you to sign in/);
    assert.equal(notice.action, "Sign In");
    proxy.set();
    change(page, draft({ tables: ["files.*"] }));
    await until("no notice", () => !page.state.current.loadError);
  });

  it("create the agent, show it in the tree, and open a chat with it", async () => {
    const page = open();
    const sending = send(page, draft({ name: "made" }));
    assert.equal(page.state.current.sending, 0);
    await sending;
    assert.equal(page.state.current.sending, undefined);
    await created(page);
    assert.ok((await listAgents(client, "mindsdb")).some(({ name }) => name === "made"));
    const agent = { connectionId: "c", project: "mindsdb", name: "made" };
    await until("the tree", () => shown.length > 0);
    assert.deepEqual(shown.pop(), agent);
    page.handlers.ask();
    assert.deepEqual(asked.pop(), agent);
  });

  it("pass the server's response to the page of the created agent, without its key", async () => {
    const page = open();
    await send(page, draft({ name: "shown", model: own }), key);
    await created(page);
    proxy.requests.length = 0;
    page.handlers.show();
    const { agent, row } = opened.pop() ?? assert.fail();
    assert.deepEqual(agent, { connectionId: "c", project: "mindsdb", name: "shown" });
    const { name, model, created_at } = row as Record<string, unknown>;
    assert.equal(name, "shown");
    assert.deepEqual(model, { provider: "openai", model_name: "m", api_key: "******" });
    assert.match(String(created_at), /^\d{4}-/);
    assert.equal(proxy.requests.length, 0);
  });

  it("edit the created agent after a reload", () => {
    const made = { name: "made", project: "mindsdb", note: "It answers." };
    const page = open(newForm("c", draft()), { created: made });
    assert.equal(page.title, "made");
    page.handlers.ask();
    assert.equal(asked.pop()?.name, "made");
  });

  it("continue with the created agent", async () => {
    const page = open();
    await send(page, draft({ name: "made_too" }));
    await created(page);
    await page.handlers.edit();
    assert.equal(page.form.before?.name, "made_too");
    assert.equal(page.title, "Edit made_too");
    assert.match(panelKey(page.form), /^edit\/c\/mindsdb\/made_too$/);
  });

  it("send a typed key, and show it nowhere", async () => {
    const page = open();
    const given = draft({ model: { ...own, provider: "zzz" } });
    await send(page, given, key);
    assert.equal((await failed(page)).field, "provider");
    const request = proxy.requests.find(({ method }) => method === "POST");
    assert.ok(request?.body.includes(key));
    assert.ok(!JSON.stringify(page.state.current).includes(key));
    assert.equal(client.secrets.redact(`as ${key} is`), "as ****** is");
  });

  it("send only what differs, with the key that the server has", async () => {
    const first = open();
    await send(first, draft({ name: "kept", model: own }), key);
    await created(first);
    const form = await editing("kept");
    assert.deepEqual(form.modelOf, { project: "mindsdb", name: "kept", hasKey: true });
    assert.ok(!JSON.stringify(form).includes(key));
    const model = { ...own, modelName: "m2" };
    assert.equal(await send(open(form), { ...form.draft, model }), "Saved.");
    const request = proxy.requests.findLast(({ method }) => method === "PUT");
    assert.deepEqual(JSON.parse(String(request?.body)), {
      agent: { model: { provider: "openai", model_name: "m2", api_key: key } },
    });
    assert.equal((await getAgent(client, "mindsdb", "kept")).model?.["model_name"], "m2");
  });

  it("send nothing if nothing has changed", async () => {
    const form = await editing("rental_agent");
    const page = open(form);
    proxy.requests.length = 0;
    assert.equal(await send(page, form.draft), "Nothing has changed.");
    assert.ok(proxy.requests.every(({ method }) => method === "GET"));
  });

  it("report at the name field that the server has lost a new name", async () => {
    const form = await editing("rental_agent");
    proxy.set({ on: /^PUT /, answer: { status: 200, headers: json, body: "{}" } });
    const page = open(form);
    await send(page, { ...form.draft, name: "renamed" });
    const { field, text } = await failed(page);
    assert.equal(field, "name");
    assert.match(text, /kept the name rental_agent/);
  });

  it("stop when they are canceled", async () => {
    proxy.requests.length = 0;
    proxy.set({ on: /^POST /, silent: true });
    const page = open();
    void send(page, draft({ name: "never" }));
    const isPost = ({ method }: { method: string }) => method === "POST";
    await proxy.waitFor(isPost);
    page.handlers.cancel();
    await until("the socket to close", () => proxy.requests.find(isPost)?.state === "aborted");
    assert.match((await failed(page)).text, /^Canceled\./);
  });

  describe("with unsaved changes", () => {
    let forms: AgentForms;
    const written = draft({ name: "half_written", instruction: "Answer in" });
    const where = { connectionId: "c", project: "mindsdb" };

    before(() => {
      forms = new AgentForms(options);
    });
    beforeEach(() => fs.rmSync(draftsFolder, { recursive: true, force: true }));
    afterEach(closeAll);
    const last = () => forms.contents.at(-1) ?? assert.fail();
    const create = async () => {
      await forms.create(where);
      return last();
    };
    const edit = async (name: string) => {
      await forms.edit({ ...where, name });
      return last();
    };
    async function closeAll(): Promise<void> {
      await closeAllEditors();
      await until("no form", () => forms.contents.length === 0);
    }
    const keepWritten = async (): Promise<void> => {
      change(await create(), written);
      await closeAll();
    };
    const noteOf = (page: AgentFormPage) => page.state.current.keptNote;

    it("are marked as changed, and only then kept", async () => {
      const page = await create();
      const empty = page.form.draft;
      change(page, written);
      assert.equal(page.isDirty, true);
      change(page, empty);
      assert.equal(page.isDirty, false);
      await closeAll();
      assert.equal(noteOf(await create()), undefined);
    });

    it("come back in the next form for the same agent, without the key", async () => {
      (await create()).handlers.change(written, { apiKey: true });
      await closeAll();
      assert.equal(noteOf(await edit("rental_agent")), undefined);
      const next = await create();
      assert.match(noteOf(next) ?? "", /^These are your unsaved changes from /);
      assert.deepEqual(next.form.draft, written);
      assert.deepEqual(next.form.hadKeys, { apiKey: true });
      assert.equal(next.isDirty, true);
      // The next command reveals this form, which keeps the draft again.
      const open = forms.contents.length;
      assert.equal(await create(), next);
      assert.equal(forms.contents.length, open);
      await closeAll();
      assert.deepEqual((await create()).form.draft, written);
    });

    it("skip drafts that cannot be read, and read those of version 0.1.0", async () => {
      await keepWritten();
      const [name = ""] = fs.readdirSync(draftsFolder);
      const kept = JSON.parse(fs.readFileSync(path.join(draftsFolder, name), "utf8")) as {
        form: Record<string, unknown>;
      };
      const write = (id: string, text: string) =>
        fs.writeFileSync(path.join(draftsFolder, `${id}.json`), text);
      const later = { ...kept, savedAt: Date.now() + 1_000 };
      write("strange", JSON.stringify({ ...later, id: "strange", form: { draft: 1 } }));
      write("broken", "{");
      const old = { ...kept.form, hadKeys: undefined, hadKey: true };
      write("old", JSON.stringify({ ...later, id: "old", form: old }));
      const next = await create();
      assert.equal(next.form.draft.name, "half_written");
      assert.deepEqual(next.form.hadKeys, { apiKey: true });
    });

    it("are marked as changed from the start after a reload", () => {
      const form = newForm("c", draft());
      assert.equal(open({ ...form, draft: written }).isDirty, true);
    });

    it("say that the agent has changed since then", async () => {
      await createAgent(client, "mindsdb", { name: "shared", prompt_template: "Hi." });
      const page = await edit("shared");
      change(page, { ...page.form.draft, instruction: "Ho." });
      await closeAll();
      assert.doesNotMatch(noteOf(await edit("shared")) ?? assert.fail(), /changed on the server/);
      await closeAll();
      await updateAgent(client, "mindsdb", "shared", { prompt_template: "Hu." });
      const next = await edit("shared");
      assert.match(noteOf(next) ?? "", /The server's version has changed since then\.$/);
      assert.equal(next.form.draft.instruction, "Ho.");
      assert.equal(next.form.before?.instruction, "Hu.");
      next.handlers.startOver();
      assert.equal(next.form.draft.instruction, "Hu.");
    });

    it("are not kept after they were sent", async () => {
      const page = await create();
      change(page, draft({ name: "sent_form" }));
      await send(page, draft({ name: "sent_form" }));
      assert.equal(page.isDirty, false);
      await closeAll();
      assert.equal(noteOf(await create()), undefined);
    });
  });

  it("copy the request with placeholders", async () => {
    const given = draft({ model: own, instruction: `Never say ${key}.` });
    client.secrets.add(key);
    const status = await open().handlers.copy("curl", given, { apiKey: true });
    assert.equal(status, "Copied without API keys.");
    const request = `^curl -X POST '${proxy.url}/api/projects/mindsdb/agents'`;
    const text = await copied(new RegExp(request));
    assert.match(text, /"api_key": "<your API key>"/);
    assert.ok(!text.includes(key));
  });

  it("copy the request of a duplicate with a placeholder for the stored key", async () => {
    const stored = { provider: "openai", model_name: "stored", api_key: key };
    await createAgent(client, "mindsdb", { name: "original", model: stored });
    const like = await getAgent(client, "mindsdb", "original");
    const given = { ...createDraft(like, "mindsdb"), name: "copy" };
    await open(newForm("c", given, like)).handlers.copy("curl", given, {});
    const text = await copied(/"name": "copy"/);
    assert.match(text, /"api_key": "<your API key>"/);
    assert.ok(!text.includes(key), text);
    await deleteAgent(client, "mindsdb", "original");
  });

  it("copy the CREATE statement, or say that SQL cannot express it", async () => {
    const { copy } = open().handlers;
    const given = draft({ name: "sayable", model: own, instruction: "It's short." });
    await copy("sql", given, { apiKey: true });
    const sql = await copied(/^CREATE AGENT `mindsdb`\.`sayable`\nUSING\n {2}model = \{/);
    assert.ok(sql.includes("prompt_template = 'It''s short.';"), sql);
    assert.ok(sql.includes(`"api_key": '<your API key>'`), sql);
    const odd = draft({ name: "odd", instruction: "ends with \\" });
    assert.match(String(await copy("sql", odd, {})), /^Nothing was copied/);
    await copied(sql);
  });

  describe("in tabs", () => {
    const labels = (...expected: string[]) =>
      eventually(() =>
        assert.deepEqual(
          tabs()
            .map(({ label }) => label)
            .sort(),
          expected,
        ),
      );
    let where: { connectionId: string; project: string };
    before(async () => {
      const { connections } = await workbench();
      const { id } = await connections.save({ name: "Forms", address: proxy.url });
      where = { connectionId: id, project: "mindsdb" };
    });
    after(async () => {
      const { connections } = await workbench();
      await connections.remove(where.connectionId);
      await closeAllEditors();
    });

    it("open once for a new agent, and once for each existing one", async () => {
      await closeAllEditors();
      await vscode.commands.executeCommand("mindsdbWorkbench.agent.create", where);
      await vscode.commands.executeCommand("mindsdbWorkbench.agent.create", where);
      const agent = { ...where, name: "rental_agent" };
      await vscode.commands.executeCommand("mindsdbWorkbench.agent.edit", agent);
      await vscode.commands.executeCommand("mindsdbWorkbench.agent.edit", agent);
      await labels("Create Agent", "Edit rental_agent");
    });

    it("open once for an agent, whichever way they are opened", async () => {
      const { agents } = await workbench();
      const forms = await agents.load();
      await closeAllEditors();
      await until("no form", () => forms.contents.length === 0);
      await vscode.commands.executeCommand("mindsdbWorkbench.agent.create", where);
      const panel = await until("the form", () => forms.contents.at(-1));
      void send(panel, draft({ name: "once" }));
      await until("the agent", () => panel.title === "once");
      await vscode.commands.executeCommand("mindsdbWorkbench.agent.edit", {
        ...where,
        name: "once",
      });
      await labels("Edit once", "once");
      void panel.handlers.edit();
      await labels("Edit once");
      await eventually(() =>
        assert.deepEqual(
          forms.contents.map(({ form }) => form.before?.name),
          ["once"],
        ),
      );
    });

    it("ask the server again after the notice's button has done its work", async () => {
      proxy.set({ unauthorized: true });
      const page = open(newForm(where.connectionId, draft()));
      const notice = await until("the notice", () => page.state.current.loadError);
      assert.equal(notice.action, "Sign In");
      proxy.set();
      // This server requires no login, so signing in is over at once.
      await page.handlers.runProblemAction("Sign In");
      await until("no notice", () => !page.state.current.loadError);
    });

    it("start with the knowledge base of a node, and with a free name for a copy", async () => {
      const { agents } = await workbench();
      const forms = await agents.load();
      const base = { ...where, kind: "knowledgeBase", name: "rental_guide" };
      await vscode.commands.executeCommand("mindsdbWorkbench.agent.create", base);
      const last = () => forms.contents.at(-1)?.form;
      await eventually(() =>
        assert.deepEqual(last()?.draft.knowledgeBases, ["mindsdb.rental_guide"]),
      );
      const agent = { ...where, name: "rental_agent" };
      await vscode.commands.executeCommand("mindsdbWorkbench.agent.duplicate", agent);
      await until("the copy", () => last()?.draft.name === "rental_agent_copy");
      assert.equal(last()?.before, undefined);
    });
  });
});

const json = { "content-type": "application/json" };
