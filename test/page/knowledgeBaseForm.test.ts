// The form of a knowledge base in a browser: what it posts to the host, where it shows problems, and how it looks.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import {
  emptyDraft,
  type KnowledgeBaseDraft,
} from "../../src/knowledgeBases/form/knowledgeBaseDraft.ts";
import {
  knowledgeBaseFormCalls,
  type KnowledgeBaseFormState,
} from "../../src/knowledgeBases/form/knowledgeBaseForm.ts";
import type { LoadedData } from "../../src/knowledgeBases/form/validation.ts";
import { axeViolations } from "../e2e/lib/axe.ts";
import { clippedElements } from "../e2e/lib/clippedElements.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { hostileTexts } from "./hostile.ts";
import { PanelPages, themeNames, type PageOptions, type StatePage } from "./panelPages.ts";

type FormPage = StatePage<KnowledgeBaseFormState, typeof knowledgeBaseFormCalls>;

const pictures = path.resolve(import.meta.dirname, "..", "..", "out", "screenshots", "page");
const key = "sk-made-up-0123456789";
const own = { choice: "own", provider: "openai", modelName: "m", baseUrl: "" } as const;
const whole: KnowledgeBaseDraft = {
  ...emptyDraft("mindsdb"),
  name: "docs",
  embedding: own,
  reranking: { ...own, modelName: "r" },
};
const loaded: LoadedData = {
  projects: ["mindsdb", "other"],
  items: [
    { project: "mindsdb", name: "guide", type: "knowledge_base" },
    { project: "other", name: "notes", type: "knowledge_base" },
  ],
  defaults: { embedding: "", reranking: "openai · gpt-4o" },
  sources: ["vectors"],
};

describe("The form of a knowledge base", function () {
  this.timeout(180_000);
  let pages: PanelPages;
  before(async () => {
    pages = await PanelPages.start("src/knowledgeBases/page/knowledgeBaseForm.tsx");
    fs.mkdirSync(pictures, { recursive: true });
  });
  after(() => pages.stop());

  const open = (
    draft: KnowledgeBaseDraft,
    {
      before,
      options,
      ...more
    }: Partial<KnowledgeBaseFormState> & {
      before?: KnowledgeBaseDraft;
      options?: PageOptions;
    } = {},
  ): Promise<FormPage> => {
    const form = { id: "one", connectionId: "local", initial: draft, draft, before };
    const state = { form, connection: "127.0.0.1:47334", loaded, ...more };
    return pages.show(knowledgeBaseFormCalls, state, options);
  };
  const field = ({ page }: FormPage, name: string) => page.locator(`.field[data-field=${name}]`);
  const fillsIn = async (form: FormPage, name: string, text: string): Promise<void> => {
    await field(form, name).locator("input").first().fill(text);
  };
  const made = (form: FormPage, name: string) => form.calls.filter(([call]) => call === name);
  const create = ({ page }: FormPage) =>
    page.getByRole("button", { name: "Create Knowledge Base", exact: true }).click();

  it("posts every change, and that keys were typed, but sends the keys only with the request", async () => {
    const form = await open(whole);
    await fillsIn(form, "embeddingApiKey", key);
    await fillsIn(form, "metadataColumns", "topic, year");
    const draft = { ...whole, metadataColumns: "topic, year" };
    await eventually(() => {
      assert.deepEqual(made(form, "change").at(-1), ["change", draft, { embedding: true }]);
    });
    assert.ok(!JSON.stringify(form.calls).includes(key));
    assert.ok(!JSON.stringify(await form.state()).includes(key));
    await create(form);
    await eventually(() => {
      assert.deepEqual(made(form, "send"), [["send", draft, { embedding: key }]]);
    });
    await form.close();
  });

  it("says that a key was typed before, until it is typed again", async () => {
    const hadKeys = { embedding: true };
    const form = await open(whole, {
      form: { id: "one", connectionId: "local", initial: whole, draft: whole, hadKeys },
    });
    const row = field(form, "embeddingApiKey");
    await row.getByText(/was not stored .* Enter it again/).waitFor();
    await fillsIn(form, "embeddingApiKey", key);
    await row.locator(".problem").waitFor({ state: "hidden" });
    await form.close();
  });

  it("shows mistakes at their fields, and sends nothing", async () => {
    const draft = { ...whole, embedding: { ...own, modelName: "" } };
    const form = await open(draft);
    await fillsIn(form, "name", "Guide");
    await fillsIn(form, "embeddingBaseUrl", "somewhere");
    await fillsIn(form, "contentColumns", "text");
    await fillsIn(form, "metadataColumns", "topic, relevance");
    await fillsIn(form, "idColumn", "text");
    await fillsIn(form, "storage", "nowhere.docs");
    await create(form);
    const says = async (name: string, sentence: RegExp): Promise<void> => {
      await eventually(async () => assert.match(await field(form, name).innerText(), sentence));
    };
    await says("name", /a knowledge base named guide\./);
    await says("embeddingModelName", /Enter the model's name\./);
    await says("embeddingBaseUrl", /Enter a URL like/);
    await says("metadataColumns", /relevance is a reserved column of search results/);
    await says("idColumn", /text is already used in another field\./);
    await says("storage", /nowhere is not a data source of this server\./);
    await form.page.getByText("6 fields need attention.").waitFor();
    assert.deepEqual(made(form, "send"), []);
    await field(form, "name").locator("input:focus").waitFor();
    // With a storage of its own, the name may be one of another project.
    await fillsIn(form, "name", "notes");
    await says("name", /^Name\n[^\n]*$/);
    await fillsIn(form, "storage", "");
    await says(
      "name",
      /The project other has a knowledge base named notes, and the server would delete/,
    );
    await form.close();
  });

  it("shows the server's reason at its field, and clears it when the field changes", async () => {
    const form = await open(whole);
    await form.update({ failure: { field: "storage", text: "No such store." } });
    await eventually(async () => {
      assert.match(await field(form, "storage").innerText(), /No such store\./);
      assert.ok(await field(form, "storage").evaluate((row) => row.matches(":focus-within")));
    });
    await fillsIn(form, "storage", "vectors.docs");
    await eventually(async () => {
      assert.doesNotMatch(await field(form, "storage").innerText(), /No such store\./);
    });
    await form.close();
    // A field that is not shown has its problem at the top.
    const edited = await open(whole, { before: whole });
    await edited.update({ failure: { field: "project", text: "It is gone." } });
    await edited.page.locator(".top", { hasText: "It is gone." }).waitFor();
    await edited.close();
  });

  it("offers what can be changed in an existing one, and nothing else", async () => {
    const form = await open(whole, { before: whole });
    const names = await form.page
      .locator(".field")
      .evaluateAll((rows) => rows.map((row) => row.getAttribute("data-field")));
    assert.deepEqual(names, [
      "embeddingApiKey",
      "embeddingBaseUrl",
      "contentColumns",
      "metadataColumns",
      "idColumn",
      "reranking",
      "rerankingProvider",
      "rerankingModelName",
      "rerankingApiKey",
      "rerankingBaseUrl",
    ]);
    await form.close();
  });

  it("shows a server's texts as plain text", async () => {
    const text = hostileTexts.join("\n");
    const form = await open(whole);
    let scripts = 0;
    await form.page.exposeFunction("pwned", () => scripts++);
    await form.update({
      loaded: { ...loaded, projects: [text] },
      failure: { field: "name", text },
      keptNote: text,
    });
    assert.equal(await field(form, "name").locator(".problem-text").textContent(), text);
    assert.equal(scripts, 0);
    assert.equal(form.watch.foreignRequests().length, 0);
    assert.deepEqual(form.watch.errors, []);
    await form.close();
  });

  for (const theme of themeNames) {
    it(`has no accessibility violation in ${theme}, wide and narrow`, async () => {
      const form = await open(
        { ...whole, name: "notes" },
        {
          keptNote: "These are your unsaved changes from Nov 21, 2026, 2:02 PM.",
          options: { theme, height: 1600 },
        },
      );
      await create(form);
      await field(form, "name").getByText("Choose another name.").waitFor();
      assert.deepEqual(await axeViolations(form.page.mainFrame()), []);
      await form.page.screenshot({ path: path.join(pictures, `knowledge-base-form-${theme}.png`) });
      await form.page.setViewportSize({ width: 320, height: 600 });
      assert.deepEqual(await clippedElements(form.page.mainFrame()), []);
      assert.deepEqual(form.watch.violations, []);
      await form.close();
    });
  }
});
