// Two models, one set of rows: written, run, kept, and told what is wrong.
import assert from "node:assert/strict";
import { eventually } from "./lib/eventually.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";
import { Notebook } from "./lib/notebook.ts";

const models = ["mindsdb.home_rentals_model.1", "mindsdb.home_rentals_model.2"];
const table = "files.home_rentals";
const predicted = /POST .*\/predict$/;

describe("Comparing the predictions of two models", () => {
  const server = useServer();
  const journey = useWorkbench(() => ({
    ...connectedTo({ Rentals: server }),
    viewport: { width: 1600, height: 900 },
  }));

  it("shows both side by side, what differs most first, and is there again later", async () => {
    const { workbench } = journey;
    const notebook = await Notebook.of(workbench, "compare.predict.md", {
      models,
      rows: { table },
    });
    const result = await notebook.runToEnd();
    await result.when(({ message, columns, count }) => {
      assert.equal(message, "");
      assert.match(count, /rows$/);
      assert.deepEqual(columns.slice(0, 3), [
        "rental_price (home_rentals_model.1) predicted",
        "rental_price (home_rentals_model.2) predicted",
        "difference",
      ]);
    });
    const metrics = result.element.locator(".metrics > div > div:first-child");
    await eventually(async () =>
      assert.deepEqual(
        (await metrics.allInnerTexts()).map((text) => text.split(" (")[0]),
        models.map((model) => `${model.slice("mindsdb.".length)} · Compared with actual values`),
      ),
    );
    await eventually(async () => {
      const differences = (await result.column("difference")).map(Number).slice(0, 10);
      assert.ok(differences[0]! > 0, differences.join());
      assert.deepEqual(
        differences,
        [...differences].sort((a, b) => b - a),
      );
    });
    // Every batch went to both models, and its rows were read once.
    const paths = server.requests(predicted);
    assert.equal(paths.length, 2, paths.join());
    await workbench.screenshot("predict-compare", { readme: true });
    await workbench.editors.close();
    await workbench.openFile("compare.predict.md");
    const again = await (await Notebook.with(workbench, "compare.predict.md")).result();
    await again.when(({ origin }) =>
      assert.match(
        origin,
        /^From .*, mindsdb\.home_rentals_model version 1, and mindsdb\.home_rentals_model version 2\.?$/,
      ),
    );
    await eventually(async () => {
      assert.ok(Number((await again.column("difference"))[0]) > 0);
    });
  });
});
