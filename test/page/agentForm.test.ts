// The agent form in a browser: what it posts to the host while the user fills it in, and restoring a draft.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { emptyDraft } from "../../src/agents/agentDraft.ts";
import type { AgentForm, ToHost, ToPage } from "../../src/agents/formMessages.ts";
import type { LoadedData } from "../../src/agents/validation.ts";
import { axeViolations } from "../e2e/lib/axe.ts";
import { createFormTexts } from "../../src/agents/formTexts.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { clippedElements } from "../e2e/lib/clippedElements.ts";
import { hostileTexts } from "./hostile.ts";
import { PanelPages, themeNames, type PageOptions, type PanelPage } from "./panelPages.ts";

type FormPage = PanelPage<ToHost, ToPage>;

const pictures = path.resolve(import.meta.dirname, "..", "..", "out", "screenshots", "page");
const key = "sk-made-up-0123456789";
const own = { own: true, provider: "openai", modelName: "gpt-4o", baseUrl: "" };

const begin = (form: Partial<AgentForm> = {}): ToPage => {
  const whole = { id: "one", connectionId: "local", draft: emptyDraft("mindsdb"), ...form };
  const texts = createFormTexts(whole);
  return { type: "begin", form: whole, connection: "127.0.0.1:47334", texts, locale: "en" };
};
const offered: ToPage = {
  type: "draftOffered",
  text: "You have unsaved changes from Nov 21, 2026, 2:02 PM. The agent was changed on the server since then.",
};

describe("The agent form", function () {
  this.timeout(60_000);
  let pages: PanelPages;
  before(async () => {
    pages = await PanelPages.start("src/agents/page/form/main.ts");
    fs.mkdirSync(pictures, { recursive: true });
  });
  after(() => pages.stop());

  const open = (messages: ToPage[], options?: PageOptions): Promise<FormPage> =>
    pages.open<ToHost, ToPage>(messages, options);
  const field = ({ page }: FormPage, name: string) => page.locator(`.field[data-field=${name}]`);
  const changes = ({ sent }: FormPage) =>
    sent.flatMap((message) => (message.type === "changed" ? [message] : []));
  const fillsIn = async (form: FormPage, name: string, text: string): Promise<void> => {
    await field(form, name).locator("input, textarea").first().fill(text);
  };

  it("posts every change to the host, and that a key was typed, but not the key", async () => {
    const form = await open([begin({ draft: { ...emptyDraft("mindsdb"), model: own } })]);
    await eventually(() => {
      const posted = changes(form).map(({ draft, hasKey }) => [draft.name, hasKey]);
      assert.deepEqual(posted, [["", false]]);
    });
    await fillsIn(form, "name", "rent_helper");
    await fillsIn(form, "instruction", "Answer briefly.");
    await fillsIn(form, "apiKey", key);
    await eventually(() => assert.equal(changes(form).at(-1)?.hasKey, true));
    const last = changes(form).at(-1)?.draft;
    assert.deepEqual([last?.name, last?.instruction], ["rent_helper", "Answer briefly."]);
    assert.ok(!JSON.stringify(form.sent).includes(key));
    // Created again, as after a reload of the window: the host is informed at once.
    form.sent.length = 0;
    await form.reload();
    await eventually(() => {
      const posted = changes(form).map(({ draft, hasKey }) => [draft.name, hasKey]);
      assert.deepEqual(posted, [["rent_helper", true]]);
    });
    await form.close();
  });

  it("offers a draft at the top, and asks the host to restore or discard it", async () => {
    const form = await open([begin(), offered]);
    const offer = form.page.getByRole("status").filter({ hasText: "You have unsaved changes" });
    await offer.waitFor();
    await offer.getByRole("button", { name: "Restore Draft" }).press("Enter");
    await offer.getByRole("button", { name: "Discard" }).click();
    await eventually(() => {
      const asked = form.sent.map(({ type }) => type).filter((type) => type.endsWith("Draft"));
      assert.deepEqual(asked, ["restoreDraft", "discardDraft"]);
    });
    await form.post({ type: "draftOffered" });
    assert.equal(await offer.count(), 0);
    await eventually(async () => {
      assert.ok(await field(form, "name").evaluate((row) => row.matches(":focus-within")));
    });
    await form.close();
  });

  it("shows the restored draft, and that its key was not stored", async () => {
    const form = await open([begin(), offered]);
    const draft = { ...emptyDraft("mindsdb"), name: "half_written", model: own };
    await form.post(begin({ id: "two", draft, hadKey: true }));
    assert.equal(await field(form, "name").locator("input").first().inputValue(), "half_written");
    assert.match(await field(form, "apiKey").innerText(), /was not kept .* Enter it again\./);
    assert.equal(await form.page.getByText("You have unsaved changes").count(), 0);
    await form.close();
  });

  it("makes the name plain, shows what lists match, and warns of too much and of nothing", async () => {
    const form = await open([begin()]);
    await fillsIn(form, "name", "Rent Helper");
    await form.page.keyboard.press("Tab");
    assert.equal(await field(form, "name").locator("input").first().inputValue(), "rent_helper");
    const data: LoadedData = {
      project: "mindsdb",
      items: [{ name: "rental_agent", type: "agent" }],
      projects: ["mindsdb"],
      defaultModel: "openai · gpt-4o",
      tables: { "files.*": 23, "files.rents_*": 0 },
      knowledgeBases: {},
    };
    await form.post(
      { type: "loaded", data },
      { type: "picked", field: "tables", entries: ["files.*", "files.rents_*"] },
    );
    const text = async () => (await field(form, "tables").innerText()).replace(/\s+/g, " ");
    assert.match(await text(), /files\.\* 23 tables .*files\.rents_\* 0 tables/);
    assert.match(await text(), /would read 23 tables and knowledge bases\. With more than 10/);
    assert.match(await text(), /Nothing matches files\.rents_\* now/);
    await form.page.getByRole("button", { name: "Remove files.*", exact: true }).click();
    assert.doesNotMatch(await text(), /files\.\*|23/);
    await form.close();
  });

  it("drafts an instruction, and brings back what the draft has replaced", async () => {
    const draft = { ...emptyDraft("mindsdb"), instruction: "Mine.", tables: ["files.rents"] };
    const form = await open([begin({ draft })]);
    const button = (name: string) => form.page.getByRole("button", { name, exact: true });
    const instruction = field(form, "instruction").locator("textarea");
    await button("Draft from the Chosen Data").click();
    await eventually(() => assert.ok(form.sent.some(({ type }) => type === "describe")));
    await form.post({ type: "described", instruction: "Theirs." });
    assert.equal(await instruction.inputValue(), "Theirs.");
    await button("Undo").click();
    assert.equal(await instruction.inputValue(), "Mine.");
    await form.close();
  });

  it("asks for copies without the key, and for an end while the server tests the model", async () => {
    const draft = { ...emptyDraft("mindsdb"), name: "rent_helper", model: own };
    const form = await open([begin({ draft })]);
    await fillsIn(form, "apiKey", key);
    for (const name of ["SQL", "JSON", "curl"]) {
      await form.page.getByRole("button", { name: `Copy as ${name}`, exact: true }).click();
    }
    const copies = form.sent.filter((message) => message.type === "copy");
    assert.deepEqual(
      copies.map(({ as, typedKey }) => [as, typedKey]),
      [
        ["sql", true],
        ["json", true],
        ["curl", true],
      ],
    );
    assert.ok(!JSON.stringify(form.sent).includes(key));
    await form.post({ type: "sending", elapsed: 3_000 });
    await form.page.getByText("Creating… 3 s").waitFor();
    await form.page.getByRole("button", { name: "Cancel", exact: true }).click();
    assert.deepEqual(form.sent.at(-1), { type: "cancel" });
    await form.close();
  });

  it("says whose key a duplicate uses", async () => {
    const draft = { ...emptyDraft("mindsdb"), name: "rental_copy", model: own };
    const modelOf = { project: "mindsdb", name: "rental_agent", hasKey: true };
    const form = await open([begin({ draft, modelOf })]);
    const text = await field(form, "apiKey").innerText();
    assert.match(text, /The API key of rental_agent is copied to the new agent\./);
    const placeholder = await field(form, "apiKey")
      .locator("input")
      .first()
      .getAttribute("placeholder");
    assert.equal(placeholder, "Copied from rental_agent");
    await form.close();
  });

  it("shows the text of a draft offer as plain text", async () => {
    const form = await open([begin()]);
    let scripts = 0;
    await form.page.exposeFunction("pwned", () => scripts++);
    const text = hostileTexts.join("\n");
    await form.post({ type: "draftOffered", text });
    assert.equal(await form.page.locator(".draft-offer .text").textContent(), text);
    assert.equal(scripts, 0);
    assert.equal(form.watch.foreignRequests().length, 0);
    assert.deepEqual(form.watch.errors, []);
    await form.close();
  });

  for (const theme of themeNames) {
    it(`has no accessibility violation with a draft offer in ${theme}, wide and narrow`, async () => {
      const form = await open([begin(), offered], { theme });
      assert.deepEqual(await axeViolations(form.page.mainFrame()), []);
      await form.page.screenshot({ path: path.join(pictures, `agent-form-draft-${theme}.png`) });
      await form.page.setViewportSize({ width: 320, height: 600 });
      assert.deepEqual(await clippedElements(form.page.mainFrame()), []);
      assert.deepEqual(form.watch.violations, []);
      await form.close();
    });
  }
});
