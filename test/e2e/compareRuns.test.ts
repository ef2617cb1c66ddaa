// The last runs of a cell: kept over an edit and a reload, and compared in the diff editor.
import assert from "node:assert/strict";
import { eventually } from "./lib/eventually.ts";
import { expectCount, expectText } from "./lib/expect.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";
import { Notebook } from "./lib/notebook.ts";

const name = "runs.predict.md";
const recipe = (version: number) => ({
  model: `mindsdb.home_rentals_model.${String(version)}`,
  rows: { table: "files.home_rentals" },
});

describe("Comparing the runs of a cell", () => {
  const server = useServer();
  const journey = useWorkbench(() => ({
    ...connectedTo({ Rentals: server }),
    viewport: { width: 1600, height: 900 },
  }));

  it("shows how metrics and predictions have changed since an earlier run", async () => {
    const { workbench } = journey;
    const notebook = await Notebook.of(workbench, name, recipe(1));
    const first = await notebook.runToEnd();
    await expectCount(first.button("Compare Runs…"), 0);
    await notebook.paste(JSON.stringify(recipe(2)));
    await (await notebook.runToEnd()).button("Compare Runs…").waitFor();
    // A run without rows is no part of the history, and does not end it.
    await notebook.paste(JSON.stringify(recipe(99)));
    await (await notebook.runToEnd()).button("Compare Runs…").waitFor();
    await workbench.save();
    await workbench.editors.close();
    await workbench.openFile(name);
    const again = await Notebook.with(workbench, name);
    await (await again.result()).button("Compare Runs…").waitFor();
    await again.paste(JSON.stringify(recipe(1)));
    await (await again.runToEnd()).button("Compare Runs…").click();
    const { page, quickInput } = workbench;
    await quickInput.expect("Compare Runs");
    const runs = quickInput.widget.locator(".monaco-list-row");
    await expectText(runs.first(), /home_rentals_model version 2[^]*500 rows · MAE 104/);
    await expectText(runs.nth(1), /home_rentals_model version 1[^]*500 rows · MAE 201/);
    await runs.first().click();
    const sides = page.locator(".monaco-diff-editor .view-lines");
    const expectBoth = () =>
      eventually(async () => {
        const texts = await sides.allInnerTexts();
        const [before, after] = texts.map((text) => text.replaceAll("\u00a0", " "));
        assert.match(before ?? "", /home_rentals_model version 2[^]*500 rows[^]*MAE 104/);
        assert.match(after ?? "", /home_rentals_model version 1[^]*500 rows[^]*MAE 201/);
        assert.match(after ?? "", /of the first 500\s+The 100 largest changes:\s+Row \d+\s+\d/);
      });
    await expectBoth();
    await workbench.screenshot("compare-runs");
    await workbench.reload();
    await expectBoth();
  });
});
