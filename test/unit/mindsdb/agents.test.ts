// Creates, reads, updates and deletes agents on the sample server, and lists the data that agents can use.
import assert from "node:assert/strict";
import {
  createAgent,
  deleteAgent,
  getAgent,
  getAgentFields,
  listAgents,
  updateAgent,
} from "../../../src/mindsdb/agents.ts";
import { parseAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { getDefaultModels, listDatabases, listTables } from "../../../src/mindsdb/dataSources.ts";
import type { Client } from "../../../src/mindsdb/http/client.ts";
import { type CallOptions } from "../../../src/mindsdb/http/client.ts";
import { isAppError, type AppErrorKind } from "../../../src/mindsdb/errors.ts";
import { Secrets } from "../../../src/mindsdb/redact/redact.ts";
import { readFirstRows } from "../../../src/mindsdb/tables.ts";
import { createTransport, type Transport } from "../../../src/mindsdb/http/transport.ts";
import { startTestServer } from "../../sampleServer/server.ts";
import { startFaultProxy, type FaultProxy } from "../../proxy/faultProxy.ts";
import { clientOver } from "../../clientOver.ts";

const key = "made-up-key-0001";
const isKind = (kind: AppErrorKind) => (error: unknown) => isAppError(error, kind);
const json = (body: unknown) => {
  const headers = { "content-type": "application/json" };
  return { status: 200, headers, body: JSON.stringify(body) };
};

describe("agents over HTTP", () => {
  let server: Awaited<ReturnType<typeof startTestServer>>;
  let proxy: FaultProxy;
  let transport: Transport;
  let client: Client;
  before(async () => {
    server = await startTestServer({ unguarded: true });
    proxy = await startFaultProxy({ target: server.url });
  });
  beforeEach(() => {
    transport = createTransport(parseAddress(proxy.url));
    client = clientOver(transport);
  });
  afterEach(async () => {
    proxy.set();
    await transport.close();
  });
  after(async () => {
    await proxy.stop();
    await server.stop();
  });

  it("creates an agent, reads it with its key, updates it and deletes it", async () => {
    const model = { provider: "openai", model_name: "m", api_key: key, base_url: "http://h/v1" };
    const data = { tables: ["files.home_rentals"] };
    await createAgent(client, "mindsdb", { name: "a b/ä", model, data, prompt_template: "Hi." });
    assert.deepEqual(await getAgent(client, "mindsdb", "a b/ä"), {
      name: "a b/ä",
      model,
      tables: ["files.home_rentals"],
      knowledgeBases: [],
      promptTemplate: "Hi.",
    });
    await updateAgent(client, "mindsdb", "a b/ä", { name: "ab", prompt_template: "Ho." });
    const changed = (await listAgents(client, "mindsdb")).find(({ name }) => name === "ab");
    assert.equal(changed?.promptTemplate, "Ho.");
    assert.equal(changed.model, "openai · m");
    await deleteAgent(client, "mindsdb", "ab");
    await assert.rejects(deleteAgent(client, "mindsdb", "ab"), isKind("notFound"));
  });

  it("returns the server's reply to a creation and every field of an agent, without keys", async () => {
    const model = { provider: "openai", model_name: "m", api_key: key };
    const made = await createAgent(client, "mindsdb", { name: "fields", model });
    const fields = await getAgentFields(client, "mindsdb", "fields");
    assert.deepEqual(made, fields);
    assert.deepEqual(fields["model"], { ...model, api_key: "******" });
    assert.deepEqual(Object.keys(fields).sort(), [
      "created_at",
      "id",
      "model",
      "name",
      "project_id",
      "updated_at",
    ]);
    // Unknown fields, and known fields of another type, are kept unchanged.
    const odd = { name: "a", created_at: 5, prompt_template: ["x"], extra: { token: key } };
    proxy.set({ on: /\/agents\/a$/, answer: json(odd) });
    const shown = await getAgentFields(client, "mindsdb", "a");
    assert.deepEqual(shown, { ...odd, extra: { token: "******" } });
    proxy.set({ on: /\/agents$/, answer: json("done") });
    assert.equal(await createAgent(client, "mindsdb", { name: "b" }), undefined);
  });

  it("waits without a time limit while the server tests the model", async () => {
    const limits: unknown[] = [];
    const call = (_path: string, _body: unknown, { timeoutMs }: CallOptions): Promise<void> =>
      Promise.resolve(void limits.push(timeoutMs));
    const patient = { post: call, put: call, secrets: new Secrets() } as unknown as Client;
    await createAgent(patient, "mindsdb", { name: "slow" });
    await updateAgent(patient, "mindsdb", "slow", { prompt_template: "Hi." });
    assert.deepEqual(limits, [0, 0]);
  });

  it("redacts the key of an agent that was read", async () => {
    const agent = { name: "a", model: { provider: "x", openai_api_key: "made-up-key-0002" } };
    proxy.set({ on: /\/agents\/a$/, answer: json(agent) });
    await getAgent(client, "mindsdb", "a");
    assert.equal(client.secrets.redact("made-up-key-0002"), "******");
  });

  it("does not redact names that contain a key", async () => {
    const agent = {
      name: "llamakey_agent",
      model: { provider: "llamakey", model_name: "llama", api_key: "llamakey" },
      data: { tables: ["files.llamakey_costs"] },
      prompt_template: "Use the key llamakey.",
    };
    proxy.set({ on: /\/agents$/, answer: json([agent]) });
    const [shown] = await listAgents(client, "mindsdb");
    assert.equal(shown?.name, "llamakey_agent");
    assert.equal(shown.model, "llamakey · llama");
    assert.deepEqual(shown.tables, ["files.llamakey_costs"]);
    assert.equal(shown.promptTemplate, "Use the key ******.");

    const source = {
      name: "postgres_demo",
      type: "data",
      engine: "postgres",
      connection_data: { user: "postgres", password: "postgres" },
    };
    const inSchema = { ...source, name: "postgres_crm", connection_data: { schema: "crm" } };
    const mysql = { ...inSchema, name: "store", engine: "mysql" };
    proxy.set({ on: /\/databases\/$/, answer: json([source, inSchema, mysql]) });
    assert.deepEqual(await listDatabases(client), [
      { name: "postgres_crm", kind: "data", engine: "postgres", schema: "crm" },
      { name: "postgres_demo", kind: "data", engine: "postgres", schema: "public" },
      { name: "store", kind: "data", engine: "mysql" },
    ]);
    assert.equal(client.secrets.redact("password postgres"), "password ******");
  });

  it("shows no key in the error for an invalid reply", async () => {
    proxy.set({ on: /\/agents\/a$/, answer: json({ model: { api_key: key } }) });
    await assert.rejects(getAgent(client, "mindsdb", "a"), (error: unknown) => {
      assert.ok(isKind("badAnswer")(error));
      assert.ok(!JSON.stringify(error.detail).includes(key));
      return true;
    });
  });

  it("reads agents in the older formats", async () => {
    const older = { name: "a", provider: "openai", model_name: "gpt-4", skills: [] };
    proxy.set({ on: /\/agents\/a$/, answer: json(older) });
    const onTop = await getAgent(client, "mindsdb", "a");
    assert.deepEqual(onTop.model, { provider: "openai", model_name: "gpt-4" });
    const params = { model: { model_name: "m" }, data: { tables: ["t.t"] }, prompt_template: "p" };
    proxy.set({ on: /\/agents\/a$/, answer: json({ name: "a", params }) });
    assert.deepEqual(await getAgent(client, "mindsdb", "a"), {
      name: "a",
      model: { model_name: "m" },
      tables: ["t.t"],
      knowledgeBases: [],
      promptTemplate: "p",
    });
  });

  it("reads the other parameters of an agent, except secrets", async () => {
    const params = { mode: "sql", timeout: 30, openai_api_key: key, prompt_template: "p" };
    proxy.set({ on: /\/agents\/a$/, answer: json({ name: "a", params }) });
    const agent = await getAgent(client, "mindsdb", "a");
    assert.deepEqual(agent.params, { mode: "sql", timeout: 30 });
    const nested = {
      ...params,
      tools: [{ name: "web", auth: { token: key }, header: `as ${key}` }],
    };
    proxy.set({ on: /\/agents\/a$/, answer: json({ name: "a", params: nested }) });
    assert.deepEqual((await getAgent(client, "mindsdb", "a")).params, {
      mode: "sql",
      timeout: 30,
      tools: [{ name: "web", auth: {} }],
    });
  });

  it("reads the server's default model, or that there is none", async () => {
    const { language } = await getDefaultModels(client);
    assert.deepEqual(language, { provider: "sample", modelName: "rules" });
    for (const default_llm of [{}, null, undefined, "x"]) {
      proxy.set({ on: /\/config\/$/, answer: json({ default_llm }) });
      assert.equal((await getDefaultModels(client)).language, undefined);
    }
    const default_llm = { provider: "openai", model_name: "m", api_key: key };
    proxy.set({ on: /\/config\/$/, answer: json({ default_llm }) });
    await getDefaultModels(client);
    assert.equal(client.secrets.redact(key), "******");
  });

  it("distinguishes data sources from projects and from the vector stores of knowledge bases", async () => {
    const kinds = new Map((await listDatabases(client)).map(({ name, kind }) => [name, kind]));
    assert.equal(kinds.get("files"), "data");
    assert.equal(kinds.get("mindsdb"), "project");
    assert.equal(kinds.get("information_schema"), "system");
    assert.equal(kinds.get("store_rental_guide"), "vectors");
  });

  it("lists tables, with their schemas if there are any", async () => {
    assert.ok((await listTables(client, "files")).some(({ name }) => name === "home_rentals"));
    const table = { class: "table", type: "table" };
    const tree = [
      { ...table, name: "plain" },
      {
        class: "schema",
        name: "public",
        children: [
          { ...table, name: "b" },
          { ...table, name: "a" },
        ],
      },
    ];
    proxy.set({ on: /\/tree\/pg\?all_schemas=true$/, answer: json(tree) });
    assert.deepEqual(await listTables(client, "pg"), [
      { name: "plain" },
      { schema: "public", name: "a" },
      { schema: "public", name: "b" },
    ]);
  });

  it("quotes a table's name to read its columns", async () => {
    const { columns } = await readFirstRows(client, ["files", "home_rentals"], 1);
    assert.ok(columns.includes("rental_price"));
    await assert.rejects(readFirstRows(client, ["files", "x; DROP"], 1), isKind("sql"));
    await assert.rejects(readFirstRows(client, ["files", "a`b"], 1), isKind("sql"));
  });
});
