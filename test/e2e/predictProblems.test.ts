// A user who writes something wrong into a cell: it is marked while they write, repaired by keyboard, and said by a run.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { eventually } from "./lib/eventually.ts";
import { sampleRows, toJsonLines } from "./lib/sampleRows.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";
import { Notebook } from "./lib/notebook.ts";

describe("Problems while writing a cell", () => {
  const server = useServer();
  const journey = useWorkbench(() => connectedTo({ Rentals: server }));

  before("write rows", () => {
    fs.writeFileSync(path.join(journey.workbench.folder, "tiny.jsonl"), toJsonLines(sampleRows(3)));
  });

  /** Waits until so many places are marked in the cell that is shown. */
  async function marked(notebook: Notebook, places: number): Promise<void> {
    await eventually(async () => {
      assert.equal(await notebook.codeCells.locator(".squiggly-error").count(), places);
    });
  }

  it("lets a model be chosen from a list, and a file from a dialog", async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    const isAsked = () => quickInput.widget.isVisible();
    const notebook = await Notebook.of(workbench, "problem.predict.md", {
      model: "mindsdb.nothing_like_it",
      rows: "lost.csv",
    });
    await marked(notebook, 2);
    await notebook.applyFix('"mindsdb', ["Select Model…"], isAsked);
    await quickInput.expect("Which model?");
    await quickInput.choose("home_rentals_model");
    await marked(notebook, 1);
    await notebook.applyFix('"lost', ["Select File…"], isAsked);
    await quickInput.expect("Rows to Predict");
    await quickInput.choose("tiny.jsonl");
    await marked(notebook, 0);
    await notebook.expectRecipe({ model: "mindsdb.home_rentals_model", rows: "tiny.jsonl" });
    await (await notebook.runToEnd()).when(({ count }) => assert.equal(count, "3 rows"));
  });
});
