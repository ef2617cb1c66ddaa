// The form of a view in a browser: what it posts to the host, where it shows problems, and how it looks.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { ViewDraft } from "../../src/views/viewDraft.ts";
import { viewFormCalls, type ViewFormState } from "../../src/views/viewForm.ts";
import { axeViolations } from "../e2e/lib/axe.ts";
import { clippedElements } from "../e2e/lib/clippedElements.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { PanelPages, themeNames, type PageOptions, type StatePage } from "./panelPages.ts";

type FormPage = StatePage<ViewFormState, typeof viewFormCalls>;

const pictures = path.resolve(import.meta.dirname, "..", "..", "out", "screenshots", "page");
const query = "SELECT sqft, location FROM files.home_rentals";
const draft: ViewDraft = { project: "mindsdb", name: "homes", query };
const preview: ViewFormState["preview"] = {
  of: query,
  rows: {
    columns: [
      { name: "sqft", type: "number", isNumeric: true },
      { name: "location", type: "text", isNumeric: false },
    ],
    rows: [
      ["812", "good"],
      ["640", null],
    ],
    hasMore: true,
  },
};

describe("The form of a view", function () {
  this.timeout(60_000);
  let pages: PanelPages;
  before(async () => {
    pages = await PanelPages.start("src/views/page/viewForm.tsx");
    fs.mkdirSync(pictures, { recursive: true });
  });
  after(() => pages.stop());

  const open = (
    { before, initial = draft }: { before?: ViewDraft; initial?: ViewDraft } = {},
    options?: PageOptions,
  ): Promise<FormPage> => {
    const form = { id: "one", connectionId: "local", initial, draft: initial, before };
    const choices = { projects: ["mindsdb"], items: [] };
    const state: ViewFormState = { form, connection: "127.0.0.1:47334", choices };
    return pages.show(viewFormCalls, state, options);
  };
  const field = ({ page }: FormPage, name: string) => page.locator(`.field[data-field="${name}"]`);
  const made = (form: FormPage, name: string) => form.calls.filter(([call]) => call === name);
  const press = ({ page }: FormPage, name: string) =>
    page.getByRole("button", { name, exact: true }).click();

  it("sends a complete draft with a plain name and the query as typed, and previews it", async () => {
    const form = await open({ initial: { project: "mindsdb", name: "", query: "" } });
    await press(form, "Preview");
    await form.page.getByText("2 fields need attention.").waitFor();
    const typed = `-- why\n${query}\n`;
    await field(form, "name").locator("input").fill("Homes");
    await field(form, "query").locator("textarea").fill(typed);
    await press(form, "Preview");
    const sent = { ...draft, query: typed };
    await eventually(() => assert.deepEqual(made(form, "preview"), [["preview", sent]]));
    await press(form, "Create View");
    await eventually(() => assert.deepEqual(made(form, "send"), [["send", sent, {}]]));
    await form.close();
  });

  it("shows the first rows of the query that is in the form, and no others", async () => {
    const form = await open({ before: draft });
    assert.equal(await field(form, "name").count(), 0);
    await form.update({ preview });
    const rows = form.page.getByRole("table", { name: "First rows of the view" });
    await rows.getByText("812").waitFor();
    await field(form, "query").locator("textarea").fill(`${query} WHERE sqft > 700`);
    await rows.waitFor({ state: "detached" });
    await form.close();
  });

  it("shows the beginning of long names of projects, and 500 columns of a preview", async () => {
    const form = await open({ initial: { ...draft, project: "p" } });
    const projects = ["p", "p".repeat(100_000)];
    const columns = Array.from({ length: 2_000 }, (_, at) => ({
      name: `c${at}`,
      isNumeric: false,
    }));
    const rows = { columns, rows: [columns.map(({ name }) => name)], hasMore: false };
    await form.update({ choices: { projects, items: [] }, preview: { of: query, rows } });
    const option = field(form, "project").locator("option").last();
    await eventually(async () => assert.equal((await option.textContent())?.length, 200));
    const table = form.page.getByRole("table", { name: "First rows of the view" });
    assert.equal(await table.locator("th").count(), 501);
    assert.equal(await table.locator("td").count(), 500);
    await form.close();
  });

  for (const theme of themeNames) {
    it(`looks right (${theme}), wide and narrow`, async () => {
      const form = await open({}, { theme });
      const text = "Server message: Table 'homes' not found";
      await form.update({ preview, failure: { field: "query", text } });
      await field(form, "query").getByText(text).waitFor();
      await form.page.getByRole("table").waitFor();
      assert.deepEqual(await axeViolations(form.page.mainFrame()), []);
      await form.page.screenshot({ path: path.join(pictures, `view-form-${theme}.png`) });
      await form.page.setViewportSize({ width: 300, height: 700 });
      assert.deepEqual(await clippedElements(form.page.mainFrame()), []);
      await form.close();
    });
  }
});
