// The form and the page of a trigger in a browser: what they post to the host, and how they look.
import assert from "node:assert/strict";
import type { ItemState } from "../../src/shared/itemPage.ts";
import { emptyTriggerDraft, type TriggerDraft } from "../../src/triggers/triggerDraft.ts";
import { triggerFormCalls, type TriggerFormState } from "../../src/triggers/triggerForm.ts";
import { triggerCalls, type TriggerContent } from "../../src/triggers/triggerPage.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import {
  itemState,
  looksRight,
  themeNames,
  usePanelPages,
  type PageOptions,
  type StatePage,
} from "./panelPages.ts";

const query = "INSERT INTO files.log (SELECT * FROM TABLE_DELTA)";
const draft: TriggerDraft = {
  ...emptyTriggerDraft("mindsdb", "shop.orders"),
  name: "on_orders",
  query,
};

describe("The form of a trigger", () => {
  type FormPage = StatePage<TriggerFormState, typeof triggerFormCalls>;
  const pages = usePanelPages("src/triggers/page/triggerForm.tsx");

  const open = (initial: TriggerDraft, options?: PageOptions): Promise<FormPage> => {
    const form = { id: "one", connectionId: "local", initial, draft: initial };
    const choices = {
      projects: ["mindsdb"],
      triggers: [{ project: "mindsdb", name: "first", table: "shop.orders" }],
      sources: [{ name: "shop", engine: "postgres" }],
    };
    const state: TriggerFormState = { form, connection: "127.0.0.1:47334", choices };
    return pages.show(triggerFormCalls, state, options);
  };

  it("asks for a table, and sends a complete draft with a plain name and the statement as typed", async () => {
    const form = await open(emptyTriggerDraft("mindsdb"));
    await form.press("Create Trigger");
    await form.page.getByText("3 fields need attention.").waitFor();
    await form.press("Select Table…");
    await eventually(() => assert.ok(form.calls.some(([call]) => call === "pickTable")));
    await form.close();
    const picked = await open({ ...draft, name: "", query: "" });
    await picked
      .field("table")
      .getByText(/Another trigger may watch this table/)
      .waitFor();
    await picked.field("name").locator("input").fill("On Orders");
    await picked.field("columns").locator("input").fill("total");
    await picked.field("query").locator("textarea").fill(`-- why\n${query}`);
    await picked.press("Create Trigger");
    const sent: TriggerDraft = { ...draft, columns: "total", query: `-- why\n${query}` };
    await eventually(() => assert.deepEqual(picked.made("send"), [["send", sent, {}]]));
  });

  looksRight("trigger-form", async (theme) => {
    const form = await open(draft, { theme });
    const text = "MindsDB can't watch tables of shop: its engine does not report changes.";
    await form.update({ failure: { field: "query", text } });
    await form.field("query").getByText(text).waitFor();
    return form;
  });
});

describe("The page of a trigger", () => {
  type State = ItemState & TriggerContent;
  type TriggerPage = StatePage<State, typeof triggerCalls>;
  const pages = usePanelPages("src/triggers/page/triggerPage.tsx");

  const lastError = "Table 'log' not found in database: files";
  const start: State = {
    ...itemState("mindsdb", "on_orders"),
    trigger: { name: "on_orders", source: "shop", table: "orders", query, lastError },
  };
  const open = (options?: PageOptions): Promise<TriggerPage> =>
    pages.show(triggerCalls, start, options);

  it("calls the host for each button; of a trigger that is gone the statement stays", async () => {
    const trigger = await open();
    const button = (name: string) => trigger.page.getByRole("button", { name });
    for (const name of ["Delete…", "Copy CREATE Statement", "Refresh"]) await button(name).click();
    await eventually(() =>
      assert.deepEqual(trigger.calls, [["remove"], ["copyStatement"], ["refresh"]]),
    );
    const notice = { text: "on_orders is no longer in mindsdb." };
    await trigger.update({ isGone: true, notice });
    await trigger.page.getByText(notice.text).waitFor();
    await eventually(async () => assert.equal(await button("Delete…").count(), 0));
    await trigger.page
      .getByRole("region", { name: "Statement" })
      .getByText(query)
      .first()
      .waitFor();
  });

  for (const theme of themeNames) {
    it(`looks right (${theme}), wide and narrow`, async () => {
      const trigger = await open({ theme });
      await trigger.page.getByText(lastError).first().waitFor();
      await trigger.checkLook(`trigger-page-${theme}`);
      await trigger.checkNarrow(`trigger-page-${theme}`);
      const [code, hint] = await Promise.all(
        [".section .code", ".section > .hint"].map((part) =>
          trigger.page.locator(part).first().boundingBox(),
        ),
      );
      assert.ok(hint!.y - code!.y - code!.height >= 4, "the hint touches the error");
    });
  }
});
