// The page of a knowledge base in a browser: suggested filter values, invalid values, the hints of the fields, and
// accessibility in every theme.
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { readDetails } from "../../src/knowledgeBases/knowledgeBaseDetails.ts";
import {
  knowledgeBaseCalls,
  type ColumnValues,
  type FoundChunk,
  type KnowledgeBaseContent,
  type SearchDraft,
  type SearchResult,
} from "../../src/knowledgeBases/knowledgeBasePage.ts";
import type { ItemState } from "../../src/shared/itemPage.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { axeViolations } from "../e2e/lib/axe.ts";
import { clippedElements } from "../e2e/lib/clippedElements.ts";
import { hostileTexts } from "./hostile.ts";
import {
  itemState,
  themeNames,
  usePanelPages,
  type PageOptions,
  type StatePage,
} from "./panelPages.ts";

type State = ItemState & KnowledgeBaseContent;
type KnowledgeBasePage = StatePage<State, typeof knowledgeBaseCalls>;

const start: State = {
  ...itemState("mindsdb", "rental_guide"),
  details: readDetails({ name: "rental_guide", metadata_columns: ["topic", "year"] }, "mindsdb"),
  count: { chunks: 1200, documents: 1 },
  values: [],
  isSearching: false,
};
const topicValues = ["costs", "neighborhoods", "rules"];
const topics: ColumnValues = { column: "topic", values: topicValues, type: "text" };
const years: ColumnValues = { column: "year", values: ["2023", "2024"], type: "number" };

describe("The page of a knowledge base", () => {
  const pages = usePanelPages("src/knowledgeBases/page/knowledgeBasePage.tsx");

  const open = (options?: PageOptions): Promise<KnowledgeBasePage> =>
    pages.show(knowledgeBaseCalls, start, options);
  const valueOf = ({ page }: KnowledgeBasePage) => page.getByRole("combobox", { name: "Value" });
  const suggestions = ({ page }: KnowledgeBasePage) =>
    page.getByRole("listbox", { name: "Value" }).getByRole("option");
  const suggests = (base: KnowledgeBasePage, expected: string[]) =>
    eventually(async () => assert.deepEqual(await suggestions(base).allInnerTexts(), expected));
  const hasValue = (base: KnowledgeBasePage, expected: string) =>
    eventually(async () => assert.equal(await valueOf(base).inputValue(), expected));
  const hasFocus = (locator: Locator) =>
    eventually(async () =>
      assert.ok(await locator.evaluate((one) => one === document.activeElement)),
    );
  /** Adds a filter and focuses its value. */
  const addFilter = async (base: KnowledgeBasePage, column = "topic"): Promise<void> => {
    await base.button("Add Filter").click();
    await base.page.getByLabel("Column", { exact: true }).selectOption(column);
    await valueOf(base).focus();
  };
  const searches = (base: KnowledgeBasePage) =>
    base.made("search").map(([, draft]) => draft as SearchDraft);

  it("shows the number of chunks and documents", async () => {
    const base = await open();
    const stored = () => base.page.locator(".glance dd").first().innerText();
    assert.equal(await stored(), "1,200 chunks in 1 document");
    await base.update({ count: { chunks: 1 } });
    assert.equal(await stored(), "1 chunk");
    await base.update({ count: { failure: "Too slow." } });
    assert.equal(await stored(), "not counted: Too slow.");
  });

  it("offers an empty knowledge base content before a search", async () => {
    const base = await open();
    await base.update({ count: { chunks: 0, documents: 0 } });
    await hasFocus(base.button("Add Content…"));
    assert.equal(await base.button("Search").count(), 0);
    await base.button("Add Content…").press("Enter");
    await base.called("addContent");
    await base.update({ count: { chunks: 2, documents: 1 } });
    await base.button("Search").waitFor();
    await base.button("Browse Documents").waitFor();
  });

  it("folds the table of fields, and keeps it open through a search", async () => {
    const base = await open();
    const fields = base.page.getByRole("region", { name: "Fields" });
    await fields.waitFor({ state: "hidden" });
    await base.page.getByRole("heading", { name: "Fields" }).click();
    await fields.waitFor();
    await base.page.getByLabel("Question").fill("dogs?");
    await base.button("Search").click();
    await fields.waitFor();
  });

  it("says that something else has its name, and offers no search", async () => {
    const base = await open();
    const hiddenReason = "An agent in mindsdb is also named rental_guide.";
    await base.update({ hiddenReason });
    await base.page.getByText(hiddenReason).waitFor();
    for (const name of ["Search", "Browse Documents", "Add Content…"]) {
      await base.button(name).waitFor({ state: "hidden" });
    }
    await base.page.getByRole("heading", { name: "Search" }).waitFor({ state: "hidden" });
    await base.update({ hiddenReason: undefined });
    await base.button("Search").waitFor();
    assert.equal(await base.page.getByText(hiddenReason).count(), 0);
  });

  it("has the switches that the server has, and sends them", async () => {
    const base = await open();
    const toggle = (name: string) => base.page.getByRole("checkbox", { name, exact: true });
    const weight = base.page.getByRole("spinbutton", { name: "Weight of Meaning" });
    assert.equal(await toggle("Hybrid Search").count(), 0);
    await base.update({ switches: { hasHybrid: true, hasReranking: true } });
    await base.page.getByLabel("Question").fill("dogs?");
    await toggle("Hybrid Search").check();
    await weight.fill("0.3");
    await toggle("Reranking").uncheck();
    await base.button("Search").click();
    const draft = { question: "dogs?", limit: "10", relevance: "", filters: [] };
    const switches = { isHybrid: true, alpha: "0.3", isReranked: false };
    await base.called("search", { ...draft, ...switches });
    await weight.fill("2");
    await base.page.getByText("The weight must be between 0 and 1.").waitFor();
    await base.update({ switches: { hasHybrid: false, hasReranking: false } });
    await toggle("Reranking").waitFor({ state: "detached" });
  });

  it("begins at the question, and goes to Refresh where that is gone", async () => {
    const base = await open();
    await hasFocus(base.page.getByLabel("Question"));
    await base.page.getByLabel("Limit").focus();
    await base.update({ isGone: true });
    await hasFocus(base.button("Refresh"));
    await base.update({ isGone: false });
    await base.button("Search").waitFor();
  });

  it("replaces a running search when Enter is pressed again, and cancels it", async () => {
    const base = await open();
    const question = base.page.getByLabel("Question");
    await question.fill("Large dogs?");
    await question.press("Enter");
    await base.update({ isSearching: true });
    assert.equal(await base.button("Search").count(), 0);
    await question.fill("Small dogs?");
    await question.press("Enter");
    await eventually(() =>
      assert.deepEqual(
        searches(base).map(({ question }) => question),
        ["Large dogs?", "Small dogs?"],
      ),
    );
    await base.button("Cancel").click();
    await base.called("cancelSearch");
  });

  it("has its draft again after a reload, and repeats a search that asks no model if its host does not know it", async () => {
    const base = await open();
    await base.button("Search").click();
    await eventually(() => assert.equal(searches(base).length, 1));
    const question = base.page.getByLabel("Question");
    await question.fill("Small dogs?");
    const isSaved = (part: "draft" | "searched") =>
      eventually(async () =>
        assert.equal(((await base.state())[part] as SearchDraft).question, "Small dogs?"),
      );
    await isSaved("draft");
    await base.reload();
    await eventually(() => assert.deepEqual(searches(base)[1], searches(base)[0]));
    assert.equal(await question.inputValue(), "Small dogs?");
    await base.button("Search").click();
    await isSaved("searched");
    await base.reload();
    await eventually(async () => assert.equal(await question.inputValue(), "Small dogs?"));
    await base.button("Search").waitFor();
    assert.equal(searches(base).length, 3);
    await base.update({ result: found("Small dogs?", "", ["dogs"]) });
    await base.reload();
    await base.page.getByRole("heading", { name: "1 chunk for “Small dogs?”" }).waitFor();
    assert.equal(searches(base).length, 3);
  });

  it("saves no secret of a question or a filter, and no search that has one", async () => {
    const base = await open();
    const question = base.page.getByLabel("Question");
    await addFilter(base);
    for (const [typed, value] of [
      ["Why does api_key=canary-4711-Qz fail?", "pets"],
      ["Is postgres://ada:canary-4711@host.example/shop right?", "pets"],
      ["dogs", "password='canary-4711'"],
    ] as const) {
      await question.fill(typed);
      await valueOf(base).fill(value);
      const before = searches(base).length;
      await question.press("Enter");
      await eventually(() => assert.ok(searches(base).length > before));
      const saved = await base.state();
      assert.doesNotMatch(JSON.stringify(saved), /canary/, typed);
      assert.equal(saved["searched"], undefined);
    }
    const details = readDetails({ name: "guide", metadata_columns: ["topic", "pass"] }, "mindsdb");
    await base.update({ details });
    await base.page.getByLabel("Column", { exact: true }).selectOption("pass");
    await valueOf(base).fill("canary-4711");
    await question.fill("dogs");
    await question.press("Enter");
    await eventually(async () => {
      const saved = await base.state();
      assert.ok(JSON.stringify(saved["draft"]).includes("dogs"));
      assert.doesNotMatch(JSON.stringify(saved), /canary/, "a column's name tells");
      assert.equal(saved["searched"], undefined);
    });
    await base.page.getByLabel("Column", { exact: true }).selectOption("topic");
    await valueOf(base).fill("pets");
    await question.press("Enter");
    await eventually(async () => assert.ok((await base.state())["searched"]));
  });

  it("shows the default at a number field that is empty", async () => {
    const { page } = await open();
    for (const [label, hint] of [
      ["Limit", /^\s*Default: 10\. /],
      ["Minimum Relevance", /^\s*Leave empty for no minimum\. /],
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
    await base.page.getByText("Reading the stored values…").waitFor();
    assert.deepEqual(base.made("readValues"), [["readValues", "topic"]]);
    await base.update({ values: [topics] });
    await suggests(base, topicValues);
    assert.equal(await valueOf(base).getAttribute("aria-expanded"), "true");
    await valueOf(base).fill("R");
    await suggests(base, ["neighborhoods", "rules"]);
    await suggestions(base).filter({ hasText: "rules" }).click();
    await hasValue(base, "rules");
    await hasFocus(valueOf(base));
    await suggests(base, []);
    await valueOf(base).press("Enter");
    const expected = { column: "topic", operator: "=", value: "rules", type: "text" };
    await eventually(() => assert.deepEqual(searches(base).at(-1)?.filters, [expected]));
    // Known values are not requested again.
    await base.page.getByLabel("Question").focus();
    await valueOf(base).focus();
    await suggests(base, topicValues);
    assert.equal(base.made("readValues").length, 1);
  });

  it("lets the keyboard pick a value, and does not change what is typed", async () => {
    const base = await open();
    await addFilter(base);
    await base.update({ values: [topics] });
    await suggests(base, topicValues);
    const isActive = (expected: string) =>
      eventually(async () => {
        const active = await valueOf(base).evaluate((input) => {
          const id = input.getAttribute("aria-activedescendant") ?? "";
          return document.getElementById(id)?.textContent;
        });
        assert.equal(active, expected);
      });
    await valueOf(base).press("ArrowDown");
    await isActive("costs");
    await valueOf(base).press("ArrowUp");
    await isActive("rules");
    await valueOf(base).press("Enter");
    await hasValue(base, "rules");
    assert.deepEqual(searches(base), []);
    await suggests(base, []);
    await valueOf(base).press("ArrowDown");
    await suggests(base, topicValues);
    await valueOf(base).press("Escape");
    await suggests(base, []);
    await valueOf(base).fill("cost");
    await valueOf(base).press("Enter");
    await eventually(() => assert.equal(searches(base).at(-1)?.filters[0]?.value, "cost"));
  });

  it("stops requesting when the focus leaves, and tries again after a failure", async () => {
    const base = await open();
    await addFilter(base);
    await base.page.getByLabel("Question").focus();
    await base.called("cancelValues");
    await valueOf(base).focus();
    await base.update({ values: [{ column: "topic" }] });
    await base.page.getByText("The stored values could not be read.").waitFor();
    await base.page.getByLabel("Question").focus();
    await valueOf(base).focus();
    await eventually(() => assert.equal(base.made("readValues").length, 3));
  });

  it("rejects text for a numeric column, at the field", async () => {
    const base = await open();
    await addFilter(base, "year");
    await base.update({ values: [years] });
    await valueOf(base).fill("soon");
    const problem = base.page.getByText("year contains numbers. Enter a number, like 42 or 2.5.");
    await problem.waitFor();
    assert.equal(await valueOf(base).getAttribute("aria-invalid"), "true");
    const describedBy = (await valueOf(base).getAttribute("aria-describedby")) ?? "";
    assert.ok(describedBy.split(" ").includes((await problem.getAttribute("id")) ?? "?"));
    await base.page.getByLabel("Question").press("Enter");
    await hasFocus(valueOf(base));
    assert.deepEqual(searches(base), []);
    // For "contains", any text is valid.
    await base.page.getByLabel("Comparison").selectOption("contains");
    await problem.waitFor({ state: "hidden" });
    await base.page.getByLabel("Comparison").selectOption(">=");
    await problem.waitFor();
    await valueOf(base).fill("2024");
    await problem.waitFor({ state: "hidden" });
    await valueOf(base).press("Escape");
    await valueOf(base).press("Enter");
    await eventually(() => assert.equal(searches(base).at(-1)?.filters[0]?.value, "2024"));
  });

  it("rejects an invalid limit or relevance, at the field", async () => {
    const base = await open();
    for (const [label, problem, values] of [
      ["Limit", "Enter a number from 1 to 100.", ["0", "101", "2.5"]],
      ["Minimum Relevance", "Relevance must be between 0 and 1.", ["7", "-1"]],
    ] as const) {
      const input = base.page.getByLabel(label);
      for (const value of values) {
        await input.fill(value);
        await base.page.getByText(problem).waitFor();
        await base.page.getByLabel("Question").press("Enter");
        await hasFocus(input);
      }
      await input.fill("");
      await base.page.getByText(problem).waitFor({ state: "hidden" });
    }
    assert.deepEqual(searches(base), []);
  });

  it("shows suggested values as plain text", async () => {
    const base = await open();
    await addFilter(base);
    const values = hostileTexts.map((text) => text.slice(0, 200));
    await base.update({ values: [{ column: "topic", values, type: "text" }] });
    await eventually(async () => {
      const shown = suggestions(base).evaluateAll((all) => all.map((one) => one.textContent));
      assert.deepEqual(await shown, values.slice(0, 100));
    });
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
  const found = (question: string, conditions: string, ids: string[]): SearchResult => {
    return { question, conditions, chunks: ids.map(chunk), isFilteredHere: false };
  };
  async function compare(options?: PageOptions): Promise<KnowledgeBasePage> {
    const base = await open(options);
    const kept = found("pets", "relevance ≥ 0.6", ["dogs", "cats", "birds"]);
    await base.update({ result: kept });
    await base.button("Compare with Another Search").click();
    await base.called("keepResult", true);
    await hasFocus(base.page.getByLabel("Question"));
    await base.update({ kept, result: undefined });
    await base.page.getByText("Change the question, limit").waitFor();
    await base.update({ result: found("animals", "topic = rules", ["cats", "fish", "birds"]) });
    return base;
  }

  it("folds long chunks", async () => {
    const content = `${"A long rule about dogs.\n".repeat(40)}The end.`;
    const base = await open();
    const result = found("dogs?", "", ["1"]);
    const show = (text: string) =>
      base.update({ result: { ...result, chunks: [{ ...result.chunks[0]!, content: text }] } });
    await show("x".repeat(1_000));
    assert.equal(await base.button("Show Whole Chunk").count(), 0);
    await show("x".repeat(1_001));
    assert.equal(await base.button("Show Whole Chunk").count(), 1);
    await show(content);
    const height = () => base.page.locator(".content").evaluate((text) => text.clientHeight);
    assert.equal(await height(), 160);
    await base.button("Show Whole Chunk").press("Enter");
    await eventually(async () => assert.ok((await height()) > 800));
    await base.button("Show Less").press("Enter");
    await eventually(async () => assert.equal(await height(), 160));
  });

  it("says what may help if nothing is found", async () => {
    const base = await open();
    const hint = base.page.locator(".result p.hint");
    await base.update({ result: found("pets", "", []) });
    assert.equal(await hint.innerText(), "Try other words, or add content to the knowledge base.");
    await base.update({ result: found("pets", "topic = rules", []) });
    assert.equal(await hint.innerText(), "Try a lower minimum relevance or fewer filters.");
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
    await base.called("copyChunk", 0, true);
    await base.button("End Comparison").click();
    await base.called("keepResult", false);
    await base.update({ kept: undefined });
    assert.equal(await results.count(), 1);
  });

  it("keeps the metadata of a chunk open, until the next search", async () => {
    const base = await open();
    await base.update({ result: found("pets", "", ["dogs", "cats"]) });
    const notes = base.page.locator("details.notes");
    await notes.nth(1).locator("summary").click();
    await base.page.getByText("cats:content:1of1:0to9").waitFor();
    await base.reload();
    await base.page.getByText("cats:content:1of1:0to9").waitFor();
    await base.button("Search").click();
    await base.page.getByText("cats:content:1of1:0to9").waitFor({ state: "hidden" });
  });

  for (const theme of themeNames) {
    it(`compares accessibly and clips nothing in ${theme}, wide and narrow`, async () => {
      const base = await compare({ theme });
      await base.checkLook(`knowledge-base-compare-${theme}`, { fullPage: true });
      await base.page.locator("details.notes summary").first().click();
      await base.checkNarrow(`knowledge-base-compare-${theme}`, 360);
    });
  }

  for (const theme of themeNames) {
    for (const width of [800, 360]) {
      it(`has no accessibility violation and no clipped element in ${theme}, ${String(width)} px wide`, async () => {
        const base = await open({ theme, width });
        await addFilter(base, "year");
        await base.update({ values: [years] });
        await valueOf(base).fill("x");
        await base.button("Add Filter").click();
        const second = base.page.getByRole("combobox", { name: "Value" }).nth(1);
        await second.focus();
        await base.update({ values: [years, topics] });
        await second.press("ArrowDown");
        await base.picture(`knowledge-base-filters-${theme}-${String(width)}`);
        assert.deepEqual(await axeViolations(base.page.mainFrame()), []);
        // The list covers the elements below it.
        await second.press("Escape");
        assert.deepEqual(await clippedElements(base.page.mainFrame()), []);
      });
    }
  }
});
