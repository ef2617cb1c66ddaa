// The form of a view in a browser: what it posts to the host, where it shows problems, and how it looks.
import assert from "node:assert/strict";
import type { ViewDraft } from "../../src/views/viewDraft.ts";
import { viewFormCalls, type ViewFormState } from "../../src/views/viewForm.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { looksRight, usePanelPages, type PageOptions, type StatePage } from "./panelPages.ts";

type FormPage = StatePage<ViewFormState, typeof viewFormCalls>;

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

describe("The form of a view", () => {
  const pages = usePanelPages("src/views/page/viewForm.tsx");

  const open = (
    { before, initial = draft }: { before?: ViewDraft; initial?: ViewDraft } = {},
    options?: PageOptions,
  ): Promise<FormPage> => {
    const form = { id: "one", connectionId: "local", initial, draft: initial, before };
    const choices = { projects: ["mindsdb"], items: [] };
    const state: ViewFormState = { form, connection: "127.0.0.1:47334", choices };
    return pages.show(viewFormCalls, state, options);
  };

  it("sends a complete draft with a plain name and the query as typed, and previews it", async () => {
    const form = await open({ initial: { project: "mindsdb", name: "", query: "" } });
    await form.press("Preview");
    await form.page.getByText("2 fields need attention.").waitFor();
    const typed = `-- why\n${query}\n`;
    await form.field("name").locator("input").fill("Homes");
    await form.field("query").locator("textarea").fill(typed);
    await form.press("Preview");
    const sent = { ...draft, query: typed };
    await eventually(() => assert.deepEqual(form.made("preview"), [["preview", sent]]));
    await form.press("Create View");
    await eventually(() => assert.deepEqual(form.made("send"), [["send", sent, {}]]));
  });

  it("shows the first rows of the query that is in the form, and no others", async () => {
    const form = await open({ before: draft });
    assert.equal(await form.field("name").count(), 0);
    await form.update({ preview });
    const rows = form.page.getByRole("table", { name: "First rows of the view" });
    await rows.getByText("812").waitFor();
    await form.field("query").locator("textarea").fill(`${query} WHERE sqft > 700`);
    await rows.waitFor({ state: "detached" });
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
    const option = form.field("project").locator("option").last();
    await eventually(async () => assert.equal((await option.textContent())?.length, 200));
    const table = form.page.getByRole("table", { name: "First rows of the view" });
    assert.equal(await table.locator("th").count(), 501);
    assert.equal(await table.locator("td").count(), 500);
  });

  looksRight("view-form", async (theme) => {
    const form = await open({}, { theme });
    const text = "Server message: Table 'homes' not found";
    await form.update({ preview, failure: { field: "query", text } });
    await form.field("query").getByText(text).waitFor();
    await form.page.getByRole("table").waitFor();
    return form;
  });
});
