// The page of a model in a browser, with what a server can send.
import assert from "node:assert/strict";
import {
  modelCalls,
  type ModelContent,
  type ModelDescription,
} from "../../src/models/modelPage.ts";
import type { ItemState } from "../../src/shared/itemPage.ts";
import { itemState, looksRight, usePanelPages } from "./panelPages.ts";

describe("The page of a model", () => {
  const pages = usePanelPages("src/models/page/modelPage.tsx");

  const trained: ModelDescription = {
    version: 1,
    versions: [{ version: 1, status: "complete", active: true }],
    status: "complete",
    isTraining: false,
    accuracies: [],
    importances: [],
    inputs: [],
    outputs: [],
    stages: [],
    attributes: [],
  };
  const shown: ItemState & ModelContent = { ...itemState("mindsdb", "m"), progress: "" };

  it("draws the beginning of its lists, and says how much follows", async () => {
    const names = Array.from({ length: 5_000 }, (_, at) => `a${at}`);
    const accuracies = names.map((name) => ({ name, value: 0.5 }));
    const description = { ...trained, accuracies, attributes: names };
    const { page } = await pages.show(modelCalls, { ...shown, description });
    await page.getByText("and 3,000 more").first().waitFor();
    assert.equal(await page.locator("dl.headline > div").count(), 2_002);
    assert.equal(await page.locator('[data-part^="attribute"]').count(), 2_000);
    assert.equal(await page.getByText("and 3,000 more").count(), 2);
  });

  it("says why a training failed, with the whole error behind a click", async () => {
    const error = { sentence: "No such column.", whole: "site-packages/a.py\nNo such column." };
    const description = { ...trained, status: "error", error };
    const opened = await pages.show(modelCalls, { ...shown, description });
    const { page } = opened;
    await page.getByText("No such column.", { exact: true }).waitFor();
    const whole = page.getByText("site-packages");
    assert.equal(await whole.isVisible(), false);
    await page.locator("summary", { hasText: "Show the whole error" }).click();
    await whole.waitFor();
    await opened.checkLook("model-failed");
  });

  it("offers no version and no prediction of a model that is gone", async () => {
    const versions = [1, 2].map((version) => ({ version, status: "complete", active: true }));
    const opened = await pages.show(modelCalls, {
      ...shown,
      description: { ...trained, versions },
    });
    const { page } = opened;
    const offered = () =>
      Promise.all([
        page.getByRole("combobox").count(),
        page.getByRole("button", { name: "Predict" }).count(),
      ]);
    assert.deepEqual(await offered(), [1, 1]);
    await opened.update({ isGone: true, notice: { text: "m is no longer in mindsdb." } });
    await page.getByText("m is no longer in mindsdb.").waitFor();
    assert.deepEqual(await offered(), [0, 0]);
    await opened.checkLook("model-gone");
  });

  looksRight("model", async (theme) => {
    const description: ModelDescription = {
      ...trained,
      versions: [1, 2].map((version) => ({ version, status: "complete", active: version === 1 })),
      target: "price",
      engine: "sample",
      accuracies: [{ name: "r2_score", value: 0.91 }],
      importances: [
        { name: "sqft", value: 0.75 },
        { name: "location", value: 0.25 },
      ],
      inputs: [{ name: "sqft", type: "float", encoder: "NumericEncoder" }],
      outputs: [{ name: "price", type: "float" }],
      stages: ["imputer", "ridge_regressor"],
      query: "SELECT * FROM home_rentals",
      options: "{'target': 'price'}",
      createdAt: "2026-11-21 08:57:37",
      trainingTime: 12,
      serverVersion: "26.1.0",
      attributes: ["model"],
    };
    const opened = await pages.show(modelCalls, { ...shown, description }, { theme });
    await opened.page.getByText("Column importance").waitFor();
    await opened.page.locator("[data-part=training] > summary").click();
    return opened;
  });
});
