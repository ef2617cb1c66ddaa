// The page of a model in a browser, with what a server can send.
import assert from "node:assert/strict";
import {
  modelCalls,
  type ModelContent,
  type ModelDescription,
} from "../../src/models/modelPage.ts";
import type { ItemState } from "../../src/shared/itemPage.ts";
import { usePanelPages } from "./panelPages.ts";

describe("The page of a model", function () {
  this.timeout(60_000);
  const pages = usePanelPages("src/models/page/modelPage.tsx");

  it("draws the beginning of its lists, and says how much follows", async () => {
    const names = Array.from({ length: 5_000 }, (_, at) => `a${at}`);
    const description: ModelDescription = {
      version: 1,
      versions: [{ version: 1, status: "complete", active: true }],
      status: "complete",
      isTraining: false,
      accuracies: names.map((name) => ({ name, value: 0.5 })),
      importances: [],
      inputs: [],
      outputs: [],
      stages: [],
      attributes: names,
    };
    const state: ItemState & ModelContent = {
      item: { connectionId: "local", project: "mindsdb", name: "m" },
      title: "m",
      connection: "127.0.0.1:47334",
      isLoading: false,
      isGone: false,
      progress: "",
      description,
    };
    const { page } = await pages.show(modelCalls, state);
    await page.getByText("and 3,000 more").first().waitFor();
    assert.equal(await page.locator("dl.headline > div").count(), 2_002);
    assert.equal(await page.locator('[data-part^="attribute"]').count(), 2_000);
    assert.equal(await page.getByText("and 3,000 more").count(), 2);
  });
});
