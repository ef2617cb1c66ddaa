// The page with the documents of a knowledge base, in a browser: filter, order, one document, and every theme.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { DocumentRow, ToHost, ToPage } from "../../src/knowledgeBases/documentsMessages.ts";
import { createDocumentsTexts, formatCutNote } from "../../src/knowledgeBases/documentsTexts.ts";
import { axeViolations } from "../e2e/lib/axe.ts";
import { clippedElements } from "../e2e/lib/clippedElements.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { hostileTexts } from "./hostile.ts";
import { PanelPages, themeNames, type PageOptions, type PanelPage } from "./panelPages.ts";

type DocumentsPage = PanelPage<ToHost, ToPage>;
type Listed = Extract<ToPage, { type: "listed" }>;

const pictures = path.resolve(import.meta.dirname, "..", "..", "out", "screenshots", "page");
const knowledgeBase = { connectionId: "local", project: "mindsdb", name: "rental_guide" };
const begin: ToPage = {
  type: "begin",
  knowledgeBase,
  connection: "127.0.0.1:47334",
  texts: createDocumentsTexts(),
  locale: "en",
};
const listed: Listed = {
  type: "listed",
  view: 1,
  documents: 1_000,
  chunks: 2_345,
  shown: 1_000,
  filter: "",
  sort: { column: "id", descending: false },
};
const rows = (from: number, count: number): DocumentRow[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `guide/page-${String(from + at)}.md`,
    content: `Page ${String(from + at)} is about dogs, and about much more.`,
    metadata: "topic: pets",
    chunks: at + 1,
  }));
const opened: ToPage = {
  type: "opened",
  document: {
    id: "guide/page-1.md",
    metadata: [["topic", "pets"]],
    chunks: [
      { label: "Chunk 1 of 345", content: "Dogs are welcome.\n\nCats too." },
      { label: "Chunk 2 of 345", content: "A deposit is due." },
    ],
    note: formatCutNote(2, 345, false) ?? "",
  },
};

describe("The page with the documents of a knowledge base", function () {
  this.timeout(60_000);
  let pages: PanelPages;
  before(async () => {
    pages = await PanelPages.start("src/knowledgeBases/page/documents/main.ts");
    fs.mkdirSync(pictures, { recursive: true });
  });
  after(() => pages.stop());

  /** Opens the page and answers its requests for rows. */
  async function open(more: ToPage[] = [], options?: PageOptions): Promise<DocumentsPage> {
    const page = await pages.open<ToHost, ToPage>([begin, listed, ...more], options);
    await page.page.locator(".grid .coming").first().waitFor({ state: "attached" });
    await page.post({ type: "rows", view: 1, from: 0, rows: rows(0, 200) });
    return page;
  }
  const sentOf = <Type extends ToHost["type"]>(page: DocumentsPage, type: Type) =>
    page.sent.filter((message) => message.type === type);
  const firstRow = ({ page }: DocumentsPage) => page.locator(".grid-body .grid-row").first();

  it("asks for the rows that are seen, and for the list it is told of only", async () => {
    const page = await open();
    assert.deepEqual(sentOf(page, "readRows"), [
      { type: "readRows", view: 1, from: 0, count: 200 },
    ]);
    assert.match(await firstRow(page).innerText(), /page-0\.md\s+Page 0 is about dogs/);
    await page.page.getByText("Documents: 1,000. Chunks: 2,345.").waitFor();
    await page.post({ type: "rows", view: 0, from: 0, rows: rows(500, 200) });
    assert.match(await firstRow(page).innerText(), /page-0\.md/);
  });

  it("opens the document of the row that the keyboard moves to, and only the last one", async () => {
    const page = await open();
    await page.page.getByRole("grid").focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown"]) await page.page.keyboard.press(key);
    await eventually(() =>
      assert.deepEqual(sentOf(page, "open"), [{ type: "open", id: "guide/page-3.md" }]),
    );
    await page.post(opened);
    await page.page.getByRole("heading", { name: "guide/page-1.md" }).waitFor();
    await page.page.getByText("The first 2 of 345 chunks.").waitFor();
    await page.page.getByRole("grid").focus();
    await page.page.keyboard.press("Delete");
    assert.deepEqual(page.sent.at(-1), { type: "delete", id: "guide/page-1.md" });
  });

  it("filters while the user types, and sorts by what is known of all documents", async () => {
    const page = await open();
    await page.page.getByLabel("Filter by id").fill("page-9");
    const { sort: byId } = listed;
    await eventually(() =>
      assert.deepEqual(page.sent.at(-1), { type: "setView", filter: "page-9", sort: byId }),
    );
    await page.post({ ...listed, view: 2, shown: 111, filter: "page-9" });
    await page.page.getByText("111 of 1,000 documents").waitFor();
    await page.page.getByRole("columnheader", { name: "Chunks" }).click();
    const sort = { column: "chunks", descending: true };
    assert.deepEqual(page.sent.at(-1), { type: "setView", filter: "page-9", sort });
    const count = page.sent.length;
    await page.page.getByRole("columnheader", { name: "Content" }).click();
    assert.equal(page.sent.length, count);
    await page.post({ ...listed, view: 3, shown: 0, filter: "nothing" });
    await page.page.getByText("No id contains this text.").waitFor();
  });

  it("shows what failed beside what it has", async () => {
    const page = await open([opened]);
    await page.post({ type: "problem", reason: "The server did not delete the document." });
    await page.page.getByRole("alert").getByText("The server did not delete").waitFor();
    await page.post({ type: "closed", reason: "guide/page-1.md is no longer in rental_guide." });
    await page.page.getByText("is no longer in rental_guide").waitFor();
    assert.equal(await page.page.getByRole("heading", { name: "guide/page-1.md" }).count(), 0);
  });

  it("shows hostile texts as text", async () => {
    const page = await open();
    for (const text of hostileTexts) {
      const row = { id: text, content: text, metadata: text, chunks: 1 };
      await page.post({ ...listed, view: 2, shown: 1, documents: 1 });
      await page.post({ type: "rows", view: 2, from: 0, rows: [row] });
      const chunks = [{ label: text, content: text }];
      await page.post({
        type: "opened",
        document: { id: text, metadata: [[text, text]], chunks, note: text },
      });
      await page.post({ type: "problem", reason: text });
    }
    assert.deepEqual([page.watch.errors, page.watch.violations], [[], []]);
  });

  for (const theme of themeNames) {
    it(`is accessible and clips nothing in ${theme}`, async () => {
      const page = await open([opened], { theme });
      await page.page.screenshot({
        path: path.join(pictures, `documents-${theme}.png`),
        fullPage: true,
      });
      assert.deepEqual(await axeViolations(page.page.mainFrame()), []);
      assert.deepEqual(await clippedElements(page.page.mainFrame()), []);
    });
  }

  it("fits a narrow page", async () => {
    const page = await open([opened], { width: 360 });
    await page.page.screenshot({ path: path.join(pictures, "documents-narrow.png") });
    assert.deepEqual(await clippedElements(page.page.mainFrame()), []);
  });
});
