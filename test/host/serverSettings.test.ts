// The form of a server's default models and its host, on the sample server.
import assert from "node:assert/strict";
import type { Client } from "../../src/mindsdb/http/client.ts";
import { getServerSettings, updateServerSettings } from "../../src/mindsdb/serverSettings.ts";
import { createForm, SettingsFormPage } from "../../src/serverSettings/host/settingsFormPage.ts";
import type { SettingsDraft } from "../../src/serverSettings/settingsDraft.ts";
import { useAskingServer } from "./useTestServer.ts";

const canary = "sk-canary-2f7a91";

describe("The form of a server's default models", () => {
  const server = useAskingServer();
  const { asked, log } = server;
  let client: Client;
  const own = { choice: "own", provider: "openai", modelName: "m", baseUrl: "" } as const;

  before(() => void ({ client } = server));
  beforeEach(() => updateServerSettings(client, { language: {}, embedding: {}, reranking: {} }));

  const open = async (version = "26.1.0"): Promise<SettingsFormPage> => {
    const status = () => Promise.resolve({ version }) as never;
    const servers = { ...server.servers, status };
    const form = createForm("local", await getServerSettings(client));
    return new SettingsFormPage({ form, content: {} }, { servers, log });
  };
  const send = (form: SettingsFormPage, change: Partial<SettingsDraft>, keys = {}) =>
    form.handlers.send({ ...form.form.draft, ...change }, keys);
  const test = (form: SettingsFormPage, change: Partial<SettingsDraft>, keys = {}) =>
    form.handlers.test({ ...form.form.draft, ...change }, keys);
  const failure = ({ state }: SettingsFormPage) => state.current.failure;

  it("stores the models that have changed, and shows no key", async () => {
    const form = await open();
    assert.equal(await send(form, { language: own }, { language: canary }), "Saved.");
    assert.deepEqual((await getServerSettings(client)).language, {
      provider: "openai",
      model_name: "m",
      api_key: canary,
    });
    assert.deepEqual(form.form.before.language, own);
    assert.equal(form.form.storedKeys["language"], true);
    assert.ok(!JSON.stringify(form.state.current).includes(canary));
    assert.equal(await send(form, {}), "Nothing has changed.");
    assert.deepEqual(
      asked.map(({ isAlwaysAsked }) => isAlwaysAsked),
      [false],
    );
  });

  it("changes nothing if that is not allowed", async () => {
    server.answer = false;
    const form = await open();
    await send(form, { embedding: own });
    assert.equal(failure(form)?.text, "Not saved.");
    await test(form, { embedding: own });
    assert.equal(failure(form)?.text, "Not tested.");
    assert.deepEqual((await getServerSettings(client)).embedding, {});
  });

  it("asks before it replaces what somebody else has changed, and for a key that the server got", async () => {
    const form = await open();
    const stored = { provider: "openai", model_name: "other" };
    await updateServerSettings(client, { language: stored });
    await send(form, { language: own });
    assert.equal(asked[0]?.isAlwaysAsked, true);
    const again = await open();
    await updateServerSettings(client, {
      language: { ...stored, model_name: "m", api_key: canary },
    });
    await send(again, { language: { ...own, modelName: "n" } });
    assert.equal(failure(again)?.field, "languageApiKey");
    assert.ok(!JSON.stringify(again.state.current).includes(canary));
  });

  it("has the server try the models, which creates nothing", async () => {
    const form = await open();
    const all = { language: own, embedding: own, reranking: own };
    const keys = { language: "k", embedding: "k", reranking: "k" };
    assert.equal(
      await test(form, all, keys),
      "The server got answers from: language model, embedding model, reranking model.",
    );
    await test(form, all, { ...keys, embedding: "sk-bad" });
    assert.equal(failure(form)?.field, "embeddingApiKey");
    await test(form, all, { ...keys, reranking: "sk-bad" });
    assert.equal(failure(form)?.field, "rerankingApiKey");
    const lists = ["agents", "knowledge_bases"].map((list) =>
      client.get(`/api/projects/mindsdb/${list}`),
    );
    assert.ok(!JSON.stringify(await Promise.all(lists)).includes("workbench_test"));
  });

  it("says what a server cannot test", async () => {
    const form = await open("25.14.1");
    assert.equal(
      await test(form, { language: own, reranking: own }),
      "This server tests a language model only when an agent is asked. " +
        "The server can test a reranking model only if there is an embedding model.",
    );
  });
});
