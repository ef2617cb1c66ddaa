// The form of a knowledge base in a browser: what it posts to the host, where it shows problems, and how it looks.
import assert from "node:assert/strict";
import {
  emptyDraft,
  type KnowledgeBaseDraft,
} from "../../src/knowledgeBases/form/knowledgeBaseDraft.ts";
import {
  knowledgeBaseFormCalls,
  type KnowledgeBaseFormState,
} from "../../src/knowledgeBases/form/knowledgeBaseForm.ts";
import type { LoadedData } from "../../src/knowledgeBases/form/validation.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { hostileTexts } from "./hostile.ts";
import { looksRight, usePanelPages, type PageOptions, type StatePage } from "./panelPages.ts";

type FormPage = StatePage<KnowledgeBaseFormState, typeof knowledgeBaseFormCalls>;

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

describe("The form of a knowledge base", () => {
  const pages = usePanelPages("src/knowledgeBases/page/knowledgeBaseForm.tsx");

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
  const create = ({ page }: FormPage) =>
    page.getByRole("button", { name: "Create Knowledge Base", exact: true }).click();

  it("posts every change, and that keys were typed, but sends the keys only with the request", async () => {
    const form = await open(whole);
    await form.fill("embeddingApiKey", key);
    await form.fill("metadataColumns", "topic, year");
    const draft = { ...whole, metadataColumns: "topic, year" };
    await eventually(() => {
      assert.deepEqual(form.made("change").at(-1), ["change", draft, { embedding: true }]);
    });
    assert.ok(!JSON.stringify(form.calls).includes(key));
    assert.ok(!JSON.stringify(await form.state()).includes(key));
    await create(form);
    await eventually(() => {
      assert.deepEqual(form.made("send"), [["send", draft, { embedding: key }]]);
    });
  });

  it("says that a key was typed before, until it is typed again", async () => {
    const hadKeys = { embedding: true };
    const form = await open(whole, {
      form: { id: "one", connectionId: "local", initial: whole, draft: whole, hadKeys },
    });
    const row = form.field("embeddingApiKey");
    await row.getByText(/was not stored .* Enter it again/).waitFor();
    await form.fill("embeddingApiKey", key);
    await row.locator(".problem").waitFor({ state: "hidden" });
  });

  it("shows mistakes at their fields, and sends nothing", async () => {
    const form = await open({ ...whole, embedding: { ...own, modelName: "" } });
    await form.fill("name", "Guide");
    await form.fill("idColumn", "content");
    await form.fill("contentColumns", "content");
    await create(form);
    for (const [name, sentence] of [
      ["name", /a knowledge base named guide\./],
      ["embeddingModelName", /Enter the model's name\./],
      ["idColumn", /content is already used in another field\./],
    ] as const) {
      await eventually(async () => assert.match(await form.field(name).innerText(), sentence));
    }
    await form.page.getByText("3 fields need attention.").waitFor();
    assert.deepEqual(form.made("send"), []);
    await form.field("name").locator("input:focus").waitFor();
  });

  it("shows the server's reason at its field, and clears it when the field changes", async () => {
    const form = await open(whole);
    await form.update({ failure: { field: "storage", text: "No such store." } });
    await eventually(async () => {
      assert.match(await form.field("storage").innerText(), /No such store\./);
      assert.ok(await form.field("storage").evaluate((row) => row.matches(":focus-within")));
    });
    await form.fill("storage", "vectors.docs");
    await eventually(async () => {
      assert.doesNotMatch(await form.field("storage").innerText(), /No such store\./);
    });
    await form.close();
    // A field that is not shown has its problem at the top.
    const edited = await open(whole, { before: whole });
    await edited.update({ failure: { field: "project", text: "It is gone." } });
    await edited.page.locator(".top", { hasText: "It is gone." }).waitFor();
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
  });

  it("shows a server's texts as plain text", async () => {
    const text = hostileTexts.join("\n");
    const form = await open(whole);
    await form.update({
      loaded: { ...loaded, projects: [text] },
      failure: { field: "name", text },
      keptNote: text,
    });
    assert.equal(await form.field("name").locator(".problem-text").textContent(), text);
  });

  looksRight("knowledge-base-form", async (theme) => {
    const form = await open(
      { ...whole, name: "notes" },
      {
        keptNote: "These are your unsaved changes from Nov 21, 2026, 2:02 PM.",
        options: { theme, height: 1600 },
      },
    );
    await create(form);
    await form.field("name").getByText("Choose another name.").waitFor();
    return form;
  });
});
