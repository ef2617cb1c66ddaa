// The page that adds content to a knowledge base, in a browser: columns, progress, outcome, and accessibility in every
// theme.
import assert from "node:assert/strict";
import { fillCalls, type FillForm, type FillState } from "../../src/knowledgeBases/fillPage.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { hostileTens } from "./hostile.ts";
import { usePanelPages, themeNames, type PageOptions, type StatePage } from "./panelPages.ts";

const { formatCount, formatIdNote, formatLeftOutFiles, formatOutcome } =
  await import("../../src/knowledgeBases/host/fill/fillTexts.ts");

type FillPage = StatePage<FillState, typeof fillCalls>;

const roles = (name: string) => [
  { role: "none", label: "Not added" },
  { role: "id", label: "ID" },
  { role: "content:content", label: "Content" },
  { role: `metadata:${name}`, label: `Metadata: ${name}` },
];
const form: FillForm = {
  source: "notes.jsonl",
  columns: [
    { name: "id", sample: "n1", roles: roles("id") },
    { name: "text", sample: "Dogs are welcome.", roles: roles("text") },
    { name: "topic", sample: "rules", roles: roles("topic") },
  ],
  mapping: { id: "id", text: "content:content", topic: "metadata:topic" },
  preview: [{ id: "n1", content: "Dogs are welcome.", metadata: "topic: rules" }],
  problems: [],
  warnings: [],
  idNote: formatIdNote(undefined, "notes.jsonl"),
  existing: "skip",
};
const start: FillState = {
  item: { connectionId: "local", project: "mindsdb", name: "rental_guide" },
  connection: "127.0.0.1:47334",
  source: { kind: "rowsFile", uri: "file:///work/notes.jsonl" },
  form,
  counts: [
    ...formatCount({ rows: 1_013, documents: 1_000, repeatedId: 12, noId: 0, noContent: 1 }),
    ...formatLeftOutFiles(
      { otherEnding: ["a.png"], notText: ["b.md"], tooLarge: [], notRead: [], link: [] },
      1,
    ),
  ],
  documents: 1_000,
  isCanceling: false,
};
const progress = { text: "400 of 1,000 documents", done: 400, total: 1_000 };
const outcome = formatOutcome(
  {
    end: "complete",
    sent: 1_000,
    stored: 988,
    skipped: 20,
    missing: Array.from({ length: 12 }, (_, at) => `n${String(at)}`),
    refused: [{ reason: "Rate limit reached.", ids: ["n1"] }],
  },
  undefined,
);

describe("The page that adds content to a knowledge base", () => {
  const pages = usePanelPages("src/knowledgeBases/page/fill/fillPage.tsx");

  const open = (change: Partial<FillState> = {}, options?: PageOptions): Promise<FillPage> =>
    pages.show(fillCalls, { ...start, ...change }, options);

  it("counts one document in the singular", () => {
    const [text] = formatCount({ rows: 1, documents: 1, repeatedId: 0, noId: 0, noContent: 0 });
    assert.equal(text, "1 document.");
  });

  it("sends what a column becomes, and saves it", async () => {
    const fill = await open();
    const topic = fill.page.getByLabel("How topic is used");
    assert.equal(await topic.inputValue(), "metadata:topic");
    await topic.selectOption("none");
    await fill.called("map", "topic", "none");
    await fill.page.getByLabel("If a document ID already exists").selectOption("replace");
    await fill.called("setExisting", "replace");
    const mapping = { ...form.mapping, topic: "none" };
    await fill.update({ form: { ...form, mapping, existing: "replace" } });
    const { item: knowledgeBase, source } = start;
    await eventually(async () =>
      assert.deepEqual(await fill.state(), {
        knowledgeBase,
        source,
        mapping: Object.entries(mapping),
        existing: "replace",
      }),
    );
  });

  it("loads the font of icons before the first icon is shown", async () => {
    const fill = await open({ form: undefined });
    assert.equal(await fill.page.locator(".codicon").count(), 0);
    await fill.page.waitForFunction(() => document.fonts.check("16px codicon"));
  });

  it("starts only if there are documents, and says what is left out", async () => {
    const fill = await open();
    for (const text of [
      "Documents: 1,000. Rows: 1,013.",
      "Skipped rows with a duplicate ID: 12",
      "Skipped rows without content: 1",
      "Skipped files of other kinds: 1 (a.png)",
      /^Skipped files that aren't text .*: 1 \(b\.md\)$/,
      /^No ID column is selected, .* like notes\.jsonl#1\./,
    ]) {
      await fill.page.getByText(text).waitFor();
    }
    await fill.button("Add Content").click();
    await fill.called("start");
    await fill.update({ counts: [], documents: 0 });
    assert.equal(await fill.button("Add Content").isDisabled(), true);
    const problems = ["Select at least one content column."];
    const warnings = ["distance is a reserved column of search results."];
    await fill.update({ form: { ...form, preview: [], problems, warnings } });
    assert.match(await fill.page.getByRole("alert").innerText(), /at least one content column/);
    assert.match(await fill.page.locator(".warning").innerText(), /distance is a reserved column/);
  });

  it("shows progress, can be canceled once, and shows the outcome", async () => {
    const fill = await open();
    await fill.button("Add Content").focus();
    await fill.update({ progress });
    await fill.page.getByText(progress.text).waitFor();
    assert.equal(await fill.page.getByRole("progressbar").getAttribute("value"), "400");
    assert.equal(await fill.button("Add Content").count(), 0);
    await fill.page.locator("button:focus", { hasText: "Cancel" }).waitFor();
    await fill.button("Cancel").click();
    await fill.called("cancel");
    const text = "600 of 1,000 documents";
    await fill.update({ isCanceling: true, progress: { ...progress, text, done: 600 } });
    assert.equal(await fill.button("Cancel").isDisabled(), true);
    await fill.page.getByText("Canceling after this batch…").waitFor();
    await fill.update({ isCanceling: false, progress: undefined, outcome });
    const shown = await fill.page.locator(".outcome").innerText();
    assert.match(shown, /1,000 sent, 988 stored, 12 missing\./);
    assert.match(shown, /Skipped documents that already existed: 20/);
    assert.match(shown, /Rate limit reached\./);
    assert.equal(await fill.button("Cancel").count(), 0);
    await fill.button("Show All Missing IDs").click();
    await fill.called("showMissing");
    await fill.button("Send Missing Again").click();
    await fill.called("start");
    await fill.update({ outcome: undefined, progress });
    await fill.page.locator("button:focus", { hasText: "Cancel" }).waitFor();
    assert.equal(await fill.button("Cancel").isEnabled(), true);
  });

  it("leads to the outcome of a run that ends before its progress is shown", async () => {
    const fill = await open();
    await fill.button("Add Content").focus();
    await fill.update({ outcome: { ...outcome, missing: [], resume: undefined } });
    await fill.page.locator("button:focus", { hasText: "Show Knowledge Base" }).waitFor();
  });

  it("scrolls to the outcome of a run", async () => {
    const preview = Array.from({ length: 20 }, (_, at) => ({
      id: `n${String(at)}`,
      content: "Dogs are welcome.\nCats too.\nAnd birds.",
      metadata: "topic: rules",
    }));
    const fill = await open({ form: { ...form, preview } });
    const isInSight = () =>
      fill.page.locator(".outcome").evaluate((shown) => {
        const { top, bottom } = shown.getBoundingClientRect();
        return top >= 0 && bottom > top && bottom <= window.innerHeight;
      });
    await fill.button("Add Content").click();
    await fill.update({ progress });
    await fill.update({ progress: undefined, outcome: { ...outcome, missing: [] } });
    await eventually(async () => assert.equal(await isInSight(), true));
    assert.notEqual(await fill.page.locator(".scroller").evaluate((page) => page.scrollTop), 0);
    // What was started is in sight too.
    assert.ok(await fill.button(outcome.resume ?? "").isVisible());
  });

  it("keeps the focus when a choice is answered with a new form", async () => {
    const fill = await open();
    await fill.page.getByLabel("How topic is used").focus();
    const mapping = { ...form.mapping, topic: "none" };
    await fill.update({ form: { ...form, mapping } });
    const focused = await fill.page.evaluate(() =>
      document.activeElement?.getAttribute("aria-label"),
    );
    assert.equal(focused, "How topic is used");
  });

  it("shows hostile texts as text", async () => {
    const fill = await open();
    for (const texts of hostileTens) {
      const all = texts.join("\n");
      await fill.update({
        form: {
          ...form,
          source: all,
          columns: texts.map((text) => ({ name: text, sample: text, roles: roles(text) })),
          mapping: Object.fromEntries(texts.map((text) => [text, "id"])),
          preview: texts.map((text) => ({ id: text, content: text, metadata: text })),
        },
        outcome: { isGood: false, headline: all, reasons: texts, missing: texts, more: "" },
      });
    }
  });

  for (const theme of themeNames) {
    it(`is accessible and clips nothing in ${theme}`, async () => {
      for (const [name, change] of [
        ["form", {}],
        ["running", { progress: { ...progress, text: "400 of 1,000" } }],
        ["outcome", { outcome }],
      ] as const) {
        const fill = await open(change, { theme });
        await fill.checkLook(`fill-${name}-${theme}`, { fullPage: true });
      }
    });
  }

  it("fits a narrow page", async () => {
    const fill = await open({ outcome }, { width: 360 });
    await fill.checkLook("fill-narrow", { fullPage: true });
  });
});
