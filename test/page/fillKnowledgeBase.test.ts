// The page that adds content to a knowledge base, in a browser: columns, progress, outcome, and accessibility in every
// theme.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { FillForm, ToHost, ToPage } from "../../src/knowledgeBases/fillMessages.ts";
import { createFillTexts } from "../../src/knowledgeBases/fillPageTexts.ts";
import { axeViolations } from "../e2e/lib/axe.ts";
import { clippedElements } from "../e2e/lib/clippedElements.ts";
import { hostileTexts } from "./hostile.ts";
import { PanelPages, themeNames, type PageOptions, type PanelPage } from "./panelPages.ts";

const { formatOutcome } = await import("../../src/knowledgeBases/host/fillTexts.ts");

type FillPage = PanelPage<ToHost, ToPage>;

const pictures = path.resolve(import.meta.dirname, "..", "..", "out", "screenshots", "page");

const begin: ToPage = {
  type: "begin",
  knowledgeBase: { connectionId: "local", project: "mindsdb", name: "rental_guide" },
  connection: "127.0.0.1:47334",
  texts: createFillTexts(),
  source: { kind: "rowsFile", uri: "file:///work/notes.jsonl" },
};
const roles = (name: string) => [
  { role: "none", label: "Not added" },
  { role: "id", label: "Id" },
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
  idNote: "Ids are stored as text.",
  existing: "skip",
};
const counted: ToPage = {
  type: "counted",
  lines: ["1,000 documents in 1,012 rows.", "12 rows repeat an id."],
  documents: 1_000,
};
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

describe("The page that adds content to a knowledge base", function () {
  this.timeout(60_000);
  let pages: PanelPages;
  before(async () => {
    pages = await PanelPages.start("src/knowledgeBases/page/fill/main.ts");
    fs.mkdirSync(pictures, { recursive: true });
  });
  after(() => pages.stop());

  const open = (options?: PageOptions, more: ToPage[] = []): Promise<FillPage> =>
    pages.open<ToHost, ToPage>([begin, { type: "form", form }, counted, ...more], options);
  const button = ({ page }: FillPage, name: string) =>
    page.getByRole("button", { name, exact: true });

  it("sends what a column becomes", async () => {
    const fill = await open();
    const topic = fill.page.getByLabel("What topic becomes");
    assert.equal(await topic.inputValue(), "metadata:topic");
    await topic.selectOption("none");
    assert.deepEqual(
      fill.sent.find(({ type }) => type === "map"),
      { type: "map", mapping: { ...form.mapping, topic: "none" } },
    );
    await fill.page.getByLabel("Documents whose id is already there").selectOption("replace");
    assert.deepEqual(fill.sent.at(-1), { type: "setExisting", existing: "replace" });
  });

  it("loads the font of icons before the first icon is shown", async () => {
    const fill = await open();
    assert.equal(await fill.page.locator(".codicon").count(), 0);
    await fill.page.waitForFunction(() => document.fonts.check("16px codicon"), undefined, {
      timeout: 5_000,
    });
  });

  it("starts only if there are documents", async () => {
    const fill = await open();
    await button(fill, "Add Content").click();
    assert.deepEqual(fill.sent.at(-1), { type: "start" });
    await fill.post({ type: "counted", lines: [], documents: 0 });
    assert.equal(await button(fill, "Add Content").isDisabled(), true);
    const problems = ["Choose at least one column that becomes content."];
    const warnings = ["Searches have a column distance of their own."];
    await fill.post({ type: "form", form: { ...form, preview: [], problems, warnings } });
    assert.match(await fill.page.getByRole("alert").innerText(), /at least one column/);
    assert.match(await fill.page.locator(".warning").innerText(), /column distance of their own/);
  });

  it("shows progress, can be canceled once, and shows the outcome", async () => {
    const fill = await open();
    await fill.post({ type: "running", text: "400 of 1,000 documents", done: 400, total: 1_000 });
    await fill.page.getByText("400 of 1,000 documents").waitFor();
    assert.equal(await fill.page.getByRole("progressbar").getAttribute("value"), "400");
    assert.equal(await button(fill, "Add Content").isHidden(), true);
    await button(fill, "Cancel").click();
    assert.deepEqual(fill.sent.at(-1), { type: "cancel" });
    assert.equal(await button(fill, "Cancel").isDisabled(), true);
    await fill.post({ type: "running", text: "600 of 1,000 documents", done: 600, total: 1_000 });
    await fill.page.getByText("Canceling after this batch…").waitFor();
    await fill.post({ type: "finished", outcome });
    const shown = await fill.page.locator(".outcome").innerText();
    assert.match(shown, /1,000 sent, 988 stored, 12 missing\./);
    assert.match(shown, /20 were already there/);
    assert.match(shown, /Rate limit reached\./);
    assert.equal(await button(fill, "Cancel").isHidden(), true);
    await button(fill, "Show All Missing Ids").click();
    await button(fill, "Send Missing Again").click();
    assert.deepEqual(
      fill.sent.slice(-2).map(({ type }) => type),
      ["showMissing", "start"],
    );
    await fill.post({ type: "running", text: "0 of 12 documents", done: 0, total: 12 });
    assert.equal(await button(fill, "Cancel").isEnabled(), true);
  });

  it("keeps the focus when a choice is answered with a new form", async () => {
    const fill = await open();
    await fill.page.getByLabel("What topic becomes").focus();
    const mapping = { ...form.mapping, topic: "none" };
    await fill.post({ type: "form", form: { ...form, mapping } });
    const focused = await fill.page.evaluate(() =>
      document.activeElement?.getAttribute("aria-label"),
    );
    assert.equal(focused, "What topic becomes");
  });

  it("shows hostile texts as text", async () => {
    const fill = await open();
    for (const text of hostileTexts) {
      await fill.post({
        type: "form",
        form: {
          ...form,
          source: text,
          columns: [{ name: text, sample: text, roles: roles(text) }],
          mapping: { [text]: "id" },
          preview: [{ id: text, content: text, metadata: text }],
        },
      });
      await fill.post({
        type: "finished",
        outcome: { isGood: false, headline: text, reasons: [text], missing: [text], more: "" },
      });
    }
    assert.deepEqual([fill.watch.errors, fill.watch.violations], [[], []]);
  });

  for (const theme of themeNames) {
    it(`is accessible and clips nothing in ${theme}`, async () => {
      const running: ToPage = { type: "running", text: "400 of 1,000", done: 400, total: 1_000 };
      for (const [name, more] of [
        ["form", []],
        ["running", [running]],
        ["outcome", [{ type: "finished", outcome } as const]],
      ] as const) {
        const fill = await open({ theme }, [...more]);
        await fill.page.screenshot({
          path: path.join(pictures, `fill-${name}-${theme}.png`),
          fullPage: true,
        });
        assert.deepEqual(await axeViolations(fill.page.mainFrame()), [], name);
        assert.deepEqual(await clippedElements(fill.page.mainFrame()), [], name);
      }
    });
  }

  it("fits a narrow page", async () => {
    const fill = await open({ width: 360 }, [{ type: "finished", outcome }]);
    await fill.page.screenshot({ path: path.join(pictures, "fill-narrow.png"), fullPage: true });
    assert.deepEqual(await clippedElements(fill.page.mainFrame()), []);
  });
});
