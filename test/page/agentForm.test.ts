// The agent form in a browser: what it posts to the host while the user fills it in, and restoring a draft.
import assert from "node:assert/strict";
import { emptyDraft } from "../../src/agents/agentDraft.ts";
import { agentFormCalls, type AgentForm, type AgentFormState } from "../../src/agents/agentForm.ts";
import type { LoadedData } from "../../src/agents/validation.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { hostileTexts } from "./hostile.ts";
import { looksRight, usePanelPages, type PageOptions, type StatePage } from "./panelPages.ts";
import type { Handlers } from "../../src/shared/pageProtocol.ts";

type FormPage = StatePage<AgentFormState, typeof agentFormCalls>;

const key = "sk-made-up-0123456789";
const own = { own: true, provider: "openai", modelName: "gpt-4o", baseUrl: "" };

const formOf = (form: Partial<AgentForm> = {}): AgentForm => {
  return { id: "one", connectionId: "local", draft: emptyDraft("mindsdb"), ...form };
};
const keptNote =
  "These are your unsaved changes from Nov 21, 2026, 2:02 PM. The server's version has changed since then.";

describe("The agent form", () => {
  const pages = usePanelPages("src/agents/page/agentForm.tsx");

  const open = (
    form = formOf(),
    more: Partial<AgentFormState> = {},
    options?: PageOptions & { handlers?: Partial<Handlers<typeof agentFormCalls>> },
  ): Promise<FormPage> =>
    pages.show(agentFormCalls, { form, connection: "127.0.0.1:47334", ...more }, options);

  it("tells the host every change, and that a key was typed, but not the key", async () => {
    const form = await open(formOf({ draft: { ...emptyDraft("mindsdb"), model: own } }));
    await form.fill("name", "rent_helper");
    await form.fill("instruction", "Answer briefly.");
    await form.fill("apiKey", key);
    const draft = {
      ...emptyDraft("mindsdb"),
      name: "rent_helper",
      instruction: "Answer briefly.",
      model: own,
    };
    await form.called("change", draft, { apiKey: true });
    assert.ok(!JSON.stringify(form.calls).includes(key));
    const { form: saved } = (await form.state()) as { form: AgentForm };
    assert.deepEqual([saved.draft, saved.hadKeys], [draft, { apiKey: true }]);
    assert.ok(!JSON.stringify(saved).includes(key));
  });

  it("begins with a kept draft, says that its key was not stored, and asks to start over", async () => {
    const draft = { ...emptyDraft("mindsdb"), name: "half_written", model: own };
    const form = await open(formOf({ draft, hadKeys: { apiKey: true } }), { keptNote });
    const note = form.page.getByRole("status").filter({ hasText: keptNote });
    await note.waitFor();
    await form
      .field("apiKey")
      .getByText(/was not stored .* Enter it again\./)
      .waitFor();
    await note.getByRole("button", { name: "Start Over" }).press("Enter");
    await form.called("startOver");
    await form.update({ form: formOf({ id: "two" }), keptNote: undefined });
    assert.equal(await note.count(), 0);
    assert.equal(await form.field("name").locator("input").inputValue(), "");
    await form.field("name").locator("input:focus").waitFor();
  });

  it("makes the name plain, shows what lists match, and warns of too much and of nothing", async () => {
    const loaded: LoadedData = {
      project: "mindsdb",
      items: [{ name: "rental_agent", type: "agent" }],
      projects: ["mindsdb"],
      defaultModel: "openai · gpt-4o",
      tables: { "files.*": 23, "files.rents_*": 0 },
      knowledgeBases: {},
    };
    const handlers = { pick: () => ["files.*", "files.rents_*"] };
    const form = await open(formOf(), { loaded }, { handlers });
    await form.fill("name", "Rent Helper");
    await form.field("name").locator("input").press("Tab");
    await eventually(async () => {
      assert.equal(await form.field("name").locator("input").inputValue(), "rent_helper");
    });
    await form.button("Select Tables…").click();
    const text = async () => (await form.field("tables").innerText()).replace(/\s+/g, " ");
    await eventually(async () => {
      assert.match(await text(), /files\.\* 23 tables .*files\.rents_\* 0 tables/);
      assert.match(await text(), /would read 23 tables and knowledge bases\. With more than 10/);
      assert.match(await text(), /Nothing matches files\.rents_\* now/);
    });
    await form.button("Remove files.*").click();
    await eventually(async () => assert.doesNotMatch(await text(), /files\.\*|23/));
    await form.page.locator("button:focus[aria-label='Remove files.rents_*']").waitFor();
  });

  it("drafts an instruction, and brings back what the draft has replaced", async () => {
    const draft = { ...emptyDraft("mindsdb"), instruction: "Mine.", tables: ["files.rents"] };
    const handlers = { describe: () => "Theirs." };
    const form = await open(formOf({ draft }), {}, { handlers });
    const holds = (text: string) =>
      eventually(async () => {
        assert.equal(await form.field("instruction").locator("textarea").inputValue(), text);
      });
    await form.button("Generate from Selected Data").click();
    await holds("Theirs.");
    await form.button("Undo").click();
    await holds("Mine.");
  });

  it("asks for copies without the key, and for an end while the server tests the model", async () => {
    const draft = { ...emptyDraft("mindsdb"), name: "rent_helper", model: own };
    const form = await open(formOf({ draft }));
    await form.fill("apiKey", key);
    for (const name of ["SQL", "curl"]) await form.button(`Copy as ${name}`).click();
    const typed = { apiKey: true };
    await eventually(() => {
      assert.deepEqual(
        form.made("copy"),
        ["sql", "curl"].map((format) => ["copy", format, draft, typed]),
      );
    });
    assert.ok(!JSON.stringify(form.calls).includes(key));
    await form.update({ sending: 3 });
    await form.page.getByText("Creating… 3 s").waitFor();
    await form.button("Cancel").click();
    await form.called("cancel");
  });

  it("says whose key a duplicate uses", async () => {
    const draft = { ...emptyDraft("mindsdb"), name: "rental_copy", model: own };
    const modelOf = { project: "mindsdb", name: "rental_agent", hasKey: true };
    const form = await open(formOf({ draft, modelOf }));
    await form
      .field("apiKey")
      .getByText("The API key of rental_agent is copied to the new agent.")
      .waitFor();
    await form.page.getByPlaceholder("Copied from rental_agent").waitFor();
  });

  it("asks for another provider by name, which need not be known", async () => {
    const form = await open(formOf({ draft: { ...emptyDraft("mindsdb"), model: own } }));
    const provider = form.field("provider");
    await provider.locator("select").selectOption("Other…");
    await provider.locator("input:focus").waitFor();
    await provider.locator("input").pressSequentially("openai");
    await eventually(() => {
      const [, draft] = form.calls.at(-1) as [string, { model: { provider: string } }];
      assert.equal(draft.model.provider, "openai");
    });
    assert.equal(await provider.locator("input").inputValue(), "openai");
  });

  it("shows foreign texts as plain text", async () => {
    const text = hostileTexts.join("\n");
    const form = await open(formOf({ draft: { ...emptyDraft("mindsdb"), tables: [text] } }));
    await form.update({ keptNote: text, failure: { field: "tables", text } });
    assert.equal(await form.page.locator(".kept-draft .text").textContent(), text);
  });

  looksRight("agent-form-draft", async (theme) => {
    const model = { ...own, modelName: "", baseUrl: "http://host.invalid:11434" };
    const draft = { ...emptyDraft("mindsdb"), model, tables: ["files.*"] };
    const form = await open(formOf({ draft }), { keptNote }, { theme });
    await form.press("Create Agent");
    await form.field("name").getByText("Enter a name for the agent.").waitFor();
    await form.update({ failure: { field: "form", text: "The server refused this agent." } });
    return form;
  });
});
