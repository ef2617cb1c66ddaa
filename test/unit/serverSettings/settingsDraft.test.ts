import assert from "node:assert/strict";
import type { ServerSettings } from "../../../src/mindsdb/defaultModels.ts";
import {
  buildChanges,
  createDraft,
  listStoredKeys,
  losesKey,
  type ModelDraft,
} from "../../../src/serverSettings/settingsDraft.ts";
import { omitTypedSecrets } from "../../../src/shared/typedSecrets.ts";
import { validateSettings } from "../../../src/serverSettings/validation.ts";

describe("The draft of a server's default models", () => {
  const settings: ServerSettings = {
    language: { provider: "openai", model_name: "gpt-4o", api_key: "sk-1", temperature: 0.2 },
    embedding: { provider: "openai", model_name: "small", base_url: "http://127.0.0.1:9/v1" },
    reranking: {},
  };
  const before = createDraft(settings);
  const storedKeys = listStoredKeys(settings);

  const address = "https://user:hunter2hunter2@127.0.0.1/v1";
  const stored = { ...settings, embedding: { ...settings.embedding, base_url: address } };
  const shown = omitTypedSecrets(createDraft(stored));

  it("knows which models have keys, and holds none", () => {
    assert.deepEqual(storedKeys, { language: true, embedding: false, reranking: false });
    assert.ok(!JSON.stringify(before).includes("sk-1"));
    const { models, lost } = buildChanges(settings, before, before, {});
    assert.deepEqual([models, lost], [{}, []]);
  });

  it("sends a changed model as a whole, with the settings that the form does not show", () => {
    const language = { ...before.language, modelName: " gpt-5 " };
    const { models, lost } = buildChanges(
      settings,
      before,
      { ...before, language },
      { language: "k" },
    );
    const sent = { provider: "openai", model_name: "gpt-5", api_key: "k", temperature: 0.2 };
    assert.deepEqual([models, lost], [{ language: sent }, []]);
  });

  it("names secrets that a change loses, because they are never sent back", () => {
    const stored = { ...settings, language: { ...settings.language, session_token: "t" } };
    const { models, lost } = buildChanges(stored, before, before, { language: "k" });
    assert.deepEqual(lost, ["session_token"]);
    assert.ok(!JSON.stringify(models).includes('"t"'));
  });

  it("shows a placeholder for the password of an address, and sends what the server has", () => {
    assert.ok(!JSON.stringify(shown).includes("hunter2"));
    const draft = { ...shown, embedding: { ...shown.embedding, modelName: "large" } };
    const { models, placeholder } = buildChanges(stored, shown, draft, {});
    assert.equal(models.embedding?.["base_url"], address);
    assert.equal(placeholder, undefined);
  });

  it("sends no placeholder for an address that was changed here or on the server", () => {
    const { embedding } = shown;
    const moved = { ...shown, embedding: { ...embedding, baseUrl: `${embedding.baseUrl}/x` } };
    assert.equal(buildChanges(stored, shown, moved, {}).placeholder, "embeddingBaseUrl");
    const draft = { ...shown, embedding: { ...embedding, modelName: "large" } };
    assert.equal(buildChanges(settings, shown, draft, {}).placeholder, "embeddingBaseUrl");
  });

  it("sends an empty object for no model, and neither settings nor key for another provider", () => {
    const draft = {
      language: { ...before.language, provider: "google", modelName: "gemini" },
      embedding: { ...before.embedding, choice: "none" as const },
      reranking: before.reranking,
    };
    const { models } = buildChanges(settings, before, draft, {});
    assert.deepEqual(models, {
      language: { provider: "google", model_name: "gemini" },
      embedding: {},
    });
    assert.equal(losesKey("language", { before, storedKeys }, draft, {}), false);
  });

  it("asks for the key of a changed model, which would be lost", () => {
    const draft = { ...before, language: { ...before.language, modelName: "gpt-5" } };
    const form = { before, storedKeys };
    const fields = (keys: Record<string, string>) =>
      validateSettings(draft, form, keys).map(({ field }) => field);
    assert.deepEqual(fields({}), ["languageApiKey"]);
    assert.deepEqual(fields({ language: "k" }), []);
  });

  describe("with a model of its own", () => {
    const form = { before, storedKeys: {} };
    const check = (change: Partial<ModelDraft>) =>
      validateSettings({ ...before, embedding: { ...before.embedding, ...change } }, form, {}).map(
        ({ field, isMissing, isWarning }) => {
          return isMissing ? `${field} missing` : isWarning ? `${field} warning` : field;
        },
      );

    it("needs a provider and a model name", () => {
      assert.deepEqual(check({ provider: "", modelName: " " }), [
        "embeddingProvider missing",
        "embeddingModelName missing",
      ]);
      assert.deepEqual(check({ provider: "", modelName: "", choice: "none" }), []);
    });

    it("warns about a provider that is not known, unless the server already has it", () => {
      assert.deepEqual(check({ provider: "acme" }), ["embeddingProvider warning"]);
      const embedding = { ...before.embedding, provider: "acme" };
      const stored = { ...before, embedding };
      assert.deepEqual(validateSettings(stored, { ...form, before: stored }, {}), []);
    });

    it("rejects an address that is none, and warns about one of OpenAI without a path", () => {
      assert.deepEqual(check({ baseUrl: "127.0.0.1" }), ["embeddingBaseUrl"]);
      for (const baseUrl of ["https://llm.example", "http://llm.example:8000/"]) {
        assert.deepEqual(check({ baseUrl }), ["embeddingBaseUrl warning"], baseUrl);
        assert.deepEqual(check({ baseUrl, provider: "google" }), [], baseUrl);
      }
      for (const baseUrl of ["", "https://llm.example/v1"]) {
        assert.deepEqual(check({ baseUrl }), [], baseUrl);
      }
    });
  });
});
