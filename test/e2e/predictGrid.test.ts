// The result of a prediction as its user reads it: by mouse and keyboard, in two editors at once, with hostile contents.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Locator } from "playwright-core";
import { hostileTexts } from "../page/hostile.ts";
import { axeViolations } from "./lib/axe.ts";
import { eventually } from "./lib/eventually.ts";
import { sampleRows, toJsonLines } from "./lib/sampleRows.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";
import { Notebook } from "./lib/notebook.ts";
import type { Result } from "./lib/result.ts";
import { themes } from "./lib/workbench.ts";

const model = "mindsdb.home_rentals_model";
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

  async function open(name: string, recipe: object): Promise<Notebook> {
    write(name, `\`\`\`json predict\n${JSON.stringify(recipe)}\n\`\`\`\n`);
    await journey.workbench.openFile(name);
    return Notebook.with(journey.workbench, name);
  }

  /** Waits until a column begins with these values. */
  async function begins(column: string, values: unknown[], of = result): Promise<void> {
    await eventually(async () => {
      assert.deepEqual((await of.column(column)).slice(0, values.length), values.map(String));
    });
  }

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

  /** The grid draws its cells anew now and then. */
  function widthOf(head: Locator): Promise<number> {
    return eventually(async () => (await head.boundingBox())?.width ?? assert.fail());
  }

  before("predict", async () => {
    write("rows.jsonl", toJsonLines(rows));
    notebook = await open("grid.predict.md", { model, rows: "rows.jsonl" });
    result = await notebook.runToEnd();
  });

  it("shows metrics, and the error of each row", async () => {
    const { metrics, columns, count } = await result.shown();
    assert.equal(count, "1,000 rows");
    assert.deepEqual(columns.slice(0, 6), [
      "rental_price predicted",
      "confidence predicted",
      "interval predicted",
      "rental_price actual",
      "rental_price error",
      "number_of_rooms",
    ]);
    // The grid may be drawing the rows that come after the first ones.
    await eventually(async () => {
      const predicted = (await result.column("rental_price", "predicted")).map(Number);
      const off = (await result.column("rental_price", "error")).map(Number);
      assert.equal(off.length, predicted.length);
      for (const [index, value] of predicted.entries()) {
        assert.ok(Math.abs(value - (1_500 + index) - off[index]!) < 1e-6);
      }
    });
    assert.match(
      metrics,
      /^Compared with actual values \(1,000 rows\): MAE [\d.,]+, RMSE [\d.,]+, r² -?[\d.,]+$/,
    );
  });

  it("sorts by a click on a header: up, down, unsorted", async () => {
    const head = result.head("sqft");
    await head.click();
    await begins("sqft", [400, 401, 402]);
    await head.click();
    await begins("sqft", [1_399, 1_398, 1_397]);
    assert.equal(await head.getAttribute("aria-sort"), "descending");
    await head.click();
    await begins("sqft", [400, 401]);
    assert.equal(await head.getAttribute("aria-sort"), "none");
  });

  it("finds rows, and shows their number and the total", async () => {
    const find = result.element.getByRole("searchbox", { name: "Find in rows" });
    await find.fill("PLACE 99");
    await begins("sqft", [499, 1_390, 1_391]);
    assert.match(await result.element.locator(".tools").innerText(), /11 of 1,000 rows/);
    await find.fill("");
    await begins("sqft", [400, 401]);
  });

  it("resizes a column by mouse and by keyboard", async () => {
    const { page } = journey.workbench;
    const head = result.head("confidence");
    const width = () => widthOf(head);
    const before = await width();
    await head.locator(".resize").hover();
    await page.mouse.down();
    const edge = await eventually(async () => (await head.boundingBox()) ?? assert.fail());
    await page.mouse.move(edge.x + edge.width + 57, edge.y + 10, { steps: 4 });
    await page.mouse.up();
    assert.ok(Math.abs((await width()) - before - 60) <= 4, `${await width()} after ${before}`);
    const wide = await width();
    await (await result.cell(0, "confidence")).click();
    await page.keyboard.press("Alt+ArrowLeft");
    assert.equal(await width(), wide - 16);
  });

  it("copies what is selected as TSV, JSON and Markdown", async () => {
    const { workbench } = journey;
    await (await result.cell(16, "location")).click();
    await (await result.cell(17, "neighborhood")).click({ modifiers: ["Shift"] });
    const copies = async (expected: string) =>
      eventually(async () => {
        assert.equal(await workbench.clipboard(), expected);
      });
    await workbench.page.keyboard.press("Control+C");
    await copies('location\tneighborhood\ngood\tplace 16\npoor\t"tab\there"');
    await result.button("Copy as JSON").click();
    await copies(
      '[\n  {"location": "good", "neighborhood": "place 16"},\n  {"location": "poor", "neighborhood": "tab\\there"}\n]',
    );
    await result.button("Copy as Markdown").click();
    await copies(
      "| location | neighborhood |\n| --- | --- |\n| good | place 16 |\n| poor | tab here |",
    );
    await result.button("Copy as TSV").click();
    await copies('location\tneighborhood\ngood\tplace 16\npoor\t"tab\there"');
  });

  it("keeps its header in sight far below, by wheel and by keyboard", async () => {
    const { page } = journey.workbench;
    await result.toStart();
    await (await result.cell(0, "rental_price")).click();
    const isAtTop = () =>
      eventually(async () => {
        const grid = (await result.grid.boundingBox()) ?? assert.fail();
        const head = (await result.head("sqft").boundingBox()) ?? assert.fail();
        assert.ok(Math.abs(head.y - grid.y) <= 2, `${head.y - grid.y} px from the top`);
      });
    await page.mouse.wheel(0, 40 * 24);
    await isAtTop();
    await page.keyboard.press("Control+ArrowDown");
    await isAtTop();
    await result.head("sqft").click({ trial: true });
  });

  it("is used by keyboard alone", async () => {
    const { page } = journey.workbench;
    await result.toStart();
    await (await result.cell(0, "rental_price")).click();
    const active = () => result.grid.locator(".cell.active").innerText();
    await page.keyboard.press("Control+ArrowDown");
    await page.keyboard.press("End");
    await eventually(async () => {
      assert.equal(await active(), String(999 % 60));
    });
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    assert.equal(
      await result.head("rental_price", "predicted").getAttribute("aria-sort"),
      "ascending",
    );
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Shift+ArrowRight");
    assert.equal(await result.grid.locator(".grid-row .cell.selected").count(), 2);
    // Nothing of it went to the notebook.
    assert.equal(await notebook.codeCells.count(), 1);
    assert.equal(
      JSON.stringify(JSON.parse(await notebook.cellText())),
      JSON.stringify({ model, rows: "rows.jsonl" }),
    );
  });

  it("scrolls by the wheel: the grid first, the notebook where the grid ends", async () => {
    const { page } = journey.workbench;
    const top = () => result.grid.evaluate((grid) => grid.scrollTop);
    const cellTop = async () => (await notebook.codeCells.first().boundingBox())!.y;
    await result.toStart();
    const before = await cellTop();
    await (await result.cell(3, "confidence")).hover();
    await page.mouse.wheel(0, 240);
    await eventually(async () => {
      assert.equal(await top(), 240);
    });
    assert.equal(await cellTop(), before);
    await result.grid.evaluate((grid) => (grid.scrollTop = grid.scrollHeight));
    await page.waitForTimeout(100);
    await page.mouse.wheel(0, 120);
    await eventually(async () => {
      assert.ok((await cellTop()) < before);
    });
    await page.mouse.wheel(0, -10_000);
    await result.toStart();
  });

  for (const kind of ["csv", "json", "jsonl"] as const) {
    it(`exports every row as .${kind}`, async () => {
      const { quickInput, dialogs, folder } = journey.workbench;
      await result.button("Export…").click();
      await quickInput.saveAs("rows-predictions.csv", `all.${kind}`);
      await dialogs.toast(/Exported 1,000 rows to .*all\./);
      await journey.workbench.command("Notifications: Clear All Notifications");
      const text = fs.readFileSync(path.join(folder, `all.${kind}`), "utf8");
      const first = (await result.column("rental_price", "predicted"))[0] ?? "";
      if (kind === "csv") {
        const lines = text.trimEnd().split("\r\n");
        assert.equal(lines.length, 1_001);
        assert.match(lines[0] ?? "", /^rental_price,confidence,.*rental_price \(actual\)/);
        assert.ok(lines[1]?.startsWith(`${first},`));
        return;
      }
      const parsed = (
        kind === "json"
          ? JSON.parse(text)
          : text
              .trimEnd()
              .split("\n")
              .map((line) => JSON.parse(line) as unknown)
      ) as Record<string, unknown>[];
      assert.equal(parsed.length, 1_000);
      assert.equal(parsed[0]?.["rental_price"], Number(first));
      assert.deepEqual(
        parsed.map((row) => row["neighborhood"]),
        rows.map((row) => row.neighborhood),
      );
    });
  }

  it("exports the rows found, in their order, or all", async () => {
    const { quickInput, folder } = journey.workbench;
    const find = result.element.getByRole("searchbox", { name: "Find in rows" });
    await find.fill("PLACE 99");
    await result.head("sqft").click();
    await begins("sqft", [499, 1_390, 1_391]);
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
    await result.head("sqft").click();
    await result.head("sqft").click();
    await find.fill("");
    await begins("sqft", [400, 401]);
    await journey.workbench.command("Notifications: Clear All Notifications");
  });

  it("is read in two editors at once, each in its own order", async () => {
    await journey.workbench.command("View: Split Editor");
    await eventually(async () => {
      assert.equal((await notebook.results()).length, 2);
    });
    const [one, other] = (await notebook.results()) as [Result, Result];
    const price = ["rental_price", "predicted"] as const;
    const before = await one.column(...price);
    await eventually(async () => {
      assert.equal((await other.column(...price))[0], before[0]);
    });
    await other.head(...price).click();
    await eventually(async () => {
      const sorted = (await other.column(...price)).map(Number);
      assert.notEqual(String(sorted[0]), before[0]);
      assert.deepEqual(
        sorted,
        sorted.toSorted((a, b) => a - b),
      );
    });
    assert.deepEqual(await one.column(...price), before);
    await journey.workbench.screenshot("predict-split");
    await journey.workbench.command("View: Close Editor");
    result = await notebook.result();
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
    await journey.workbench.command("View: Close Editor");
  });

  it("shows accuracy and a confusion table for classes", async () => {
    const some = sampleRows(90).map((row) => ({ ...row, rental_price: 1_500 }));
    write("places.jsonl", toJsonLines(some));
    const recipe = { model: "mindsdb.location_model", rows: "places.jsonl" };
    const classes = await (await open("classes.predict.md", recipe)).runToEnd();
    const { metrics } = await classes.shown();
    const accuracy = Number(
      /^Compared with actual values \(90 rows\): accuracy ([\d.]+)$/.exec(metrics)?.[1],
    );
    const predicted = await classes.column("location", "predicted");
    assert.ok(accuracy >= 0 && accuracy <= 1 && predicted.length > 5, metrics);
    await classes.element.locator("summary", { hasText: "Confusion table" }).click();
    const counts = await classes.element.locator(".metrics td:not(:empty)").allInnerTexts();
    const sum = counts.reduce((total, count) => total + Number(count), 0);
    assert.equal(sum, 90);
  });

  describe("in every theme", () => {
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

    for (const theme of Object.keys(themes) as (keyof typeof themes)[]) {
      it(`has no accessibility violation: ${theme}`, async () => {
        const { workbench } = journey;
        await workbench.setTheme(theme);
        assert.deepEqual(await axeViolations(result.frame, { inShadow: true }), []);
        await workbench.screenshot(`predict-${theme}`, { readme: theme === "dark" });
        await workbench.page.setViewportSize({ width: 640, height: 800 });
        await workbench.page.waitForTimeout(500);
        await workbench.screenshot(`predict-narrow-${theme}`);
        await workbench.page.setViewportSize({ width: 1600, height: 900 });
      });
    }
  });

  describe("that means harm", () => {
    let scripts = 0;
    const texts = hostileTexts.filter((text) => text.length < 2_000);
    const hostileRow = Object.fromEntries(texts.map((text) => [text, text]));

    before("count what it does", async () => {
      await journey.workbench.page.exposeFunction("pwned", () => scripts++);
    });

    beforeEach(async () => {
      write("hostile.json", JSON.stringify([hostileRow, hostileRow]));
      // What is known of the model is forgotten.
      await journey.workbench.command("MindsDB: Refresh");
      journey.workbench.watch.clear();
    });

    after(() => server.proxy.set());

    /** Moves over everything and opens what folds, from one end of the grid to the other. */
    async function touch(of: Result): Promise<void> {
      await of.element.evaluate(async (element) => {
        const grid = element.querySelector(".grid")!;
        for (let left = 0; left <= grid.scrollWidth; left += 600) {
          grid.scrollLeft = left;
          await new Promise((resolve) => requestAnimationFrame(resolve));
          for (const one of element.querySelectorAll("*")) {
            for (const type of ["mouseover", "mouseenter", "focus"]) {
              one.dispatchEvent(new MouseEvent(type, { bubbles: true }));
            }
          }
        }
        for (const details of element.querySelectorAll("details")) details.open = true;
      });
      const foreign = ":is(script, iframe, img, svg, math, object, embed, form, link, meta, a)";
      assert.equal(await of.element.locator(foreign).count(), 0);
    }

    function assertHarmless(): void {
      assert.deepEqual(journey.workbench.watch.foreignRequests(), []);
      assert.equal(scripts, 0);
    }

    it("does nothing by its columns, cells and remarks", async () => {
      const recipe = { model, rows: "hostile.json" };
      const features = texts.map((column) => ({ TABLES: ["features"], column, type: "float" }));
      server.proxy.set(
        { on: /describe$/, answer: { status: 200, body: JSON.stringify(features) } },
        { on: /predict$/, answer: { status: 200, body: JSON.stringify([hostileRow, hostileRow]) } },
      );
      const shown = await (await open("hostile.predict.md", recipe)).runToEnd();
      assert.ok((await shown.shown()).notes.length > 20);
      await touch(shown);
      assertHarmless();
    });

    it("does nothing by what it lacks, nor by the reasons of refusals", async () => {
      const [lacking = ""] = texts;
      const features = [{ TABLES: ["features"], column: lacking, type: "float" }];
      server.proxy.set(
        { on: /describe$/, answer: { status: 200, body: JSON.stringify(features) } },
        {
          on: /predict$/,
          answer: {
            status: 500,
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ title: lacking, detail: texts.join(" "), message: lacking }),
          },
        },
      );
      const hostile = await open("refused.predict.md", { model, rows: [{ a: 1 }, { a: 2 }] });
      const blocked = await hostile.runToEnd();
      assert.ok((await blocked.shown()).message.includes(lacking));
      await touch(blocked);
      await blocked.button("Run Anyway").click();
      await eventually(async () => {
        assert.match((await (await hostile.result()).shown()).count, /refused/);
      });
      await touch(await hostile.result());
      assertHarmless();
    });

    it("is plain text where the grid cannot be drawn", async () => {
      server.proxy.set({
        on: /predict$/,
        answer: { status: 200, body: JSON.stringify([hostileRow, hostileRow]) },
      });
      const hostile = await open("plain.predict.md", { model, rows: "hostile.json" });
      await (await hostile.runToEnd()).button("Run Anyway").click();
      await (await hostile.result()).when(({ count }) => assert.equal(count, "2 rows"));
      const text = await hostile.asPlainText();
      assert.ok(text.includes(texts[0] ?? "-"), text);
      assertHarmless();
    });

    it("would have been noticed", async () => {
      const remote = "https://hostile.invalid/control.png";
      await result.frame.evaluate((address) => {
        const image = document.createElement("img");
        image.setAttribute("onerror", "pwned()");
        image.src = address;
        document.body.append(image);
      }, remote);
      await eventually(() => {
        assert.equal(scripts, 1);
        assert.ok(journey.workbench.watch.foreignRequests().some(({ url }) => url === remote));
      });
    });
  });
});
