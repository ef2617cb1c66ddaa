// The page of a table in a browser: its first rows in every theme, hostile values, and a table that was dropped.
import assert from "node:assert/strict";
import type { ItemState } from "../../src/shared/itemPage.ts";
import { toPreviewRows } from "../../src/tables/previewRows.ts";
import { tableCalls, type TableContent } from "../../src/tables/tablePage.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { hostileTexts } from "./hostile.ts";
import {
  itemState,
  themeNames,
  usePanelPages,
  type PageOptions,
  type StatePage,
} from "./panelPages.ts";

type State = ItemState & TableContent;
type TablePage = StatePage<State, typeof tableCalls>;

const start: State = itemState("files", "homes");
const result = (count: number) => ({
  columns: ["id", "place", "notes", "tags"],
  rows: Array.from({ length: count }, (_, at) => [
    count - at,
    at % 2 === 0 ? "Berlin" : null,
    at === 0 ? `two lines\nand ${"a long text ".repeat(20)}` : "short",
    { deep: [at] },
  ]),
});
const read = (count: number): TableContent => ({ preview: toPreviewRows(result(count)) });

describe("The page of a table", () => {
  const pages = usePanelPages("src/tables/page/tablePage.tsx");

  const open = (content: TableContent, options?: PageOptions): Promise<TablePage> =>
    pages.show(tableCalls, { ...start, ...content }, options);
  const firstRow = ({ page }: TablePage) => page.locator(".grid-body .grid-row").first();

  it("shows the first rows, and says whether there are more", async () => {
    const table = await open(read(101));
    await table.page.getByText("First 100 rows").waitFor();
    assert.match(await firstRow(table).innerText(), /101\s+Berlin\s+two lines ⏎ and/);
    await table.update(read(3));
    await table.page.getByText("3 rows", { exact: true }).waitFor();
    await table.update(read(1));
    await table.page.getByText("1 row", { exact: true }).waitFor();
    await table.update(read(0));
    await table.page.getByText("The table has no rows.").waitFor();
    await table.page.getByText("Table in files on 127.0.0.1:47334").waitFor();
    await table.update({ preview: { ...read(0).preview!, mayLackRows: true } });
    await table.page
      .getByText(/^There are no rows\. This result may be incomplete: .*count\(\*\)/)
      .waitFor();
    await table.update({ ...read(0), isView: true });
    await table.page.getByText("The view has no rows.").waitFor();
    await table.page.getByText("View in files on 127.0.0.1:47334").waitFor();
  });

  it("gives the rows the width and height of the editor, and the focus", async () => {
    for (const [width, height] of [
      [900, 600],
      [1600, 1000],
    ] as const) {
      const table = await open(read(101), { width, height });
      await table.page.locator(".grid:focus").waitFor();
      const box = () => table.page.locator(".grid").boundingBox();
      const { x = 0, y = 0, width: wide = 0, height: high = 0 } = (await box()) ?? {};
      assert.deepEqual([x + wide, y + high], [width - 24, height - 16]);
      // A table of few rows is as high as they are.
      await table.update(read(2));
      await eventually(async () => assert.ok(((await box())?.height ?? 0) < 100));
      await table.close();
    }
  });

  it("says that values are masked", async () => {
    const masked = { columns: ["a"], rows: [["******"]], isMasked: true };
    const table = await open({ preview: toPreviewRows(masked) });
    await table.page.getByText(/^All values are masked/).waitFor();
  });

  it("shows null, objects and the whole text of a long value", async () => {
    const table = await open(read(2));
    await table.page.locator(".cell.null", { hasText: "null" }).waitFor();
    await table.page.getByText('{"deep":[0]}').waitFor();
    await table.page.locator(".grid-body .cell", { hasText: "two lines" }).click();
    const whole = table.page.getByRole("group", { name: "notes, row 1" });
    assert.match(await whole.innerText(), /^two lines\nand a long text/);
  });

  it("sorts by a column and copies what is selected", async () => {
    const table = await open(read(12));
    await table.page.getByRole("columnheader", { name: "id" }).click();
    await firstRow(table).getByText("1", { exact: true }).waitFor();
    await table.page.locator(".grid-body .cell", { hasText: "Berlin" }).first().click();
    await table.page.locator(".grid").press("Control+c");
    await eventually(() => assert.deepEqual(table.calls, [["copyText", "Berlin"]]));
  });

  it("calls the host for each button; a dropped table can only be refreshed", async () => {
    const table = await open(read(2));
    for (const name of ["Create Agent…", "Copy SELECT", "Refresh"]) {
      await table.button(name).click();
    }
    await eventually(() =>
      assert.deepEqual(table.calls, [["useInAgent"], ["copySelect"], ["refresh"]]),
    );
    const notice = { text: "homes is no longer in files." };
    await table.update({ isGone: true, notice });
    await table.page.getByText(notice.text).waitFor();
    assert.equal(await table.button("Create Agent…").isVisible(), false);
    await table.page.getByText("2 rows").waitFor();
  });

  it("shows the translations that its host has put into it, hostile ones as text", async () => {
    const hostile = hostileTexts.join(" ");
    pages.translate({ "{0} rows": "{0} Zeilen", "Copy SELECT": hostile });
    const table = await open(read(3));
    pages.translate({});
    await table.page.getByText("3 Zeilen", { exact: true }).waitFor();
    const translated = table.page.locator(".page-tools button").nth(1);
    assert.equal(await translated.textContent(), hostile);
    assert.equal(await table.button("Create Agent…").count(), 1);
  });

  it("ignores changes for a page that it replaces, and drops what is removed", async () => {
    const table = await open({ ...read(3) }, {});
    await table.page.addInitScript(() => {
      const change = { type: "state", isWhole: false, changes: { isGone: true }, removed: [] };
      const scope = window as unknown as { toHost: (message: { type: string } | null) => unknown };
      const { toHost } = scope;
      // When the page listens, and before its host knows that.
      scope.toHost = (message) => {
        if (message?.type === "ready") window.postMessage(change);
        return toHost(message);
      };
    });
    await table.reload();
    assert.equal(await table.button("Create Agent…").isVisible(), true);
    await table.update({ notice: { text: "Lost the connection." } });
    await table.page.getByRole("alert").waitFor();
    await table.update({ notice: undefined });
    assert.equal(await table.page.getByRole("alert").count(), 0);
  });

  it("shows hostile names and values as text", async () => {
    const columns = hostileTexts;
    const preview = toPreviewRows({ columns, rows: [columns] });
    const table = await open({});
    await table.update({ title: columns[0], preview });
    await table.page.getByText("1 row", { exact: true }).waitFor();
    assert.equal(await table.page.locator("main img, main script, main iframe").count(), 0);
  });

  for (const theme of themeNames) {
    it(`is accessible in ${theme}`, async () => {
      const table = await open(read(101), { theme });
      await table.page.getByText("First 100 rows").waitFor();
      await table.checkLook(`table-${theme}`, { cutCells: true });
    });
  }
});
