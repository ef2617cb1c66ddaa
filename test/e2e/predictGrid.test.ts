// The result of a prediction as its user reads it: by mouse and keyboard, in two editors at once.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { axeViolations } from "./lib/axe.ts";
import { eventually } from "./lib/eventually.ts";
import { expectCount } from "./lib/expect.ts";
import { sampleRows, toJsonLines } from "./lib/sampleRows.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";
import { Notebook } from "./lib/notebook.ts";
import type { Result } from "./lib/result.ts";
import { patiently, quickly } from "./lib/once.ts";

const model = "mindsdb.home_rentals_model";
/** An attempt that takes longer is made again. */
const place = (index: number) => (index === 17 ? "tab\there" : `place ${index}`);

describe("Reading a prediction", () => {
  const server = useServer();
  const journey = useWorkbench(() => ({
    ...connectedTo({ Rentals: server }),
    // All columns can be seen.
    viewport: { width: 1600, height: 900 },
  }));
  /** With the target, so that the result says how far off the model is. */
  const rows = sampleRows(1_000).map((row, index) => ({
    ...row,
    neighborhood: place(index),
    rental_price: 1_500 + index,
  }));
  let notebook: Notebook;
  let result: Result;

  function write(name: string, text: string): void {
    fs.writeFileSync(path.join(journey.workbench.folder, name), text);
  }

  const open = (name: string, recipe: object) => Notebook.of(journey.workbench, name, recipe);

  /** What the model says to plain HTTP. */
  async function plainPrices(data: object[]): Promise<number[]> {
    const path = "/api/projects/mindsdb/models/home_rentals_model/predict";
    const response = await fetch(server.behind + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ data }),
    });
    const answers = (await response.json()) as { rental_price: number }[];
    return answers.map(({ rental_price }) => rental_price);
  }

  before("predict", async () => {
    write("rows.jsonl", toJsonLines(rows));
    notebook = await open("grid.predict.md", { model, rows: "rows.jsonl" });
    result = await notebook.runToEnd();
  });

  it("copies what is selected", async () => {
    const { workbench } = journey;
    const copies = (copy: () => Promise<void>, expected: string) =>
      eventually(async () => {
        await (await result.cell(16, "location")).click(patiently);
        await (await result.cell(17, "neighborhood")).click({ ...patiently, modifiers: ["Shift"] });
        await copy();
        await eventually(async () => assert.equal(await workbench.clipboard(), expected), 3_000);
      });
    await copies(
      () => workbench.page.keyboard.press("Control+C"),
      'location\tneighborhood\ngood\tplace 16\npoor\t"tab\there"',
    );
    await copies(
      () => result.button("Copy as Markdown").click(patiently),
      "| location | neighborhood |\n| --- | --- |\n| good | place 16 |\n| poor | tab here |",
    );
  });

  it("is used by keyboard alone", async () => {
    const { page } = journey.workbench;
    const active = () => result.grid.locator(".cell.active").innerText(quickly);
    /** From the first cell: keys that come after something else has taken the focus are lost. */
    const pressed = (keys: string[], holds: () => Promise<void>) =>
      eventually(async () => {
        await result.toStart();
        await (await result.cell(0, "rental_price")).click(patiently);
        for (const key of keys) await page.keyboard.press(key);
        await holds();
      });
    await pressed(["Control+ArrowDown", "End"], () =>
      eventually(async () => assert.equal(await active(), String(999 % 60)), 3_000),
    );
    const head = result.head("rental_price", "predicted");
    for (const order of ["ascending", "descending", "none"]) {
      await pressed(["Control+Home", "ArrowUp"], async () => {
        await result.grid.locator(".grid-header .cell.active").waitFor(quickly);
      });
      await eventually(async () => {
        if ((await head.getAttribute("aria-sort", quickly)) === order) return;
        await page.keyboard.press("Enter");
        await eventually(
          async () => assert.equal(await head.getAttribute("aria-sort", quickly), order),
          3_000,
        );
      });
    }
    const selected = result.grid.locator(".grid-row .cell.selected");
    await pressed(["Control+Home", "ArrowUp", "ArrowDown", "Shift+ArrowRight"], () =>
      eventually(async () => assert.equal(await selected.count(), 2), 3_000),
    );
    // Nothing of it went to the notebook.
    await expectCount(notebook.codeCells, 1);
    await eventually(async () => {
      assert.equal(
        JSON.stringify(JSON.parse(await notebook.cellText())),
        JSON.stringify({ model, rows: "rows.jsonl" }),
      );
    });
  });

  it("scrolls by the wheel: the grid first, the notebook where the grid ends", async () => {
    const { page } = journey.workbench;
    const top = () => result.grid.evaluate((grid) => grid.scrollTop);
    const cellTop = async () => (await notebook.codeCells.first().boundingBox())!.y;
    await result.toStart();
    const before = await cellTop();
    await eventually(async () => {
      await result.toStart();
      await (await result.cell(3, "confidence")).hover(patiently);
      await page.mouse.wheel(0, 240);
      await eventually(async () => assert.equal(await top(), 240), 3_000);
    });
    await eventually(async () => {
      assert.equal(await cellTop(), before);
    });
    await eventually(async () => {
      await result.grid.evaluate((grid) => (grid.scrollTop = grid.scrollHeight));
      await page.waitForTimeout(100);
      await page.mouse.wheel(0, 120);
      await eventually(async () => assert.ok((await cellTop()) < before), 3_000);
    });
    await eventually(async () => {
      await page.mouse.wheel(0, -10_000);
      await eventually(async () => assert.equal(await cellTop(), before), 1_000);
    });
  });

  it("exports the rows found, in their order, or all", async () => {
    const { quickInput, folder } = journey.workbench;
    const find = result.element.getByRole("searchbox", { name: "Find in rows" });
    await find.fill("PLACE 99");
    await result.sort("ascending", "sqft");
    await result.expectFirst("sqft", [499, 1_390, 1_391]);
    // The file itself, because VS Code shows no toast for each of many notifications.
    const exported = async (rows: string, name: string) => {
      await result.button("Export…").click();
      await quickInput.pick("The rows to export", rows);
      await quickInput.saveAs("rows-predictions.csv", name);
      return eventually(() => {
        const text = fs.readFileSync(path.join(folder, name), "utf8");
        return (JSON.parse(text) as { sqft: number }[]).map(({ sqft }) => sqft);
      });
    };
    const shown = await exported("Shown Rows", "found.json");
    assert.deepEqual([shown.length, ...shown.slice(0, 3)], [11, 499, 1_390, 1_391]);
    const all = await exported("All Rows", "everything.json");
    assert.deepEqual([all.length, ...all.slice(0, 3)], [1_000, 400, 401, 402]);
    await result.sort("none", "sqft");
    await find.fill("");
    await result.expectFirst("sqft", [400, 401]);
    await journey.workbench.clearNotifications();
  });

  it("is read in two editors at once, each in its own order", async () => {
    await journey.workbench.command("View: Split Editor");
    await eventually(async () => {
      assert.equal((await notebook.results()).length, 2);
    });
    const [one, other] = (await notebook.results()) as [Result, Result];
    const price = ["rental_price", "predicted"] as const;
    const before = await eventually(async () => {
      const [shown = "", ...rest] = await one.column(...price);
      assert.match(shown, /\d/);
      assert.equal((await other.column(...price))[0], shown);
      return [shown, ...rest];
    });
    await other.sort("ascending", ...price);
    await eventually(async () => {
      const sorted = (await other.column(...price)).map(Number);
      assert.notEqual(String(sorted[0]), before[0]);
      assert.deepEqual(
        sorted,
        sorted.toSorted((a, b) => a - b),
      );
    });
    await eventually(async () => assert.deepEqual(await one.column(...price), before));
    await journey.workbench.screenshot("predict-split");
    await journey.workbench.editors.close();
    result = await eventually(async () => {
      const [only, ...more] = await notebook.results();
      assert.equal(more.length, 0);
      return only ?? assert.fail();
    });
  });

  it("stays on disk until its output is cleared", async () => {
    const runs = () =>
      fs.globSync("**/results/*/result.json", { cwd: journey.workbench.vscode.dataFolder });
    const before = runs().length;
    write("few.jsonl", toJsonLines(sampleRows(3)));
    const other = await open("closed.predict.md", { model, rows: "few.jsonl" });
    await other.runToEnd();
    await eventually(() => {
      assert.equal(runs().length, before + 1);
    });
    await journey.workbench.command("Notebook: Clear All Outputs");
    await eventually(() => {
      assert.equal(runs().length, before);
    });
    await journey.workbench.editors.close();
  });

  describe("with refused rows", () => {
    before("refuse some rows", async () => {
      const given = sampleRows(60);
      const prices = await plainPrices(given);
      const some = given.map((row, index) => ({
        ...row,
        rental_price: Math.round(prices[index]! + ((index * 37) % 200) - 100),
        colour: "red",
        sqft: index % 9 === 4 ? "many" : row.sqft,
      }));
      write("some.jsonl", toJsonLines(some));
      const recipe = { model, rows: "some.jsonl", batchRows: 30 };
      result = await (await open("themes.predict.md", recipe)).runToEnd();
    });

    it("has no accessibility violation", async () => {
      await journey.workbench.setTheme("dark");
      await eventually(async () =>
        assert.deepEqual(await axeViolations(result.frame, { inShadow: true }), []),
      );
      await journey.workbench.screenshot("predict-dark", { readme: true });
    });
  });
});
