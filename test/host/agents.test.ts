import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { emptyDraft, type AgentDraft } from "../../src/agents/agentDraft.ts";
import { AgentFormPanel, type AgentFormOptions } from "../../src/agents/host/agentFormPanel.ts";
import { editForm, newForm, panelKey } from "../../src/agents/host/initialForm.ts";
import type { AgentForm, ToPage } from "../../src/agents/formMessages.ts";
import type { AgentRef } from "../../src/mindsdb/references.ts";
import { readGuard, type Connection, type ServerAccess } from "../../src/connections/connection.ts";
import { parseAddress } from "../../src/mindsdb/http/serverAddress.ts";
import { createAgent, getAgent, listAgents, updateAgent } from "../../src/mindsdb/agents.ts";
import type { Client } from "../../src/mindsdb/http/client.ts";
import { getStatus } from "../../src/mindsdb/http/login.ts";
import { Secrets } from "../../src/mindsdb/redact/redact.ts";
import { createTransport, type Transport } from "../../src/mindsdb/http/transport.ts";
import { startTestServer } from "../sampleServer/server.ts";
import { DraftStore, maxDrafts } from "../../src/shared/host/draftStore.ts";
import { Log } from "../../src/shared/host/log.ts";
import { startFaultProxy, type FaultProxy } from "../proxy/faultProxy.ts";
import { until, workbench } from "./workbench.ts";
import { clientOver } from "../clientOver.ts";

/** A made-up key that does not look like a known kind of key. */
const key = "canary-key-0123";
const own = { own: true, provider: "openai", modelName: "m", baseUrl: "" };
const draft = (change: Partial<AgentDraft> = {}): AgentDraft => ({
  ...emptyDraft("mindsdb"),
  name: "helper",
  ...change,
});

describe("Agent forms", () => {
  let server: Awaited<ReturnType<typeof startTestServer>>;
  let proxy: FaultProxy;
  let transport: Transport;
  let client: Client;
  let options: AgentFormOptions;
  let posted: ToPage[];
  let log: Log;
  const shown: AgentRef[] = [];
  const asked: AgentRef[] = [];
  const opened: { agent: AgentRef; row: unknown }[] = [];
  const draftsFolder = fs.mkdtempSync(path.join(os.tmpdir(), "drafts-"));
  const marks: boolean[] = [];

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
      drafts: new DraftStore(draftsFolder, (error) => assert.fail(String(error))),
      onFormReplaced: () => undefined,
      onDirtyChanged: (panel) => void marks.push(panel.isDirty),
    };
  });
  beforeEach(() => {
    posted = [];
    proxy.set();
    proxy.requests.length = 0;
  });
  after(async () => {
    await transport.close();
    await proxy.stop();
    await server.stop();
    fs.rmSync(draftsFolder, { recursive: true, force: true });
  });

  const open = (form: AgentForm = newForm("c", draft())) =>
    new AgentFormPanel(form, (message) => posted.push(message), options);
  const received = <Type extends ToPage["type"]>(type: Type) =>
    until(type, () =>
      posted.find((message): message is Extract<ToPage, { type: Type }> => message.type === type),
    );
  const editing = async (name: string) =>
    editForm("c", await getAgent(client, "mindsdb", name), "mindsdb");

  it("post the server's data to the page", async () => {
    open().receive({ type: "look", draft: draft({ tables: ["files.*", "files.zzz"] }) });
    const { data: seen } = await received("loaded");
    assert.deepEqual(seen.tables, { "files.*": 2, "files.zzz": 0 });
    assert.equal(seen.defaultModel, "sample · rules");
    assert.deepEqual(seen.projects, ["mindsdb", "support"]);
    assert.ok(seen.items?.some(({ name }) => name === "rental_agent"));
  });

  it("ignore responses about lists that have changed in the meantime", async () => {
    const panel = open();
    proxy.set({ on: /\/tree\/files/, delay: 300, times: 1 });
    panel.receive({ type: "look", draft: draft({ tables: ["files.*"] }) });
    const slow = await proxy.waitFor(({ path }) => path.endsWith("/tree/files"));
    panel.receive({ type: "look", draft: draft({ tables: ["files.h*"] }) });
    assert.deepEqual((await received("loaded")).data.tables, { "files.h*": 1 });
    await until("the slow answer", () => slow.state === "whole");
    // The tables are read last.
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(posted.filter(({ type }) => type === "loaded").length, 1);
  });

  it("show a notice if the server cannot be reached, and remove it later", async () => {
    const panel = open();
    proxy.set({ unauthorized: true });
    panel.receive({ type: "look", draft: draft() });
    const { notice } = await received("loadError");
    assert.match(notice?.text ?? "", /asks you to sign in/);
    assert.equal(notice?.action, "Sign In");
    proxy.set();
    posted = [];
    panel.receive({ type: "look", draft: draft() });
    assert.equal((await received("loadError")).notice, undefined);
  });

  it("create the agent, show it in the tree, and open a chat with it", async () => {
    const panel = open();
    const { length } = posted;
    panel.receive({ type: "send", draft: draft({ name: "made" }), apiKey: "" });
    await received("created");
    assert.equal(posted[length]?.type, "sending");
    assert.ok((await listAgents(client, "mindsdb")).some(({ name }) => name === "made"));
    const agent = { connectionId: "c", project: "mindsdb", name: "made" };
    await until("the tree", () => shown.length > 0);
    assert.deepEqual(shown.pop(), agent);
    panel.receive({ type: "ask" });
    assert.deepEqual(asked.pop(), agent);
    assert.deepEqual(
      panel.snapshot().map(({ type }) => type),
      ["begin", "created"],
    );
  });

  it("pass the server's response to the page of the created agent, without its key", async () => {
    const panel = open();
    panel.receive({ type: "send", draft: draft({ name: "shown", model: own }), apiKey: key });
    await received("created");
    proxy.requests.length = 0;
    panel.receive({ type: "show" });
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
    const panel = new AgentFormPanel(newForm("c", draft()), () => undefined, options, { made });
    assert.deepEqual(panel.snapshot().at(-1), { type: "created", agent: made });
    panel.receive({ type: "ask" });
    assert.equal(asked.pop()?.name, "made");
  });

  it("continue with the created agent", async () => {
    const panel = open();
    panel.receive({ type: "send", draft: draft({ name: "made_too" }), apiKey: "" });
    await received("created");
    panel.receive({ type: "edit" });
    const { form } = await received("begin");
    assert.equal(form.before?.name, "made_too");
    assert.equal(panel.title, "Edit made_too");
    assert.match(panelKey(panel.form), /^edit\/c\/mindsdb\/made_too$/);
  });

  it("send a typed key, and show it nowhere", async () => {
    const panel = open();
    const given = draft({ model: { ...own, provider: "zzz" } });
    panel.receive({ type: "send", draft: given, apiKey: key });
    const { notice } = await received("refused");
    assert.equal(notice.field, "provider");
    const request = proxy.requests.find(({ method }) => method === "POST");
    assert.ok(request?.body.includes(key));
    assert.ok(!JSON.stringify(posted).includes(key));
    assert.ok(!JSON.stringify(panel.snapshot()).includes(key));
    assert.ok(!JSON.stringify(panel.form).includes(key));
    assert.equal(client.secrets.redact(`as ${key} is`), "as ****** is");
  });

  it("send only what differs, with the key that the server has", async () => {
    const first = open();
    first.receive({ type: "send", draft: draft({ name: "kept", model: own }), apiKey: key });
    await received("created");
    posted = [];
    const form = await editing("kept");
    assert.deepEqual(form.modelOf, { project: "mindsdb", name: "kept", hasKey: true });
    assert.ok(!JSON.stringify(form).includes(key));
    const panel = open(form);
    const model = { ...own, modelName: "m2" };
    panel.receive({ type: "send", draft: { ...form.draft, model }, apiKey: "" });
    await received("status");
    const request = proxy.requests.findLast(({ method }) => method === "PUT");
    assert.deepEqual(JSON.parse(String(request?.body)), {
      agent: { model: { provider: "openai", model_name: "m2", api_key: key } },
    });
    assert.equal((await getAgent(client, "mindsdb", "kept")).model?.["model_name"], "m2");
  });

  it("send nothing if nothing has changed", async () => {
    const form = await editing("rental_agent");
    const panel = open(form);
    proxy.requests.length = 0;
    panel.receive({ type: "send", draft: form.draft, apiKey: "" });
    assert.equal((await received("status")).text, "Nothing has changed.");
    assert.ok(proxy.requests.every(({ method }) => method === "GET"));
  });

  it("report at the name field that the server has lost a new name", async () => {
    const form = await editing("rental_agent");
    proxy.set({ on: /^PUT /, answer: { status: 200, headers: json, body: "{}" } });
    open(form).receive({ type: "send", draft: { ...form.draft, name: "renamed" }, apiKey: "" });
    const { notice } = await received("refused");
    assert.equal(notice.field, "name");
    assert.match(notice.text, /kept the name rental_agent/);
  });

  it("stop when they are cancelled or closed", async () => {
    for (const end of ["cancel", "close"] as const) {
      proxy.requests.length = 0;
      proxy.set({ on: /^POST /, silent: true });
      const panel = open();
      panel.receive({ type: "send", draft: draft({ name: "never" }), apiKey: "" });
      const isPost = ({ method }: { method: string }) => method === "POST";
      await proxy.waitFor(isPost);
      if (end === "cancel") panel.receive({ type: "cancel" });
      else panel.onClosed();
      await until("the socket to close", () => proxy.requests.find(isPost)?.state === "aborted");
      const { notice } = await received("refused");
      assert.match(notice.text, /^Canceled\./);
      posted = [];
    }
  });

  describe("with unsaved changes", () => {
    const offer = (panel: AgentFormPanel) =>
      panel.snapshot().find((message) => message.type === "draftOffered")?.text;
    const written = draft({ name: "half_written", instruction: "Answer in" });

    beforeEach(() => {
      fs.rmSync(draftsFolder, { recursive: true, force: true });
      marks.length = 0;
    });

    it("are marked as changed, and only then stored", () => {
      const panel = open();
      assert.equal(panel.isDirty, false);
      panel.receive({ type: "changed", draft: written, hasKey: false });
      panel.receive({ type: "changed", draft: draft(), hasKey: false });
      assert.deepEqual(marks, [true, false]);
      panel.onClosed();
      assert.equal(offer(open()), undefined);
    });

    it("offer the draft to the next form for the same agent, and restore it without the key", async () => {
      const panel = open();
      panel.receive({ type: "changed", draft: written, hasKey: true });
      panel.onClosed();
      const other = open(await editing("rental_agent"));
      assert.equal(offer(other), undefined);
      const next = open();
      assert.match(offer(next) ?? "", /^You have unsaved changes from /);
      posted = [];
      next.receive({ type: "restoreDraft" });
      const { form } = await received("begin");
      assert.deepEqual(form.draft, written);
      assert.equal(form.hadKey, true);
      assert.equal(next.isDirty, true);
      assert.equal(offer(next), undefined);
      // The draft belongs to this form now, which stores it again.
      assert.equal(offer(open()), undefined);
      next.onClosed();
      assert.notEqual(offer(open()), undefined);
    });

    it("store what was typed before the draft is restored", () => {
      const panel = open();
      panel.receive({ type: "changed", draft: written, hasKey: false });
      panel.onClosed();
      const next = open();
      const instead = draft({ name: "instead" });
      next.receive({ type: "changed", draft: instead, hasKey: false });
      next.receive({ type: "restoreDraft" });
      assert.equal(next.form.draft.name, "half_written");
      assert.notEqual(offer(next), undefined);
      next.receive({ type: "restoreDraft" });
      assert.equal(next.form.draft.name, "instead");
    });

    it("skip drafts that cannot be read", () => {
      const panel = open();
      panel.receive({ type: "changed", draft: written, hasKey: false });
      panel.onClosed();
      const [name = ""] = fs.readdirSync(draftsFolder);
      const kept = JSON.parse(fs.readFileSync(path.join(draftsFolder, name), "utf8")) as object;
      const strange = { ...kept, id: "strange", savedAt: Date.now() + 1_000, form: { draft: 1 } };
      fs.writeFileSync(path.join(draftsFolder, "strange.json"), JSON.stringify(strange));
      fs.writeFileSync(path.join(draftsFolder, "broken.json"), "{");
      const next = open();
      next.receive({ type: "restoreDraft" });
      assert.equal(next.form.draft.name, "half_written");
    });

    it("store only the newest drafts", () => {
      for (let i = 0; i < maxDrafts + 3; i++) {
        const panel = open();
        panel.receive({ type: "changed", draft: written, hasKey: false });
        panel.onClosed();
      }
      assert.equal(fs.readdirSync(draftsFolder).length, maxDrafts);
    });

    it("are marked as changed from the start after a reload", () => {
      const form = newForm("c", draft());
      assert.equal(open({ ...form, draft: written }).isDirty, true);
    });

    it("delete a discarded draft, and offer the one before it", () => {
      for (const name of ["first", "second"]) {
        const panel = open();
        panel.receive({ type: "changed", draft: draft({ name }), hasKey: false });
        panel.onClosed();
      }
      const next = open();
      next.receive({ type: "discardDraft" });
      assert.notEqual(offer(next), undefined);
      next.receive({ type: "discardDraft" });
      assert.equal(offer(next), undefined);
    });

    it("say that the agent has changed since then", async () => {
      await createAgent(client, "mindsdb", { name: "shared", prompt_template: "Hi." });
      const panel = open(await editing("shared"));
      const { draft: before } = panel.form;
      panel.receive({ type: "changed", draft: { ...before, instruction: "Ho." }, hasKey: false });
      panel.onClosed();
      assert.doesNotMatch(offer(open(await editing("shared"))) ?? "", /changed on the server/);
      await updateAgent(client, "mindsdb", "shared", { prompt_template: "Hu." });
      const next = open(await editing("shared"));
      assert.match(offer(next) ?? "", /The agent was changed on the server since then\.$/);
      next.receive({ type: "restoreDraft" });
      assert.equal(next.form.draft.instruction, "Ho.");
      assert.equal(next.form.before?.instruction, "Hu.");
    });

    it("store nothing after they were sent", async () => {
      const panel = open();
      const whole = draft({ name: "sent_form" });
      panel.receive({ type: "changed", draft: whole, hasKey: false });
      panel.receive({ type: "send", draft: whole, apiKey: "" });
      await received("created");
      assert.equal(panel.isDirty, false);
      panel.onClosed();
      assert.equal(offer(open()), undefined);
    });
  });

  it("copy the request with placeholders", async () => {
    const panel = open();
    const given = draft({ model: own, instruction: `Never say ${key}.` });
    client.secrets.add(key);
    panel.receive({ type: "copy", as: "curl", draft: given, typedKey: true });
    await received("status");
    const copied = await vscode.env.clipboard.readText();
    assert.match(copied, new RegExp(`^curl -X POST '${proxy.url}/api/projects/mindsdb/agents'`));
    assert.match(copied, /"api_key": "<your API key>"/);
    assert.ok(!copied.includes(key));
  });

  it("copy the CREATE statement, or say that SQL cannot express it", async () => {
    const panel = open();
    const given = draft({ name: "sayable", model: own, instruction: "It's short." });
    panel.receive({ type: "copy", as: "sql", draft: given, typedKey: true });
    await until("the statement", async () => {
      const copied = await vscode.env.clipboard.readText();
      return copied.startsWith("CREATE AGENT `mindsdb`.`sayable`\nUSING\n  model = {");
    });
    const copied = await vscode.env.clipboard.readText();
    assert.ok(copied.includes("prompt_template = 'It''s short.';"), copied);
    assert.ok(copied.includes(`"api_key": '<your API key>'`), copied);
    const odd = draft({ name: "odd", instruction: "ends with \\" });
    panel.receive({ type: "copy", as: "sql", draft: odd, typedKey: false });
    await until("the reason", () =>
      posted.some((one) => one.type === "status" && one.text.startsWith("Nothing was copied")),
    );
    assert.equal(await vscode.env.clipboard.readText(), copied);
  });

  describe("in tabs", () => {
    const labels = () =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
    const closeAll = () => vscode.commands.executeCommand("workbench.action.closeAllEditors");
    let where: { connectionId: string; project: string };
    before(async () => {
      const { connections } = await workbench();
      const { id } = await connections.save({ name: "Forms", address: proxy.url });
      where = { connectionId: id, project: "mindsdb" };
    });
    after(async () => {
      const { connections } = await workbench();
      await connections.remove(where.connectionId);
      await closeAll();
    });

    it("open once for each new agent, and once for each existing one", async () => {
      await vscode.commands.executeCommand("mindsdbWorkbench.agent.create", where);
      await vscode.commands.executeCommand("mindsdbWorkbench.agent.create", where);
      const agent = { ...where, name: "rental_agent" };
      await vscode.commands.executeCommand("mindsdbWorkbench.agent.edit", agent);
      await vscode.commands.executeCommand("mindsdbWorkbench.agent.edit", agent);
      await until("the tabs", () => labels().length === 3);
      assert.deepEqual(labels().sort(), ["Create Agent", "Create Agent", "Edit rental_agent"]);
    });

    it("open once for an agent, whichever way they are opened", async () => {
      const { agents } = await workbench();
      const forms = await agents.load();
      await closeAll();
      await vscode.commands.executeCommand("mindsdbWorkbench.agent.create", where);
      const panel = forms.contents.at(-1) ?? assert.fail();
      panel.receive({ type: "send", draft: draft({ name: "once" }), apiKey: "" });
      await until("the agent", () => panel.title === "Edit once");
      await vscode.commands.executeCommand("mindsdbWorkbench.agent.edit", {
        ...where,
        name: "once",
      });
      await until("both tabs", () => labels().length === 2);
      panel.receive({ type: "edit" });
      await until("one tab", () => labels().length === 1);
      assert.deepEqual(labels(), ["Edit once"]);
      assert.deepEqual(
        forms.contents.map(({ form }) => form.before?.name),
        ["once"],
      );
    });

    it("ask the server again after the notice's button has done its work", async () => {
      proxy.set({ unauthorized: true });
      const panel = open(newForm(where.connectionId, draft()));
      panel.receive({ type: "look", draft: draft() });
      assert.equal((await received("loadError")).notice?.action, "Sign In");
      proxy.set();
      posted = [];
      // This server requires no login, so signing in is over at once.
      panel.receive({ type: "accept" });
      assert.equal((await received("loadError")).notice, undefined);
    });

    it("start with the knowledge base of a node, and with a free name for a copy", async () => {
      const { agents } = await workbench();
      const forms = await agents.load();
      const base = { ...where, kind: "knowledgeBase", name: "rental_guide" };
      await vscode.commands.executeCommand("mindsdbWorkbench.agent.create", base);
      assert.deepEqual(forms.contents.at(-1)?.form.draft.knowledgeBases, ["mindsdb.rental_guide"]);
      const agent = { ...where, name: "rental_agent" };
      await vscode.commands.executeCommand("mindsdbWorkbench.agent.duplicate", agent);
      const { form } = forms.contents.at(-1) ?? assert.fail();
      assert.equal(form.draft.name, "rental_agent_copy");
      assert.equal(form.before, undefined);
    });
  });
});

const json = { "content-type": "application/json" };
