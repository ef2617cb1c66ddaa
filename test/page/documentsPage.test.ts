// The page with the documents of a knowledge base, in a browser: filter, order, one document, and every theme.
import assert from "node:assert/strict";
import {
  documentsCalls,
  type DocumentRow,
  type DocumentsContent,
  type OpenedDocument,
} from "../../src/knowledgeBases/documentsPage.ts";
import type { ItemState } from "../../src/shared/itemPage.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { hostileTens } from "./hostile.ts";
import {
  itemState,
  themeNames,
  usePanelPages,
  type PageOptions,
  type StatePage,
} from "./panelPages.ts";

type State = ItemState & DocumentsContent;
type DocumentsPage = StatePage<State, typeof documentsCalls>;

const list = { view: 1, documents: 1_000, chunks: 2_345, shown: 1_000 };
const byId = { column: "id", descending: false } as const;
const start: State = {
  ...itemState("mindsdb", "rental_guide", "Documents of rental_guide"),
  filter: "",
  sort: byId,
  list,
};
const rows = (from: number, count: number): DocumentRow[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `guide/page-${String(from + at)}.md`,
    content: `Page ${String(from + at)} is about dogs, and about much more.`,
    metadata: "topic: pets",
    chunks: at + 1,
  }));
const opened: OpenedDocument = {
  id: "guide/page-1.md",
  metadata: [["topic", "pets"]],
  chunks: [{ content: "Dogs are welcome.\n\nCats too." }, { content: "A deposit is due." }],
  total: 345,
  isCut: false,
};

describe("The page with the documents of a knowledge base", () => {
  const pages = usePanelPages("src/knowledgeBases/page/documents/documentsPage.tsx");

  /** Opens the page; its host answers with the rows of the list that it shows. */
  async function open(
    content: Partial<DocumentsContent> = {},
    options?: PageOptions,
    answer = (view: number, from: number, count: number): DocumentRow[] | undefined =>
      view === 1 ? rows(from, count) : undefined,
  ): Promise<DocumentsPage> {
    const handlers = { readRows: answer };
    const page = await pages.show(
      documentsCalls,
      { ...start, ...content },
      { ...options, handlers },
    );
    await page.page.locator(".grid .coming").first().waitFor({ state: "detached" });
    return page;
  }
  const firstRow = ({ page }: DocumentsPage) => page.locator(".grid-body .grid-row").first();

  it("asks for the rows that are seen, and shows those of its list only", async () => {
    const page = await open();
    await eventually(() => assert.deepEqual(page.made("readRows"), [["readRows", 1, 0, 200]]));
    await firstRow(page).getByText("Page 0 is about dogs").waitFor();
    await page.page.getByText("Documents: 1,000. Chunks: 2,345.").waitFor();
    // The host has another list by now.
    await page.update({ list: { ...list, view: 2 } });
    await page.called("readRows", 2, 0, 200);
    await firstRow(page).getByText("page-0.md").waitFor();
  });

  it("has a grid as high as its rows, and 160 px of a long one in a low window", async () => {
    const one = await open({ list: { ...list, documents: 1, chunks: 1, shown: 1 } });
    await one.update({ opened });
    await one.page.getByRole("heading", { name: "guide/page-1.md" }).waitFor();
    const heightOf = async (page: DocumentsPage) =>
      (await page.page.getByRole("grid").boundingBox())?.height ?? 0;
    assert.ok((await heightOf(one)) < 80, String(await heightOf(one)));
    const gap = await one.page.locator(".document").evaluate((shown) => {
      const { bottom = 0 } = document.querySelector(".grid")?.getBoundingClientRect() ?? {};
      return shown.getBoundingClientRect().top - bottom;
    });
    assert.ok(gap <= 24, String(gap));
    const low = await open({}, { height: 300 });
    await low.update({ opened });
    await low.page.getByRole("heading", { name: "guide/page-1.md" }).waitFor();
    assert.equal(await heightOf(low), 160);
  });

  it("saves no secret of the filter", async () => {
    const page = await open({ filter: "password='canary-4711'" });
    const saved = await eventually(async () => {
      const state = await page.state();
      assert.ok(state["sort"]);
      return JSON.stringify(state);
    });
    assert.doesNotMatch(saved, /canary/);
    await page.update({ filter: "page-3" });
    await eventually(async () => assert.equal((await page.state())["filter"], "page-3"));
  });

  it("opens the document of the row that the keyboard moves to, and only the last one", async () => {
    const page = await open();
    // In one task, because the page opens a row where the user stays.
    await page.page.getByRole("grid").evaluate((grid) => {
      const key = { key: "ArrowDown", bubbles: true, cancelable: true };
      for (let row = 1; row <= 3; row++) grid.dispatchEvent(new KeyboardEvent("keydown", key));
    });
    await eventually(() => assert.deepEqual(page.made("open"), [["open", "guide/page-3.md"]]));
    await page.update({ opened });
    await page.page.getByRole("heading", { name: "guide/page-1.md" }).waitFor();
    await page.page.getByText("The first 2 of 345 chunks.").waitFor();
    await page.page.getByRole("grid").press("Delete");
    await page.called("delete", "guide/page-1.md");
    // From a document that is closed, the focus goes to the grid.
    await page.page.getByRole("button", { name: "Delete…" }).focus();
    await page.update({ opened: undefined });
    await page.page.locator(".grid:focus").waitFor();
  });

  it("shows rows and document together, whatever the size of the editor", async () => {
    const chunks = Array.from({ length: 50 }, () => ({ content: "Dogs are welcome. ".repeat(20) }));
    for (const [width, height] of [
      [900, 600],
      [1600, 1000],
    ] as const) {
      const page = await open({ opened: { ...opened, chunks } }, { width, height });
      const bottoms = await page.page
        .locator(".grid, .document")
        .evaluateAll((found) => found.map((part) => part.getBoundingClientRect().bottom));
      assert.ok((bottoms[0] ?? 0) > 0.5 * height && (bottoms[0] ?? 0) < 0.65 * height);
      assert.equal(bottoms[1], height - 16);
      await page.close();
    }
  });

  it("opens the document that was clicked, although another list comes meanwhile", async () => {
    const page = await open();
    await page.page.locator(".grid-body .cell", { hasText: "page-3.md" }).click();
    await page.update({ filter: "page-3.md", list: { ...list, view: 2, shown: 1 } });
    await eventually(() => assert.deepEqual(page.made("open"), [["open", "guide/page-3.md"]]));
  });

  it("filters while the user types, and sorts by what is known of all documents", async () => {
    const page = await open();
    await page.page.getByLabel("Filter by ID").fill("page-9");
    await page.called("setView", "page-9", byId);
    await page.update({ filter: "page-9", list: { ...list, view: 2, shown: 111 } });
    await page.page.getByText("111 of 1,000 documents").waitFor();
    await page.page.getByRole("columnheader", { name: "Chunks" }).click();
    await page.called("setView", "page-9", { column: "chunks", descending: true });
    await page.page.getByRole("columnheader", { name: "Content" }).click();
    assert.equal(page.made("setView").length, 2);
    await page.update({ filter: "nothing", list: { ...list, view: 3, shown: 0 } });
    await page.page.getByText("No ID contains this text.").waitFor();
  });

  it("saves its filter, its order and the open document for its host", async () => {
    const page = await open({ filter: "page", opening: "guide/page-1.md" });
    const isSaved = (expected: object) =>
      eventually(async () => {
        const { filter, sort, opened } = await page.state();
        assert.deepEqual({ filter, sort, opened }, expected);
      });
    await isSaved({ filter: "page", sort: byId, opened: "guide/page-1.md" });
    await page.update({ opening: undefined, opened });
    await isSaved({ filter: "page", sort: byId, opened: "guide/page-1.md" });
    await page.update({ opened: undefined });
    await isSaved({ filter: "page", sort: byId, opened: undefined });
  });

  it("shows what failed beside what it has", async () => {
    const page = await open({ opened });
    await page.update({ problem: "The server did not delete the document." });
    await page.page.getByRole("alert").getByText("The server did not delete").waitFor();
    const openFailure = "guide/page-1.md is no longer in rental_guide.";
    await page.update({ opened: undefined, openFailure });
    await page.page.getByText("is no longer in rental_guide").waitFor();
    assert.equal(await page.page.getByRole("heading", { name: "guide/page-1.md" }).count(), 0);
  });

  it("shows hostile texts as text", async () => {
    const page = await open({}, {}, (view, from, count) => {
      const texts = hostileTens[view - 2];
      if (texts === undefined) return rows(from, count);
      return texts.map((text) => ({ id: text, content: text, metadata: text, chunks: 1 }));
    });
    for (const [at, texts] of hostileTens.entries()) {
      const all = texts.join("\n");
      const chunks = texts.flatMap((text) => [{ column: text, content: text }, { content: text }]);
      const metadata = texts.map((text): [string, string] => [text, text]);
      await page.update({
        list: { ...list, view: at + 2, shown: texts.length, documents: texts.length },
        opened: { ...opened, id: all, metadata, chunks },
        problem: all,
      });
    }
    await eventually(async () => {
      const shown = await page.page.locator(".grid-body .cell").first().textContent();
      assert.equal(shown, hostileTens.at(-1)?.[0]);
    });
  });

  for (const theme of themeNames) {
    it(`is accessible and clips nothing in ${theme}`, async () => {
      const page = await open({ opened }, { theme });
      await page.checkLook(`documents-${theme}`, { fullPage: true });
    });
  }

  it("fits a narrow page", async () => {
    const page = await open({ opened }, { width: 360 });
    await page.checkLook("documents-narrow");
  });
});
