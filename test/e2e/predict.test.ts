// A user with rows or a model: from either to a predict notebook, and what helps while its cell is written.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { eventually } from "./lib/eventually.ts";
import { expectCount } from "./lib/expect.ts";
import { answerOf } from "./lib/frames.ts";
import { sampleRows, toCsv, toJsonLines } from "./lib/sampleRows.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";
import { Notebook } from "./lib/notebook.ts";
import { patiently } from "./lib/once.ts";

const predicted = /POST .*\/predict$/;
const fromFile = "Predict Rows…";

describe("Starting to predict", () => {
  const rentals = useServer();
  const other = useServer({ dialect: "25" });
  const journey = useWorkbench(() => connectedTo({ Rentals: rentals, Other: other }));
  const rows = sampleRows(300);

  /** The rows that went to the server since it was last forgotten, in the order of their requests. */
  function sentRows(server = rentals): unknown[] {
    return server
      .logged(predicted)
      .flatMap(({ body }) => (JSON.parse(body.toString()) as { data: unknown[] }).data);
  }

  async function pickModel(name: string, connection: string): Promise<void> {
    const { quickInput } = journey.workbench;
    await quickInput.expect("Which model?");
    await quickInput.clickRow(quickInput.row(name, new RegExp(`· ${connection}$`)));
  }

  function write(name: string, text: string): void {
    fs.writeFileSync(path.join(journey.workbench.folder, name), text);
  }

  before("write files of rows", () => {
    write("from_json.json", JSON.stringify(rows, null, 2));
    write("from_lines.jsonl", toJsonLines(rows));
    write("from_table.csv", toCsv(rows));
  });

  beforeEach(() => {
    rentals.forget();
    other.forget();
  });

  describe("with a file", () => {
    async function predicts(file: string, expected: unknown[]): Promise<void> {
      const notebook = await Notebook.with(
        journey.workbench,
        file.replace(/\.\w+$/, ".predict.md"),
      );
      await notebook.expectRecipe({ model: "mindsdb.home_rentals_model", rows: file });
      await notebook.expectKernel("Rentals");
      const result = await notebook.runToEnd();
      await result.when(({ count, message, notes, columns }) => {
        assert.deepEqual({ count, message, notes }, { count: "300 rows", message: "", notes: [] });
        assert.equal(columns[0], "rental_price predicted");
      });
      assert.deepEqual(sentRows(), expected);
      assert.deepEqual(sentRows(other), []);
    }

    it("begins from the Explorer", async () => {
      const explorer = await journey.workbench.openView("Explorer");
      await explorer.contextMenu(["from_json.json"], fromFile);
      await pickModel("home_rentals_model", "Rentals");
      await predicts("from_json.json", rows);
    });

    it("begins from an open file", async () => {
      const { workbench } = journey;
      await workbench.openFile("from_lines.jsonl");
      await workbench.editorMenu(fromFile);
      await pickModel("home_rentals_model", "Rentals");
      await predicts("from_lines.jsonl", rows);
    });

    it("begins from the palette, with a table", async () => {
      const { workbench } = journey;
      await workbench.openFile("from_table.csv");
      await workbench.tab("from_table.csv").waitFor();
      await workbench.command("MindsDB: Predict Rows…");
      await pickModel("home_rentals_model", "Rentals");
      const texts = rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)])),
      );
      await predicts("from_table.csv", texts);
    });
  });

  describe("with a model", () => {
    const models = ["Rentals", "mindsdb", "Models"];

    /** What the table holds that the sample server's models are fitted to. */
    const firstHome = () => rentals.sqlRow("SELECT * FROM files.home_rentals LIMIT 1");

    /** Waits for a sentence in the notebook's Markdown. */
    async function says(sentence: string): Promise<void> {
      await eventually(async () => {
        const frames = journey.workbench.page.frames();
        const found = await Promise.all(
          frames.map((frame) => answerOf(frame.getByText(sentence).count(), 0)),
        );
        assert.ok(Math.max(...found) > 0, sentence);
      });
    }

    it("begins from the tree, with an example row that runs", async () => {
      const tree = await journey.workbench.openView("MindsDB");
      await tree.expand(models);
      await tree.contextMenu([...models, "home_rentals_model"], "Predict…");
      const notebook = await Notebook.with(journey.workbench, "home_rentals_model.predict.md");
      const { model, rows } = await notebook.recipe();
      assert.equal(model, "mindsdb.home_rentals_model");
      const [example] = rows as [Record<string, unknown>];
      const { rental_price: price, ...home } = await firstHome();
      assert.deepEqual(example, home);
      await says("The row below is from files.home_rentals.");
      await journey.workbench.screenshot("predict-example");
      const result = await notebook.runToEnd();
      await result.when(({ count }) => assert.equal(count, "1 row"));
      assert.deepEqual(sentRows(), [example]);
      await eventually(async () => {
        const [rent] = await result.column("rental_price", "predicted");
        const difference = Math.abs(Number(rent) - Number(price));
        assert.ok(difference < 500, `${rent} is not near ${String(price)}`);
      });
    });

    it("begins with placeholders where the table cannot be read in time", async () => {
      rentals.proxy.set({ on: /sql.query/, silent: true });
      const tree = await journey.workbench.openView("MindsDB");
      await tree.expand(models);
      await tree.contextMenu([...models, "location_model"], "Predict…");
      const notebook = await Notebook.with(journey.workbench, "location_model.predict.md");
      const { rows } = await notebook.recipe();
      const placeholders = { number_of_rooms: 0, sqft: 0, neighborhood: "", rental_price: 0 };
      assert.deepEqual(rows, [placeholders]);
      await says("Replace the placeholder values before you run the cell.");
      rentals.proxy.set();
    });

    it("is offered by the tree where it is trained, and only there", async () => {
      const tree = await journey.workbench.openView("MindsDB");
      const offers = async (model: string): Promise<string[]> => {
        const items = await tree.contextMenuItems([...models, model]);
        return items.filter((item) => ["Show Model", "Predict…"].includes(item));
      };
      await tree.expand(models);
      await eventually(async () => {
        assert.deepEqual(await offers("home_rentals_model"), ["Show Model", "Predict…"]);
        assert.deepEqual(await offers("season_model"), ["Show Model"]);
        assert.deepEqual(await offers("days_on_market_model"), ["Show Model"]);
      });
    });

    for (const command of ["Predict…", "Show Model"]) {
      it(`is picked by ${command} from a list that says which are not trained, behind all others`, async () => {
        const { workbench } = journey;
        await workbench.command(`MindsDB: ${command}`);
        await workbench.quickInput.expect("Which model?");
        await eventually(async () => {
          const rows = await workbench.quickInput.widget
            .locator(".monaco-list-row")
            .evaluateAll((drawn) => drawn.map((row) => row.getAttribute("aria-label") ?? ""));
          const said = rows.map((row) => /^(\w+),? (training|error)?/.exec(row)?.slice(1, 3));
          assert.deepEqual(said.slice(-4).sort(), [
            ["days_on_market_model", "training"],
            ["days_on_market_model", "training"],
            ["season_model", "error"],
            ["season_model", "error"],
          ]);
          assert.ok(said.slice(0, -4).every((row) => row?.[1] === undefined));
          assert.equal(said.length, 8);
        });
        await workbench.quickInput.cancel();
      });
    }

    it("begins from a version of it", async () => {
      const tree = await journey.workbench.openView("MindsDB");
      const version = [...models, "home_rentals_model", "version 1"];
      await tree.expand(version.slice(0, -1));
      await tree.inlineAction(version, "Predict…");
      const notebook = await Notebook.with(journey.workbench, "home_rentals_model-2.predict.md");
      const { model } = await notebook.recipe();
      assert.equal(model, "mindsdb.home_rentals_model.1");
      await notebook.runToEnd();
      const path = "POST /api/projects/mindsdb/models/home_rentals_model.1/predict";
      await eventually(() => assert.deepEqual(rentals.requests(predicted), [path]));
    });
  });

  describe("with nothing", () => {
    it("begins with a new notebook, which is saved under its name", async () => {
      const { workbench } = journey;
      await workbench.command("MindsDB: New Predict Notebook");
      await workbench.quickInput.row("home_rentals_model").waitFor();
      await workbench.quickInput.cancel();
      await workbench.command("MindsDB: New Predict Notebook");
      await pickModel("home_rentals_model", "Rentals");
      // Escape has made none, which would have this name.
      const title = "home_rentals_model-3.predict.md";
      const notebook = await Notebook.with(workbench, title);
      const recipe = '{"model": "mindsdb.home_rentals_model", "rows": "from_lines.jsonl"}';
      await notebook.recipe();
      await notebook.paste(recipe);
      await workbench.editors.saveAs(title, "mine.predict.md");
      await workbench.tab("mine.predict.md").waitFor();
      await eventually(() => {
        const saved = fs.readFileSync(path.join(workbench.folder, "mine.predict.md"), "utf8");
        assert.ok(saved.endsWith(`\`\`\`json predict\n${recipe}\n\`\`\`\n`), saved);
      });
      const mine = await Notebook.with(workbench, "mine.predict.md");
      const result = await mine.runToEnd();
      await result.when(({ columns }) => assert.equal(columns[0], "rental_price predicted"));
    });

    it("runs a cell with Ctrl+Enter and stays in it", async () => {
      const { workbench } = journey;
      const notebook = await Notebook.with(workbench, "mine.predict.md");
      rentals.forget();
      await eventually(async () => {
        await notebook.enterCell();
        await workbench.page.keyboard.press("Control+Enter");
        await rentals.proxy.waitFor(({ path }) => path.endsWith("/predict"), 5_000);
      });
      await expectCount(notebook.codeCells.first().locator(".monaco-editor.focused"), 1);
      await eventually(async () => assert.match(await notebook.cellText(), /^\{[^\n]*\}$/));
    });

    it("begins from File > New File", async () => {
      const { workbench } = journey;
      await workbench.command("Create: New File...");
      await workbench.quickInput.choose("New Predict Notebook");
      await pickModel("home_rentals_model", "Rentals");
      const notebook = await Notebook.with(workbench, "home_rentals_model-3.predict.md");
      const { model } = await notebook.recipe();
      assert.equal(model, "mindsdb.home_rentals_model");
      await notebook.runToEnd();
    });
  });

  describe("writing a cell", () => {
    let notebook: Notebook;

    before("open a notebook", async () => {
      notebook = await Notebook.of(journey.workbench, "cell.predict.md", {});
    });

    /** Waits until the cell has this text. */
    const becomes = (text: string): Promise<void> =>
      eventually(async () => assert.equal(await notebook.cellText(), text), 5_000);

    it("suggests a recipe in an empty cell, or begins one with a model that is chosen", async () => {
      const { page, quickInput } = journey.workbench;
      const recipe = page.locator(".suggest-widget.visible .monaco-list-row", {
        hasText: "mindsdb.home_rentals_model",
      });
      // What the server says arrives behind what VS Code knows itself, and the list closes when something else takes the focus.
      await eventually(async () => {
        await notebook.paste("{}");
        await page.keyboard.press("ArrowLeft");
        await page.keyboard.press("Control+Space");
        await recipe.first().click(patiently);
        await becomes('{\n  "model": "mindsdb.home_rentals_model",\n  "rows": "rows.jsonl"\n}');
      }, 60_000);
      await eventually(async () => {
        await page.keyboard.press("Escape");
        await notebook.enterCell();
        await page.keyboard.press("Control+A");
        await page.keyboard.press("Delete");
        await becomes("");
      });
      await notebook.statusBarButton("Select Model…").click();
      await quickInput.choose("home_rentals_model");
      await eventually(async () =>
        assert.equal(await notebook.cellText(), '{ "model": "mindsdb.home_rentals_model" }'),
      );
    });

    it("changes the model by the button below the cell, and opens the file", async () => {
      const { workbench } = journey;
      await notebook.paste('{ "model": "a.b", "rows": "from_table.csv" }');
      await notebook.statusBarButton("a.b").click();
      // Of the notebook's connection alone.
      await workbench.quickInput.expect("Which model?");
      await workbench.quickInput.choose("location_model");
      await notebook.statusBarButton("mindsdb.location_model").waitFor();
      await notebook.expectRecipe({ model: "mindsdb.location_model", rows: "from_table.csv" });
      await notebook.statusBarButton("from_table.csv").click();
      await workbench.page.locator(".editor-instance .view-line", { hasText: "sqft" }).waitFor();
    });
  });

  it("runs at the connection that is picked as its kernel, and remembers it", async () => {
    const { workbench } = journey;
    const recipe = { model: "mindsdb.home_rentals_model", rows: "from_lines.jsonl" };
    const notebook = await Notebook.of(workbench, "kernel.predict.md", recipe);
    assert.deepEqual(await notebook.kernels(), ["Other", "Rentals"]);
    await workbench.quickInput.choose("Other");
    await notebook.expectKernel("Other");
    await notebook.runToEnd();
    assert.deepEqual(sentRows(other), rows);
    assert.deepEqual(sentRows(), []);
    const second = await Notebook.of(workbench, "kernel2.predict.md", recipe);
    await second.expectKernel("Other");
  });
});
