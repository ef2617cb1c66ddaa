// The page of an ML engine in a browser: what it posts to the host, and how it looks.
import assert from "node:assert/strict";
import { mlEngineCalls, type MlEngineContent } from "../../src/dataSources/mlEnginePage.ts";
import type { ItemState } from "../../src/shared/itemPage.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import {
  itemState,
  looksRight,
  usePanelPages,
  type PageOptions,
  type StatePage,
} from "./panelPages.ts";

describe("The page of an ML engine", () => {
  type State = ItemState & MlEngineContent;
  type EnginePage = StatePage<State, typeof mlEngineCalls>;
  const pages = usePanelPages("src/dataSources/page/mlEnginePage.tsx");

  const model = { project: "mindsdb", name: "home_rentals_model" };
  const start: State = {
    ...itemState("", "openai"),
    handler: "openai",
    parameters: [
      { name: "api_base", value: "https://llm.example.com/v1" },
      { name: "openai_api_key" },
    ],
    models: [model, { project: "support", name: "answers" }],
    hasSiblings: false,
  };
  const open = (options?: PageOptions): Promise<EnginePage> =>
    pages.show(mlEngineCalls, start, options);

  it("calls the host for each button and model; of an engine that is gone the data stays", async () => {
    const engine = await open();
    const button = (name: string) => engine.page.getByRole("button", { name });
    for (const name of [model.name, "Copy as SQL", "Delete…", "Refresh"]) {
      await button(name).click();
    }
    await eventually(() =>
      assert.deepEqual(engine.calls, [
        ["showModel", model],
        ["copyAsSql"],
        ["remove"],
        ["refresh"],
      ]),
    );
    await engine.page.getByText("hidden", { exact: true }).waitFor();
    const notice = { text: "The ML engine openai no longer exists." };
    await engine.update({ isGone: true, notice });
    await engine.page.getByText(notice.text).waitFor();
    await eventually(async () => assert.equal(await button("Delete…").count(), 0));
    await engine.page.getByText("https://llm.example.com/v1").waitFor();
  });

  it("says what it does not know about the models", async () => {
    const engine = await open();
    const hint = (text: string | RegExp) => engine.page.getByText(text).waitFor();
    await engine.update({ hasSiblings: true });
    await hint(/Models of all openai engines/);
    await engine.update({ models: [], parameters: [] });
    await hint("No model uses this engine.");
    await hint("This engine was created without parameters.");
    await engine.update({ models: undefined });
    await hint("The models that use it could not be checked.");
  });

  it("filters 2,000 models, draws a hundred of them at a time, and opens the last one", async () => {
    const engine = await open();
    const models = Array.from({ length: 2_000 }, (_, n) => ({
      project: n === 1_999 ? "support" : "mindsdb",
      name: `model_${String(n).padStart(4, "0")}`,
    }));
    await engine.update({ models });
    const rows = engine.page.locator("tbody tr");
    const rowCount = (count: number) =>
      eventually(async () => assert.equal(await rows.count(), count));
    await rowCount(100);
    await engine.page.getByRole("button", { name: "Show More (1,900)" }).click();
    await rowCount(200);
    const filter = engine.page.getByRole("searchbox", { name: "Filter" });
    await filter.fill("SUPPORT");
    await rowCount(1);
    await engine.page.getByText("1 of 2,000").waitFor();
    await engine.checkLook("ml-engine-filtered");
    await engine.page.getByRole("button", { name: "model_1999" }).click();
    await eventually(() => assert.deepEqual(engine.calls, [["showModel", models.at(-1)]]));
    await filter.fill("nosuch");
    await engine.page.getByText("0 of 2,000").waitFor();
    await rowCount(0);
  });

  it("draws the beginning of a long list, and says how much follows", async () => {
    const parameters = Array.from({ length: 50_000 }, (_, at) => ({ name: `p${at}`, value: "x" }));
    const engine = await pages.show(mlEngineCalls, { ...start, parameters });
    assert.equal(await engine.page.locator("dl.facts > div").count(), 2_001);
    await engine.page.getByText("and 48,000 more").waitFor();
  });

  looksRight("ml-engine", async (theme) => {
    const engine = await open({ theme });
    await engine.page.getByText(model.name).waitFor();
    return engine;
  });
});
