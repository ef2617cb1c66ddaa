// The form of a server's default models in a browser: what it posts to the host, what it hides, and how it looks.
import assert from "node:assert/strict";
import type { SettingsDraft } from "../../src/serverSettings/settingsDraft.ts";
import {
  settingsFormCalls,
  type SettingsFormState,
} from "../../src/serverSettings/settingsForm.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { looksRight, usePanelPages, type PageOptions, type StatePage } from "./panelPages.ts";

type FormPage = StatePage<SettingsFormState, typeof settingsFormCalls>;

const none = { choice: "none", provider: "openai", modelName: "", baseUrl: "" } as const;
const stored: SettingsDraft = {
  language: { choice: "own", provider: "openai", modelName: "gpt-4o", baseUrl: "" },
  embedding: none,
  reranking: none,
};

describe("The form of a server's default models", () => {
  const pages = usePanelPages("src/serverSettings/page/settingsForm.tsx");

  const open = (draft = stored, options?: PageOptions): Promise<FormPage> => {
    const storedKeys = { language: true, embedding: false, reranking: false };
    const form = { id: "one", connectionId: "local", before: stored, draft, storedKeys };
    const state: SettingsFormState = { form, connection: "127.0.0.1:47334" };
    return pages.show(settingsFormCalls, state, options);
  };

  it("asks for the stored key again when its model changes, and sends it once typed", async () => {
    const form = await open();
    const key = form.field("languageApiKey").locator("input");
    await eventually(async () => {
      assert.deepEqual([await key.getAttribute("type"), await key.inputValue()], ["password", ""]);
    });
    await form.page.getByPlaceholder("Stored on the server").waitFor();
    await form.field("languageModelName").locator("input").fill("gpt-5");
    await form.press("Save Changes");
    await form.field("languageApiKey").getByText("Enter the key again.").waitFor();
    assert.deepEqual(form.made("send"), []);
    await key.fill("sk-typed");
    await form.press("Save Changes");
    const draft = { ...stored, language: { ...stored.language, modelName: "gpt-5" } };
    await eventually(() =>
      assert.deepEqual(form.made("send"), [["send", draft, { language: "sk-typed" }]]),
    );
    const changes = form.made("change");
    assert.ok(!JSON.stringify(changes).includes("sk-typed"));
  });

  it("tests the models as they are in the form", async () => {
    const form = await open();
    await form.press("Test Models");
    await eventually(() => assert.deepEqual(form.made("test"), [["test", stored, {}]]));
  });

  looksRight("server-settings", async (theme) => {
    const embedding = { ...none, choice: "own" } as const;
    const form = await open({ ...stored, embedding }, { theme });
    await form.press("Save Changes");
    await form.field("embeddingModelName").getByText("Enter the model's name.").waitFor();
    return form;
  });
});
