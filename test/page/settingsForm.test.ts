// The form of a server's default models in a browser: what it posts to the host, what it hides, and how it looks.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { SettingsDraft } from "../../src/serverSettings/settingsDraft.ts";
import {
  settingsFormCalls,
  type SettingsFormState,
} from "../../src/serverSettings/settingsForm.ts";
import { axeViolations } from "../e2e/lib/axe.ts";
import { clippedElements } from "../e2e/lib/clippedElements.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { PanelPages, themeNames, type PageOptions, type StatePage } from "./panelPages.ts";

type FormPage = StatePage<SettingsFormState, typeof settingsFormCalls>;

const pictures = path.resolve(import.meta.dirname, "..", "..", "out", "screenshots", "page");
const none = { choice: "none", provider: "openai", modelName: "", baseUrl: "" } as const;
const stored: SettingsDraft = {
  language: { choice: "own", provider: "openai", modelName: "gpt-4o", baseUrl: "" },
  embedding: none,
  reranking: none,
};

describe("The form of a server's default models", function () {
  this.timeout(180_000);
  let pages: PanelPages;
  before(async () => {
    pages = await PanelPages.start("src/serverSettings/page/settingsForm.tsx");
    fs.mkdirSync(pictures, { recursive: true });
  });
  after(() => pages.stop());

  const open = (draft = stored, options?: PageOptions): Promise<FormPage> => {
    const storedKeys = { language: true, embedding: false, reranking: false };
    const form = { id: "one", connectionId: "local", before: stored, draft, storedKeys };
    const state: SettingsFormState = { form, connection: "127.0.0.1:47334" };
    return pages.show(settingsFormCalls, state, options);
  };
  const field = ({ page }: FormPage, name: string) => page.locator(`.field[data-field="${name}"]`);
  const press = ({ page }: FormPage, name: string) =>
    page.getByRole("button", { name, exact: true }).click();

  it("asks for the stored key again when its model changes, and sends it once typed", async () => {
    const form = await open();
    const key = field(form, "languageApiKey").locator("input");
    await eventually(async () => {
      assert.deepEqual([await key.getAttribute("type"), await key.inputValue()], ["password", ""]);
    });
    await field(form, "languageModelName").locator("input").fill("gpt-5");
    await press(form, "Save Changes");
    await field(form, "languageApiKey").getByText("Enter the key again.").waitFor();
    assert.deepEqual(
      form.calls.filter(([call]) => call === "send"),
      [],
    );
    await key.fill("sk-typed");
    await press(form, "Save Changes");
    const draft = { ...stored, language: { ...stored.language, modelName: "gpt-5" } };
    await eventually(() =>
      assert.deepEqual(
        form.calls.filter(([call]) => call === "send"),
        [["send", draft, { language: "sk-typed" }]],
      ),
    );
    const changes = form.calls.filter(([call]) => call === "change");
    assert.ok(!JSON.stringify(changes).includes("sk-typed"));
    await form.close();
  });

  it("tests the models as they are in the form", async () => {
    const form = await open();
    await press(form, "Test Models");
    await eventually(() =>
      assert.deepEqual(
        form.calls.filter(([call]) => call === "test"),
        [["test", stored, {}]],
      ),
    );
    await form.close();
  });

  for (const theme of themeNames) {
    it(`looks right (${theme}), wide and narrow`, async () => {
      const embedding = { ...none, choice: "own" } as const;
      const form = await open({ ...stored, embedding }, { theme });
      await press(form, "Save Changes");
      await field(form, "embeddingModelName").getByText("Enter the model's name.").waitFor();
      assert.deepEqual(await axeViolations(form.page.mainFrame()), []);
      await form.page.screenshot({ path: path.join(pictures, `server-settings-${theme}.png`) });
      await form.page.setViewportSize({ width: 300, height: 700 });
      assert.deepEqual(await clippedElements(form.page.mainFrame()), []);
      await form.close();
    });
  }
});
