// Results of a notebook that is saved, closed and opened again, also in a VS Code that is restarted.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { eventually } from "./lib/eventually.ts";
import { expectCount } from "./lib/expect.ts";
import { sampleRows, toJsonLines } from "./lib/sampleRows.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";
import { Notebook } from "./lib/notebook.ts";
import type { Result } from "./lib/result.ts";

const model = "mindsdb.home_rentals_model";
const predicted = /POST .*\/predict$/;

describe("A stored prediction", () => {
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

  before("write rows and a notebook", () => {
    write("rows.jsonl", toJsonLines(rows));
    const recipe = JSON.stringify({ model, rows: "rows.jsonl" });
    write("flats.predict.md", `# Flats\n\n\`\`\`json predict\n${recipe}\n\`\`\`\n`);
  });

  /** Also the last row is there, which comes from the host. */
  async function hasAllRows(result: Result): Promise<void> {
    await result.expectLast("sqft", rows.at(-1)!.sqft);
  }

  /** All rows are there again without a request, and it is said when they were made. */
  async function isBack(notebook: Notebook, changes = ""): Promise<Result> {
    const result = await notebook.result();
    await result.when(({ count, message, origin, buttons }) => {
      assert.deepEqual([count, message], ["1,000 rows", ""]);
      const [, since] = /^From \d+:\d+ [AP]M, model version 2(?:\. (.*))?$/.exec(origin) ?? [];
      assert.equal(since ?? "", changes, origin);
      assert.deepEqual(buttons, ["Run Again"]);
    });
    await hasAllRows(result);
    assert.deepEqual(server.logged(predicted), []);
    return result;
  }

  const close = () => journey.workbench.editors.close();

  it("is shown again when its notebook is closed and reopened", async () => {
    const { workbench } = journey;
    await (await open("flats.predict.md")).runToEnd();
    server.forget();
    await close();
    await isBack(await open("flats.predict.md"));
    await workbench.screenshot("predict-kept");
    await expectCount(workbench.page.locator(".tab.dirty"), 0);
  });

  it("is shown again when VS Code is restarted", async () => {
    await journey.workbench.restart();
    await isBack(await open("flats.predict.md"));
  });

  it("is marked while its cell has another text, also after saving", async () => {
    const notebook = await open("flats.predict.md");
    const before = await notebook.cellText();
    const other = JSON.stringify({ model, rows: "rows.jsonl", limit: 10 });
    await notebook.paste(other);
    await isBack(notebook, "The cell has changed since this run.");
    await journey.workbench.screenshot("predict-kept-stale");
    await journey.workbench.save();
    await close();
    const again = await open("flats.predict.md");
    await isBack(again, "The cell has changed since this run.");
    await again.paste(before);
    await isBack(again);
    await journey.workbench.save();
    await close();
    await isBack(await open("flats.predict.md"));
  });

  it("is marked when the rows file has changed", async () => {
    await close();
    write("rows.jsonl", toJsonLines(rows.slice(1)));
    await isBack(await open("flats.predict.md"), "rows.jsonl has changed since this run.");
    // While it is looked at, too.
    fs.rmSync(path.join(journey.workbench.folder, "rows.jsonl"));
    await isBack(await open("flats.predict.md"), "rows.jsonl no longer exists.");
    write("rows.jsonl", toJsonLines(rows));
  });

  it("is marked when the model has another version, until it runs again", async () => {
    await close();
    const row = { name: "home_rentals_model", version: 3, status: "complete", active: true };
    const answer = { status: 200, body: JSON.stringify(row) };
    server.proxy.set({ on: /GET .*\/models\/home_rentals_model$/, answer });
    const marked = "rows.jsonl has changed since this run. The model's version is now 3.";
    const result = await isBack(await open("flats.predict.md"), marked);
    server.proxy.set();
    await result.button("Run Again").click();
    const notebook = await Notebook.with(journey.workbench, "flats.predict.md");
    await eventually(async () => {
      const { count, origin, buttons } = await (await notebook.result()).shown();
      assert.deepEqual([count, origin, buttons], ["1,000 rows", "", []]);
    });
    await eventually(() => assert.equal(server.logged(predicted).length, 1));
    server.forget();
  });

  it("is kept when its notebook is renamed", async () => {
    const { workbench } = journey;
    const { page } = workbench;
    await close();
    await workbench.reload();
    await isBack(await open("flats.predict.md"));
    const explorer = await workbench.openView("Explorer");
    // The box closes when something else takes the focus.
    await eventually(async () => {
      if (fs.existsSync(path.join(workbench.folder, "homes.predict.md"))) return;
      await explorer.contextMenu(["flats.predict.md"], "Rename...");
      const box = page.locator(".explorer-folders-view input");
      await box.fill("homes.predict.md", { timeout: 3_000 });
      await box.press("Enter", { timeout: 3_000 });
      await box.waitFor({ state: "hidden", timeout: 3_000 });
    });
    await isBack(await Notebook.with(workbench, "homes.predict.md"));
    await close();
    await isBack(await open("homes.predict.md"));
    await close();
  });

  it("stays when a new notebook is saved for the first time", async () => {
    const { workbench } = journey;
    const { quickInput, folder } = workbench;
    write("first.jsonl", toJsonLines(rows));
    await workbench.openFile("first.jsonl");
    await workbench.command("MindsDB: Predict Rows…");
    await quickInput.expect("Which model?");
    await quickInput.clickRow(
      quickInput.widget.locator(".monaco-list-row", { hasText: "home_rentals_model" }),
    );
    const untitled = await Notebook.with(workbench, "first.predict.md");
    const before = await untitled.runToEnd();
    server.forget();
    await workbench.editors.saveAs("first.predict.md", "first.predict.md");
    await eventually(() => {
      assert.ok(fs.existsSync(path.join(folder, "first.predict.md")));
      // The page of the untitled notebook goes a moment later.
      assert.ok(before.frame.isDetached());
    });
    const saved = await Notebook.with(workbench, "first.predict.md");
    const result = await saved.result();
    await result.when(({ count, message }) =>
      assert.deepEqual([count, message], ["1,000 rows", ""]),
    );
    await hasAllRows(result);
    await workbench.screenshot("predict-kept-saved");
    assert.deepEqual(server.logged(predicted), []);
    await close();
    await isBack(await open("first.predict.md"));
    await close();
  });

  it("is the table of a statement, too", async () => {
    write("sql.predict.md", "```sql predict\nSELECT 1 AS one, 'é' AS text\n```\n");
    const result = await (await open("sql.predict.md")).runToEnd();
    const table = ["1 row", ["one", "text"]];
    await result.when(({ count, columns }) => assert.deepEqual([count, columns], table));
    await close();
    const again = await (await open("sql.predict.md")).result();
    await again.when(({ origin, count, columns }) => {
      assert.match(origin, /^From \d/);
      assert.deepEqual([count, columns], table);
    });
    await eventually(async () => assert.deepEqual(await again.column("text"), ["é"]));
  });
});
