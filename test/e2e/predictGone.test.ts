// A result without a live run: what stands in the output says so and offers to run again.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { eventually } from "./lib/eventually.ts";
import { sampleRows, toJsonLines } from "./lib/sampleRows.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";
import { Notebook } from "./lib/notebook.ts";
import type { Result } from "./lib/result.ts";

const model = "mindsdb.home_rentals_model";

describe("A prediction whose run was deleted", () => {
  const server = useServer();
  const journey = useWorkbench(() => ({
    ...connectedTo({ Rentals: server }),
    // All columns can be seen.
    viewport: { width: 1600, height: 900 },
  }));
  const rows = sampleRows(1_000);

  function write(name: string, text: string): void {
    fs.writeFileSync(path.join(journey.workbench.folder, name), text);
  }

  async function open(name: string): Promise<Notebook> {
    await journey.workbench.openFile(name);
    return Notebook.with(journey.workbench, name);
  }

  function runsOnDisk(): string[] {
    return fs.globSync("**/results/*/result.json", { cwd: journey.workbench.vscode.dataFolder });
  }

  before("write rows and notebooks", () => {
    write("rows.jsonl", toJsonLines(rows));
    const recipe = JSON.stringify({ model, rows: "rows.jsonl" });
    for (const name of ["twice.predict.md", "kept.predict.md"]) {
      write(name, `\`\`\`json predict\n${recipe}\n\`\`\`\n`);
    }
    const inBatches = JSON.stringify({ model, rows: "rows.jsonl", batchRows: 100 });
    write("closed.predict.md", `\`\`\`json predict\n${inBatches}\n\`\`\`\n`);
    write("copy.predict.md", "```sql predict\nSELECT 1\n```\n");
  });

  /** All rows are there, and nothing is to be said of them. */
  function isWhole(result: Result): Promise<unknown> {
    return result.when(({ count, message }) =>
      assert.deepEqual([count, message], ["1,000 rows", ""]),
    );
  }

  /** The beginning of the result is still there, with the sentence and one button. */
  async function saysSo(result: Result): Promise<void> {
    await result.when(({ message, buttons }) => {
      assert.match(message, /no longer stored/);
      assert.deepEqual(buttons, ["Run Again"]);
    }, 60_000);
    await result.expectFirst(
      "sqft",
      rows.slice(0, 5).map(({ sqft }) => sqft),
    );
  }

  /** All rows are there again: also those that are not in the output itself. */
  async function runsAgain(notebook: Notebook, result: Result): Promise<void> {
    server.forget();
    const { length } = await notebook.results();
    await result.button("Run Again").click();
    const again = await eventually(async () => {
      assert.equal(server.logged(/POST .*\/predict$/).length, 1);
      const results = await notebook.results();
      // For a moment the cell has no result at all.
      assert.equal(results.length, length);
      const last = results.at(-1)!;
      const { count, message, buttons } = await last.shown();
      assert.deepEqual([count, message, buttons], ["1,000 rows", "", []]);
      return last;
    }, 60_000);
    await again.expectLast("sqft", rows.at(-1)!.sqft);
  }

  it("says so in a copy whose original runs again, and runs by itself", async () => {
    const { workbench } = journey;
    const notebook = await open("twice.predict.md");
    await notebook.runToEnd();
    await notebook.copyCell();
    await notebook.pasteCell();
    const copy = await eventually(async () => {
      const [, second] = await notebook.results();
      return second ?? assert.fail("Nothing is pasted");
    });
    // It shows the run that both have, as long as there is one.
    await isWhole(copy);
    await notebook.codeCells.first().locator(".run-button-container .action-label").first().click();
    await saysSo(copy);
    await eventually(async () => {
      const [again] = await notebook.results();
      const { count, buttons } = (await again?.shown()) ?? assert.fail();
      assert.deepEqual([count, buttons], ["1,000 rows", []]);
    });
    await workbench.screenshot("predict-gone");
    await runsAgain(notebook, copy);
    await eventually(() => assert.equal(runsOnDisk().length, 2));
    await workbench.editors.close("View: Revert and Close Editor");
  });

  it("stays complete in a copy whose original was closed", async () => {
    const { workbench } = journey;
    const kept = await open("kept.predict.md");
    await kept.runToEnd();
    await kept.copyCell();
    const copy = await open("copy.predict.md");
    await copy.pasteCell();
    const result = await copy.result();
    await isWhole(result);
    await open("kept.predict.md");
    await workbench.editors.close();
    const shown = await copy.result();
    await shown.expectLast("sqft", rows.at(-1)!.sqft);
    await isWhole(shown);
    // The notebook that it was made in has it, too.
    await isWhole(await (await open("kept.predict.md")).result());
  });

  it("since its notebook was closed before its end leaves cells that run", async () => {
    const { workbench } = journey;
    const isPrediction = ({ path: asked }: { path: string }) => asked.endsWith("/predict");
    server.forget();
    const answered = { on: /predict$/, times: 1, delay: 0 };
    server.proxy.set(answered, { on: /predict$/, silent: true });
    const begun = await (await open("closed.predict.md")).begin();
    await begun.when(({ count }) => assert.match(count, /^100 of /));
    await server.proxy.waitFor((request) => isPrediction(request) && request.state === "open");
    await workbench.editors.close();
    await server.proxy.waitFor((request) => isPrediction(request) && request.state === "aborted");
    server.proxy.set();
    const result = await (await open("closed.predict.md")).runToEnd();
    await result.when(({ count }) => assert.equal(count, "1,000 rows"));
  });
});
