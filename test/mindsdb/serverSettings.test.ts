// The default models of real servers, as the client library reads, tests and changes them.
import assert from "node:assert/strict";
import { AppError } from "../../src/mindsdb/errors.ts";
import {
  getServerSettings,
  testLanguageModel,
  testSearchModels,
  updateServerSettings,
} from "../../src/mindsdb/serverSettings.ts";
import { findLanguageProblem, findSearchProblem } from "../../src/serverSettings/serverErrors.ts";
import { createDraft, type SettingsDraft } from "../../src/serverSettings/settingsDraft.ts";
import { useClients } from "./clients.ts";
import { fixture, versions } from "./fixture.ts";
import { MODEL_API_KEY } from "./script.ts";

const project = "mindsdb";
const none = { language: {}, embedding: {}, reranking: {} };

for (const version of versions) {
  describe(`MindsDB ${version}, default models`, () => {
    const session = useClients(version);
    const model = (change: object = {}) => {
      const { llm } = fixture(version);
      const base = { provider: "openai", model_name: "scripted", api_key: MODEL_API_KEY };
      return { ...base, base_url: llm.url, ...change };
    };
    /** Its chat model answers without the probabilities that other providers' rerankers read. */
    const reranking = () => model({ provider: "ollama" });
    const listed = async () =>
      JSON.stringify(
        await Promise.all(
          ["agents", "knowledge_bases"].map((list) =>
            session.admin.get(`/api/projects/${project}/${list}`),
          ),
        ),
      );
    const failureOf = async (test: Promise<void>): Promise<AppError> => {
      const error: unknown = await test.then(
        () => assert.fail("the test succeeded"),
        (failure: unknown) => failure,
      );
      assert.ok(error instanceof AppError, String(error));
      return error;
    };
    afterEach(() => updateServerSettings(session.client, none));

    it("are replaced as a whole, and one without a model is an empty object", async () => {
      const { client } = session;
      const language = model({ temperature: 0.5 });
      await updateServerSettings(client, { language, embedding: model() });
      assert.deepEqual(await getServerSettings(client), {
        language,
        embedding: model(),
        reranking: {},
      });
      const other = { provider: "google", model_name: "gemini" };
      await updateServerSettings(client, { language: other });
      assert.deepEqual((await getServerSettings(client)).language, other);
      await updateServerSettings(client, { language: {} });
      assert.deepEqual((await getServerSettings(client)).language, {});
    });

    it("are called by a test that creates nothing, with the stored key where none is given", async () => {
      const { client } = session;
      const before = await listed();
      await testSearchModels(client, project, { embedding: model(), reranking: false });
      await testSearchModels(client, project, { embedding: model(), reranking: reranking() });
      await updateServerSettings(client, { embedding: model(), language: model() });
      await testSearchModels(client, project, { reranking: false });
      if (version === "26.1.0") {
        await testLanguageModel(client, project, undefined);
        await testLanguageModel(client, project, model());
      }
      assert.equal(await listed(), before);
    });

    it("fail a test at the field that is wrong", async () => {
      const { client } = session;
      const draft = (change: Partial<SettingsDraft>): SettingsDraft => {
        const all = createDraft({ language: model(), embedding: model(), reranking: reranking() });
        return { ...all, ...change };
      };
      // Nothing listens there.
      const refused = model({ base_url: "http://127.0.0.1:9/v1" });
      const failEmbedding = async (): Promise<void> => {
        const search = { embedding: refused, reranking: false as const };
        const error = await failureOf(testSearchModels(client, project, search));
        assert.match(findSearchProblem(error, draft({}))?.field ?? "", /^embedding/);
      };
      const failReranking = async (): Promise<void> => {
        const wrong = model({ provider: "ollama", base_url: refused.base_url });
        const search = { embedding: model(), reranking: wrong };
        const error = await failureOf(testSearchModels(client, project, search));
        assert.match(findSearchProblem(error, draft({}))?.field ?? "", /^reranking/);
      };
      const failLanguage = async (language: ReturnType<typeof model>): Promise<void> => {
        const error = await failureOf(testLanguageModel(client, project, language));
        const read = createDraft({ ...none, language }).language;
        assert.match(findLanguageProblem(error, read, true)?.field ?? "", /^language/);
      };
      const languages = version === "26.1.0" ? [refused, model({ provider: "nobody" })] : [];
      // Side by side, because the server tries each several times, with pauses.
      await Promise.all([failEmbedding(), failReranking(), ...languages.map(failLanguage)]);
    });
  });
}
