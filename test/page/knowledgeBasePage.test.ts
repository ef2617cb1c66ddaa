// The page of a knowledge base in a browser: suggested filter values, invalid values, the hints of the fields, and
// accessibility in every theme.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { readDetails } from "../../src/knowledgeBases/knowledgeBaseDetails.ts";
import type { FoundChunk, ToHost, ToPage } from "../../src/knowledgeBases/messages.ts";
import { createKnowledgeBaseTexts } from "../../src/knowledgeBases/knowledgeBaseTexts.ts";
import { axeViolations } from "../e2e/lib/axe.ts";
import { clippedElements } from "../e2e/lib/clippedElements.ts";
import { hostileTexts } from "./hostile.ts";
import { PanelPages, themeNames, type PageOptions, type PanelPage } from "./panelPages.ts";

type KnowledgeBasePage = PanelPage<ToHost, ToPage>;

const pictures = path.resolve(import.meta.dirname, "..", "..", "out", "screenshots", "page");

const begin: ToPage = {
  type: "begin",
  knowledgeBase: { connectionId: "local", project: "mindsdb", name: "rental_guide" },
  connection: "127.0.0.1:47334",
  texts: createKnowledgeBaseTexts(),
  locale: "en",
};
const read: ToPage = {
  type: "read",
  details: readDetails({ name: "rental_guide", metadata_columns: ["topic", "year"] }),
};
const counted: ToPage = { type: "counted", chunks: 1200, documents: 1 };
const topics: ToPage = {
  type: "values",
  column: "topic",
  values: { values: ["costs", "neighborhoods", "rules"], type: "text" },
};
const years: ToPage = {
  type: "values",
  column: "year",
  values: { values: ["2023", "2024"], type: "number" },
};

describe("The page of a knowledge base", function () {
  this.timeout(60_000);
  let pages: PanelPages;
  before(async () => {
    pages = await PanelPages.start("src/knowledgeBases/page/main.ts");
    fs.mkdirSync(pictures, { recursive: true });
  });
  after(() => pages.stop());

  const open = (options?: PageOptions): Promise<KnowledgeBasePage> =>
    pages.open<ToHost, ToPage>([begin, read, counted], options);
  const valueOf = ({ page }: KnowledgeBasePage) => page.getByRole("combobox", { name: "Value" });
  const suggestions = ({ page }: KnowledgeBasePage) =>
    page.getByRole("listbox", { name: "Value" }).getByRole("option");
  const options = (base: KnowledgeBasePage) => suggestions(base).allInnerTexts();
  const isFocused = (base: KnowledgeBasePage) =>
    valueOf(base).evaluate((input) => input === document.activeElement);
  /** Adds a filter and focuses its value. */
  const addFilter = async (base: KnowledgeBasePage, column = "topic"): Promise<void> => {
    await base.page.getByRole("button", { name: "Add Filter" }).click();
    await base.page.getByLabel("Column", { exact: true }).selectOption(column);
    await valueOf(base).focus();
  };
  const lastSearch = ({ sent }: KnowledgeBasePage) =>
    sent.filter((message) => message.type === "search").at(-1)?.search;

  it("shows the number of chunks and documents", async () => {
    const base = await open();
    const stored = () => base.page.locator(".glance dd").first().innerText();
    assert.equal(await stored(), "1,200 chunks in 1 document");
    await base.post({ type: "counted", chunks: 1 });
    assert.equal(await stored(), "1 chunk");
  });

  it("says that something else has its name, and offers no search", async () => {
    const base = await open();
    const reason = "An agent in mindsdb is also named rental_guide.";
    await base.post({ type: "hidden", reason });
    await base.page.getByText(reason).waitFor();
    for (const name of ["Search", "Browse Documents", "Add Content…"]) {
      await base.page.getByRole("button", { name, exact: true }).waitFor({ state: "hidden" });
    }
    await base.post(read, counted);
    await base.page.getByRole("button", { name: "Search", exact: true }).waitFor();
    assert.equal(await base.page.getByText(reason).count(), 0);
  });

  it("replaces a running search when Enter is pressed again", async () => {
    const base = await open();
    const question = base.page.getByLabel("Question");
    await question.fill("Large dogs?");
    await question.press("Enter");
    await base.post({ type: "searching" });
    assert.equal(
      await base.page.getByRole("button", { name: "Search", exact: true }).isHidden(),
      true,
    );
    await question.fill("Small dogs?");
    await question.press("Enter");
    const questions = base.sent.flatMap((message) =>
      message.type === "search" ? [message.search.question] : [],
    );
    assert.deepEqual(questions, ["Large dogs?", "Small dogs?"]);
  });

  it("shows the default at a number field that is empty", async () => {
    const { page } = await open();
    for (const [label, hint] of [
      ["Limit", /^\s*10 when empty\. /],
      ["Minimum relevance", /^\s*No minimum when empty, because /],
    ] as const) {
      const described = await page.getByLabel(label).evaluate((input) =>
        (input.getAttribute("aria-describedby") ?? "")
          .split(" ")
          .map((id) => document.getElementById(id)?.textContent ?? "(none)")
          .join(" "),
      );
      assert.match(described, hint);
    }
  });

  it("requests a column's values when the field gets the focus, and suggests them", async () => {
    const base = await open();
    await addFilter(base);
    const asked = base.sent.filter((message) => message.type === "readValues");
    assert.deepEqual(asked, [{ type: "readValues", column: "topic" }]);
    await base.page.getByText("Reading the stored values…").waitFor();
    await base.post(topics);
    assert.deepEqual(await options(base), ["costs", "neighborhoods", "rules"]);
    assert.equal(await valueOf(base).getAttribute("aria-expanded"), "true");
    await valueOf(base).fill("R");
    assert.deepEqual(await options(base), ["neighborhoods", "rules"]);
    await suggestions(base).filter({ hasText: "rules" }).click();
    assert.equal(await valueOf(base).inputValue(), "rules");
    assert.ok(await isFocused(base));
    assert.deepEqual(await options(base), []);
    await valueOf(base).press("Enter");
    await base.settled();
    const expected = { column: "topic", operator: "=", value: "rules", type: "text" };
    assert.deepEqual(lastSearch(base)?.filters, [expected]);
    // Known values are not requested again.
    await base.page.getByLabel("Question").focus();
    await valueOf(base).focus();
    assert.deepEqual(await options(base), ["costs", "neighborhoods", "rules"]);
    assert.equal(base.sent.filter((message) => message.type === "readValues").length, 1);
  });

  it("lets the keyboard pick a value, and does not change what is typed", async () => {
    const base = await open();
    await addFilter(base);
    await base.post(topics);
    const active = () =>
      valueOf(base).evaluate((input) => {
        const id = input.getAttribute("aria-activedescendant");
        return id === null ? undefined : document.getElementById(id)?.textContent;
      });
    await valueOf(base).press("ArrowDown");
    assert.equal(await active(), "costs");
    await valueOf(base).press("ArrowUp");
    assert.equal(await active(), "rules");
    await valueOf(base).press("Enter");
    assert.equal(await valueOf(base).inputValue(), "rules");
    assert.equal(lastSearch(base), undefined);
    await valueOf(base).press("ArrowDown");
    assert.equal((await options(base)).length, 3);
    await valueOf(base).press("Escape");
    assert.deepEqual(await options(base), []);
    await valueOf(base).fill("cost");
    await valueOf(base).press("Enter");
    await base.settled();
    assert.equal(lastSearch(base)?.filters[0]?.value, "cost");
  });

  it("stops requesting when the focus leaves, and tries again after a failure", async () => {
    const base = await open();
    await addFilter(base);
    await base.page.getByLabel("Question").focus();
    await base.settled();
    assert.deepEqual(base.sent.at(-1), { type: "cancelValues" });
    await valueOf(base).focus();
    await base.post({ type: "noValues", column: "topic" });
    await base.page.getByText("The stored values could not be read.").waitFor();
    await base.page.getByLabel("Question").focus();
    await valueOf(base).focus();
    await base.settled();
    assert.equal(base.sent.filter((message) => message.type === "readValues").length, 3);
  });

  it("rejects text for a numeric column, at the field", async () => {
    const base = await open();
    await addFilter(base, "year");
    await base.post(years);
    await valueOf(base).fill("soon");
    const problem = base.page.getByText("year holds numbers. Enter a number, like 42 or 2.5.");
    await problem.waitFor();
    assert.equal(await valueOf(base).getAttribute("aria-invalid"), "true");
    const describedBy = (await valueOf(base).getAttribute("aria-describedby")) ?? "";
    assert.ok(describedBy.split(" ").includes((await problem.getAttribute("id")) ?? "?"));
    await base.page.getByLabel("Question").press("Enter");
    assert.ok(await isFocused(base));
    assert.equal(lastSearch(base), undefined);
    // For "contains", any text is valid.
    await base.page.getByLabel("Comparison").selectOption("contains");
    await problem.waitFor({ state: "hidden" });
    await base.page.getByLabel("Comparison").selectOption(">=");
    await problem.waitFor();
    await valueOf(base).fill("2024");
    await problem.waitFor({ state: "hidden" });
    await valueOf(base).press("Escape");
    await valueOf(base).press("Enter");
    await base.settled();
    assert.equal(lastSearch(base)?.filters[0]?.value, "2024");
  });

  it("rejects an invalid limit or relevance, at the field", async () => {
    const base = await open();
    for (const [label, problem, values] of [
      ["Limit", "A search finds 1 to 100 chunks.", ["0", "101", "2.5"]],
      ["Minimum relevance", "Relevance is between 0 and 1.", ["7", "-1"]],
    ] as const) {
      const input = base.page.getByLabel(label);
      for (const value of values) {
        await input.fill(value);
        await base.page.getByLabel("Question").press("Enter");
        await base.page.getByText(problem).waitFor();
        assert.ok(await input.evaluate((field) => document.activeElement === field));
      }
      await input.fill("");
      await base.page.getByText(problem).waitFor({ state: "hidden" });
    }
    assert.equal(lastSearch(base), undefined);
  });

  it("shows suggested values as plain text", async () => {
    const base = await open();
    await addFilter(base);
    const type = "text";
    const values = { values: hostileTexts.map((text) => text.slice(0, 200)), type } as const;
    await base.post({ type: "values", column: "topic", values });
    const shown = await suggestions(base).evaluateAll((found) =>
      found.map((one) => one.textContent),
    );
    assert.deepEqual(shown, values.values.slice(0, 100));
    assert.deepEqual([base.watch.errors, base.watch.violations], [[], []]);
  });

  const chunk = (id: string): FoundChunk => ({
    id,
    chunkId: `${id}:content:1of1:0to9`,
    content: `Text of ${id}`,
    relevance: 0.6,
    distance: 0.66,
    metadata: [["topic", "rules"]],
    internal: [["_source", "sample"]],
  });
  const found = (question: string, conditions: string, ids: string[]): ToPage => {
    return { type: "found", question, conditions, chunks: ids.map(chunk), isFilteredHere: false };
  };
  async function compare(options?: PageOptions): Promise<KnowledgeBasePage> {
    const base = await open(options);
    await base.post(found("pets", "relevance ≥ 0.6", ["dogs", "cats", "birds"]));
    await base.page.getByRole("button", { name: "Compare with Another Search" }).click();
    assert.deepEqual(base.sent.at(-1), { type: "keepResult", isKept: true });
    await base.post({ type: "kept", isKept: true });
    await base.page.getByText("Change the question, the limit").waitFor();
    await base.post(found("animals", "topic = rules", ["cats", "fish", "birds"]));
    return base;
  }

  it("says what may help if nothing is found", async () => {
    const base = await open();
    const hint = base.page.locator(".result p.hint");
    await base.post(found("pets", "", []));
    assert.equal(await hint.innerText(), "Try other words, or add content to the knowledge base.");
    await base.post(found("pets", "topic = rules", []));
    assert.equal(await hint.innerText(), "Try a lower relevance or fewer filters.");
  });

  it("shows two results beside each other, with their differences", async () => {
    const base = await compare();
    const results = base.page.locator(".result");
    assert.deepEqual(await results.locator("h3").allInnerTexts(), [
      "3 chunks for “pets”, relevance ≥ 0.6",
      "3 chunks for “animals”, topic = rules",
    ]);
    const marks = async (at: number) =>
      results
        .nth(at)
        .locator(".chunk")
        .evaluateAll((chunks) => chunks.map((one) => one.querySelector(".mark")?.textContent));
    assert.deepEqual(await marks(0), ["Only here", "#1 in the other search", undefined]);
    assert.deepEqual(await marks(1), ["#2 in the other search", "Only here", undefined]);
    await results.first().getByRole("button", { name: "Copy" }).first().click();
    assert.deepEqual(base.sent.at(-1), { type: "copyChunk", index: 0, isKept: true });
    await base.page.getByRole("button", { name: "End Comparison" }).click();
    assert.deepEqual(base.sent.at(-1), { type: "keepResult", isKept: false });
    await base.post({ type: "kept", isKept: false });
    assert.equal(await results.count(), 1);
  });

  for (const theme of themeNames) {
    it(`compares accessibly and clips nothing in ${theme}`, async () => {
      const base = await compare({ theme });
      await base.page.screenshot({
        path: path.join(pictures, `knowledge-base-compare-${theme}.png`),
        fullPage: true,
      });
      assert.deepEqual(await axeViolations(base.page.mainFrame()), []);
      assert.deepEqual(await clippedElements(base.page.mainFrame()), []);
    });
  }

  for (const theme of themeNames) {
    for (const width of [800, 360]) {
      it(`has no accessibility violation and no clipped element in ${theme}, ${String(width)} px wide`, async () => {
        const base = await open({ theme, width });
        await addFilter(base, "year");
        await base.post(years);
        await valueOf(base).fill("x");
        await base.page.getByRole("button", { name: "Add Filter" }).click();
        const second = base.page.getByRole("combobox", { name: "Value" }).nth(1);
        await second.focus();
        await base.post(topics);
        await second.press("ArrowDown");
        assert.deepEqual(await axeViolations(base.page.mainFrame()), []);
        const name = `knowledge-base-filters-${theme}-${String(width)}.png`;
        await base.page.screenshot({ path: path.join(pictures, name) });
        // The list covers the elements below it.
        await second.press("Escape");
        assert.deepEqual(await clippedElements(base.page.mainFrame()), []);
      });
    }
  }
});
