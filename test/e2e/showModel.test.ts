// A user reads a model: its figures, its versions and a running training.
import assert from "node:assert/strict";
import { eventually } from "./lib/eventually.ts";
import { expectText, expectTexts, expectValue } from "./lib/expect.ts";
import { Notebook } from "./lib/notebook.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";
import { accuracyIn, columnsIn, importancesIn, modelPage } from "./lib/modelPage.ts";

describe("Showing a model", () => {
  const server = useServer();
  const journey = useWorkbench(() => connectedTo({ Rentals: server }));
  const models = ["Rentals", "mindsdb", "Models"];

  const page = (model: string, says: string) => modelPage(journey.workbench, model, says);

  it("opens with a click, with the figures of the API's response", async () => {
    await journey.tree.expand(models);
    await journey.tree.click([...models, "home_rentals_model"]);
    const frame = await page("home_rentals_model", "Column importance");
    // fetch cannot send a GET with a body; SQL returns the same.
    const info = await server.sqlRow("DESCRIBE mindsdb.home_rentals_model.info");
    const expected = Object.entries(info["column_importances"] as Record<string, number>);
    await eventually(async () => {
      assert.deepEqual(
        await importancesIn(frame),
        expected.sort(([, a], [, b]) => b - a),
      );
    });
    const accuracies = info["accuracies"] as Record<string, number>;
    await eventually(async () => {
      assert.equal(await accuracyIn(frame), accuracies["r2_score"]);
    });
    await expectTexts(frame.locator(".stage"), String(info["model"]).split(" --> "));
    await eventually(async () => {
      assert.deepEqual(await columnsIn(frame, "Inputs"), info["inputs"]);
    });
    await journey.workbench.setTheme("dark");
    await journey.workbench.screenshot("model-dark", { readme: true });
  });

  it("leads to its engine, and from there back to each model", async () => {
    const { workbench } = journey;
    const model = await page("home_rentals_model", "Column importance");
    await model.locator(".headline .link-button").click();
    const engine = await modelPage(workbench, "sample", "Parameters");
    await expectText(engine.locator(".place"), "ML engine on Rentals");
    await workbench.screenshot("ml-engine-dark");
    await engine.getByRole("button", { name: "home_rentals_model", exact: true }).click();
    await page("home_rentals_model", "Column importance");
    await journey.tree.expand(["Rentals", "ML Engines"]);
    await journey.tree.click(["Rentals", "ML Engines", "sample"]);
    await modelPage(workbench, "sample", "Parameters");
    await workbench.tab("home_rentals_model").click();
  });

  it("creates a prediction with the visible version", async () => {
    const { workbench } = journey;
    const frame = await page("home_rentals_model", "Column importance");
    await frame.getByRole("button", { name: "Predict…" }).click();
    const notebook = await Notebook.with(workbench, "home_rentals_model.predict.md");
    const { model } = await notebook.recipe();
    assert.equal(model, "mindsdb.home_rentals_model");
    await workbench.tab("home_rentals_model").click();
    await page("home_rentals_model", "Column importance");
  });

  it("switches versions", async () => {
    const frame = await page("home_rentals_model", "Column importance");
    await frame.locator("select").selectOption("1");
    await eventually(async () => {
      assert.equal(await frame.locator(".importances tbody tr").count(), 3);
    });
    await journey.tree.expand([...models, "home_rentals_model"]);
    await journey.tree.click([...models, "home_rentals_model", "version 2"]);
    await eventually(async () => {
      assert.equal(await frame.locator("select").inputValue(), "2");
      assert.equal(await frame.locator(".importances tbody tr").count(), 6);
    });
  });

  it("copies the training query, and opens it in an editor", async () => {
    const { workbench } = journey;
    const frame = await page("home_rentals_model", "Training");
    await frame.locator("[data-part=training] > summary").click();
    await frame.getByRole("button", { name: "Copy Query" }).click();
    await eventually(async () => {
      assert.equal(await workbench.clipboard(), "SELECT * FROM home_rentals");
    });
    await frame.getByRole("button", { name: "Open Query in Editor" }).click();
    const lines = workbench.page.locator(".editor-instance .view-lines");
    await lines.getByText("home_rentals").waitFor();
    await workbench.tab("home_rentals_model").click();
    // Expanded sections are still expanded.
    const again = await page("home_rentals_model", "Training query");
    await again.locator("[data-part=training][open]").waitFor();
  });

  it("requests more details from the engine on demand", async () => {
    const frame = await page("home_rentals_model", "Engine details: model");
    server.forget();
    await frame.locator("[data-part='attribute model'] > summary").click();
    await frame
      .locator("[data-part='attribute model'] td", { hasText: "ridge_regressor" })
      .waitFor();
    await eventually(() => assert.equal(server.requests(/describe/).length, 1));
  });

  it("is restored after a reload", async () => {
    await journey.reload();
    const frame = await page("home_rentals_model", "Training query");
    await expectValue(frame.locator("select"), "2");
  });

  it("polls a running training while it is visible", async () => {
    const list = /GET \/api\/projects\/mindsdb\/models$/;
    await journey.tree.click([...models, "days_on_market_model"]);
    await page("days_on_market_model", "Training in progress");
    // The tree polls too while it shows the training.
    await journey.tree.collapse(["Rentals"]);
    server.forget();
    await eventually(() => assert.ok(server.requests(list).length >= 2));
    await journey.workbench.tab("home_rentals_model").click();
    await page("home_rentals_model", "Column importance");
    // It is told a moment later that it is hidden.
    await eventually(async () => {
      server.forget();
      await journey.workbench.page.waitForTimeout(4_000);
      assert.deepEqual(server.requests(list), []);
    });
    await journey.tree.expand(models);
    await eventually(() => assert.ok(server.requests(list).length >= 1));
  });
});
