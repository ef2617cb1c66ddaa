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
  let count = 0;

  before("write rows", () => {
    fs.writeFileSync(path.join(journey.workbench.folder, "tiny.jsonl"), toJsonLines(sampleRows(3)));
  });

  async function open(text: string, language = "json"): Promise<Notebook> {
    const name = `problem${++count}.predict.md`;
    const file = path.join(journey.workbench.folder, name);
    fs.writeFileSync(file, `\`\`\`${language} predict\n${text}\n\`\`\`\n`);
    await journey.workbench.openFile(name);
    return Notebook.with(journey.workbench, name);
  }

  /** Waits until so many places are marked in the cell that is shown. */
  async function marked(notebook: Notebook, places: number): Promise<void> {
    await eventually(async () => {
      assert.equal(await notebook.codeCells.locator(".squiggly-error").count(), places);
    });
  }

  /** Opens the quick fixes at a text of the first line, by keyboard, and gives what they say. */
  async function quickFixes(notebook: Notebook, text: string): Promise<string[]> {
    const { page } = journey.workbench;
    const column = (await notebook.cellText()).indexOf(text) + 2;
    await notebook.enterCell();
    await page.keyboard.press("Control+Home");
    for (let at = 0; at < column; at++) await page.keyboard.press("ArrowRight");
    const fixes = page.locator(".action-widget .monaco-list-row.action .title");
    await eventually(async () => {
      await page.keyboard.press("Control+.");
      await fixes.first().waitFor({ timeout: 3_000 });
    });
    return fixes.allInnerTexts();
  }

  it("lets a model be chosen from a list, and a file from a dialog", async () => {
    const { page, quickInput } = bound();
    const notebook = await open('{ "model": "mindsdb.nothing_like_it", "rows": "lost.csv" }');
    await marked(notebook, 2);
    const models = await quickFixes(notebook, '"mindsdb');
    assert.deepEqual(models[0], "Choose Model…");
    await page.keyboard.press("Enter");
    await quickInput.expect("Which model?");
    await quickInput.row("home_rentals_model").click();
    await marked(notebook, 1);
    const files = await quickFixes(notebook, '"lost');
    assert.equal(files[0], "Choose File…", files.join());
    await page.keyboard.press("Enter");
    await quickInput.expect("Rows to Predict");
    await quickInput.row("tiny.jsonl").click();
    await marked(notebook, 0);
    assert.deepEqual(await notebook.recipe(), {
      model: "mindsdb.home_rentals_model",
      rows: "tiny.jsonl",
    });
    await (await notebook.runToEnd()).when(({ count }) => assert.equal(count, "3 rows"));
  });

  it("shows the place of an SQL error below the statement's line, and in the cell", async () => {
    const { workbench } = bound();
    const notebook = await open(
      "SELECT location, count(*)\nFROM files.home_rentals\nGROUP hoods BY",
      "sql",
    );
    const result = await notebook.runToEnd();
    const { message } = await result.shown();
    const [first, ...lines] = message.split("\n").filter((line) => line !== "");
    assert.equal(first, "Syntax error, unknown input:");
    const [marks, line] = [lines.at(-1) ?? "", lines.at(-2) ?? ""];
    assert.match(marks, /^-+\^+$/);
    assert.equal(line.slice(marks.indexOf("^"), marks.length), "hoods");
    await marked(notebook, 1);
    assert.match(await notebook.hover("hoods"), /unexpected hoods/);
    // Each line has its own place on the page, and characters are as wide as each other.
    const block = result.element.locator(".message .lines");
    const look = await block.evaluate((pre) => {
      const { whiteSpace, fontFamily } = getComputedStyle(pre);
      return { whiteSpace, fontFamily };
    });
    assert.equal(look.whiteSpace, "pre");
    assert.match(look.fontFamily, /mono|consolas|menlo|courier/i);
    for (const theme of ["light", "dark", "highContrast"] as const) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`predict-sql-error-${theme}`);
    }
    await notebook.paste("SELECT location FROM files.home_rentals");
    await marked(notebook, 0);
  });

  /** What most tests need of the window. */
  function bound() {
    const { workbench } = journey;
    const screenshot = (name: string) => workbench.screenshot(name);
    return { workbench, page: workbench.page, quickInput: workbench.quickInput, screenshot };
  }
});
