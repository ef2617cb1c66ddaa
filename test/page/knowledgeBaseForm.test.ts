// The form of a knowledge base in a browser: what it posts to the host, where it shows problems, and how it looks.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import {
  emptyDraft,
  type KnowledgeBaseDraft,
} from "../../src/knowledgeBases/form/knowledgeBaseDraft.ts";
import type { LoadedData } from "../../src/knowledgeBases/form/validation.ts";
import type { KnowledgeBaseForm, ToHost, ToPage } from "../../src/knowledgeBases/formMessages.ts";
import { axeViolations } from "../e2e/lib/axe.ts";
import { clippedElements } from "../e2e/lib/clippedElements.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { hostileTexts } from "./hostile.ts";
import { PanelPages, themeNames, type PageOptions, type PanelPage } from "./panelPages.ts";

const { createFormTexts } = await import("../../src/knowledgeBases/form/formTexts.ts");

type FormPage = PanelPage<ToHost, ToPage>;

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

const begin = (form: Partial<KnowledgeBaseForm> = {}): ToPage => {
  const draft = form.draft ?? emptyDraft("mindsdb");
  const all = { id: "one", connectionId: "local", initial: draft, ...form, draft };
  const texts = createFormTexts(all.before);
  return { type: "begin", form: all, connection: "127.0.0.1:47334", texts, locale: "en" };
};

describe("The form of a knowledge base", function () {
  this.timeout(60_000);
  let pages: PanelPages;
  before(async () => {
    pages = await PanelPages.start("src/knowledgeBases/page/form/main.ts");
    fs.mkdirSync(pictures, { recursive: true });
  });
  after(() => pages.stop());

  const open = (messages: ToPage[], options?: PageOptions): Promise<FormPage> =>
    pages.open<ToHost, ToPage>(messages, options);
  const field = ({ page }: FormPage, name: string) => page.locator(`.field[data-field=${name}]`);
  const fillsIn = async (form: FormPage, name: string, text: string): Promise<void> => {
    await field(form, name).locator("input").first().fill(text);
  };
  const sent = <Type extends ToHost["type"]>(form: FormPage, type: Type) =>
    form.sent.filter(
      (message): message is Extract<ToHost, { type: Type }> => message.type === type,
    );
  const create = ({ page }: FormPage) =>
    page.getByRole("button", { name: "Create Knowledge Base", exact: true }).click();

  it("posts every change, and that keys were typed, but sends the keys only with the request", async () => {
    const form = await open([begin({ draft: whole }), { type: "loaded", data: loaded }]);
    await fillsIn(form, "embeddingApiKey", key);
    await fillsIn(form, "metadataColumns", "topic, year");
    await eventually(() => {
      const last = sent(form, "changed").at(-1);
      assert.deepEqual(last?.hasKeys, { embedding: true, reranking: false });
      assert.equal(last.draft.metadataColumns, "topic, year");
    });
    assert.ok(!JSON.stringify(form.sent).includes(key));
    assert.ok(!JSON.stringify(await form.state()).includes(key));
    await create(form);
    await eventually(() => {
      const draft = { ...whole, metadataColumns: "topic, year" };
      const keys = { embedding: key, reranking: "" };
      assert.deepEqual(sent(form, "send"), [{ type: "send", draft, keys }]);
    });
    // Created again, as after a reload of the window: the key is gone, and the form says so.
    await form.reload();
    await eventually(async () => {
      assert.match(
        await field(form, "embeddingApiKey").innerText(),
        /was not kept .* Enter it again/,
      );
    });
    await form.close();
  });

  it("shows mistakes at their fields, and sends nothing", async () => {
    const draft = { ...whole, embedding: { ...own, modelName: "" } };
    const form = await open([begin({ draft }), { type: "loaded", data: loaded }]);
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
    await says("metadataColumns", /Searches have a column relevance of their own/);
    await says("idColumn", /text is already used in another field\./);
    await says("storage", /nowhere is not a data source of this server\./);
    assert.match(
      await form.page.locator(".status").first().innerText(),
      /6 fields need attention\./,
    );
    assert.deepEqual(sent(form, "send"), []);
    assert.ok(await field(form, "name").evaluate((row) => row.matches(":focus-within")));
    // With a storage of its own, the name may be one of another project.
    await fillsIn(form, "name", "notes");
    await says("name", /^Name\n[^\n]*$/);
    await fillsIn(form, "storage", "");
    await says("name", /The project other has a knowledge base notes, and the server would delete/);
    await form.close();
  });

  it("shows the server's reason at its field, and clears it when the field changes", async () => {
    const form = await open([begin({ draft: whole })]);
    await form.post({ type: "refused", notice: { field: "storage", text: "No such store." } });
    await eventually(async () => {
      assert.match(await field(form, "storage").innerText(), /No such store\./);
      assert.ok(await field(form, "storage").evaluate((row) => row.matches(":focus-within")));
    });
    await fillsIn(form, "storage", "vectors.docs");
    await eventually(async () => {
      assert.doesNotMatch(await field(form, "storage").innerText(), /No such store\./);
    });
    // A field that is not shown has its problem at the top.
    await form.post({ type: "refused", notice: { field: "project", text: "It is gone." } });
    await eventually(async () => assert.match(await field(form, "project").innerText(), /gone/));
    await form.close();
  });

  it("offers what can be changed in an existing one, and nothing else", async () => {
    const form = await open([begin({ draft: whole, before: whole })]);
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
    const form = await open([begin({ draft: whole })]);
    let scripts = 0;
    await form.page.exposeFunction("pwned", () => scripts++);
    await form.post(
      { type: "loaded", data: { ...loaded, projects: [text] } },
      { type: "refused", notice: { field: "name", text } },
      { type: "draftOffered", text },
    );
    assert.equal(await field(form, "name").locator(".problem-text").textContent(), text);
    assert.equal(scripts, 0);
    assert.equal(form.watch.foreignRequests().length, 0);
    assert.deepEqual(form.watch.errors, []);
    await form.close();
  });

  for (const theme of themeNames) {
    it(`has no accessibility violation in ${theme}, wide and narrow`, async () => {
      const messages: ToPage[] = [
        begin({ draft: { ...whole, name: "notes" } }),
        { type: "loaded", data: loaded },
        { type: "draftOffered", text: "You have unsaved changes from Nov 21, 2026, 2:02 PM." },
      ];
      const form = await open(messages, { theme, height: 1600 });
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
