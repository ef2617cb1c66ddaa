// Predicting rows that are on the server: written with suggestions, run, stopped, and told what is wrong.
import assert from "node:assert/strict";
import { eventually } from "./lib/eventually.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";
import { Notebook } from "./lib/notebook.ts";

const predicted = /POST .*\/predict$/;
const queried = /sql.query/;
const model = "mindsdb.home_rentals_model";
const table = "files.home_rentals";

describe("Predicting rows of the server", () => {
  const server = useServer();
  const journey = useWorkbench(() => ({
    ...connectedTo({ Rentals: server }),
    viewport: { width: 1600, height: 900 },
  }));
  let count = 0;

  afterEach(() => {
    server.proxy.set();
    server.forget();
  });

  const open = (cell: object | string) =>
    Notebook.of(journey.workbench, `server${++count}.predict.md`, cell);

  /** How many rows were sent to a model. */
  function rowsSent(): number {
    const bodies = server.logged(predicted).map(({ body }) => body.toString());
    return bodies.flatMap((body) => (JSON.parse(body) as { data: unknown[] }).data).length;
  }

  it("shows the rows of a table beside their predictions, and later from when they are", async () => {
    const { workbench } = journey;
    const cell = { model, rows: { table, where: "sqft > 800" } };
    const notebook = await open(cell);
    const result = await notebook.runToEnd();
    await result.when(({ count: rows, message, columns, metrics }) => {
      assert.equal(message, "");
      assert.equal(rows, `${rowsSent().toLocaleString("en")} rows`);
      assert.ok(columns.includes("sqft"), columns.join());
      assert.match(metrics, /^Compared with actual values/);
    });
    await eventually(async () => {
      const shown = await result.column("sqft");
      assert.ok(shown.length > 5 && shown.every((sqft) => Number(sqft) > 800), shown.join());
    });
    await workbench.screenshot("predict-server-rows");
    await workbench.editors.close();
    await workbench.openFile(`server${count}.predict.md`);
    const again = await (await Notebook.with(workbench, `server${count}.predict.md`)).result();
    await again.when(({ origin }) =>
      assert.match(origin, /^Rows of files\.home_rentals from .*, model version 2\.?$/),
    );
  });

  it("starts from a table in the tree", async () => {
    const { tree, workbench } = journey;
    await tree.expand(["Rentals", "Data", "files"]);
    await tree.contextMenu(["Rentals", "Data", "files", "home_rentals"], "Predict Rows…");
    await workbench.quickInput.expect("Predict home_rentals with a Model");
    await workbench.quickInput.choose("home_rentals_model");
    const notebook = await Notebook.with(workbench, "home_rentals.predict.md");
    await notebook.expectRecipe({ model, rows: { table } });
    await notebook.expectKernel("Rentals");
    await (await notebook.runToEnd()).when(({ count }) => assert.match(count, /rows$/));
  });

  it("asks once before rows are read from an agent, and reads none without consent", async () => {
    const { dialogs } = journey.workbench;
    const sql = "SELECT * FROM mindsdb.rental_agent WHERE text = 'hello'";
    const notebook = await open({ model, rows: { sql } });
    server.forget();
    const question = "Read rows that may cost money from “Rentals”?";
    const refused = notebook.runToEnd();
    assert.match(await dialogs.modal(question, "Cancel"), /rental_agent WHERE text = 'hello'/);
    await (
      await refused
    ).when(({ message }) => assert.equal(message, "This may cost money, so nothing was sent."));
    assert.deepEqual(server.requests(queried), []);
    const allowed = notebook.runToEnd();
    await dialogs.modal(question, "Read Rows");
    await (await allowed).when(({ message }) => assert.match(message, /^The model needs columns/));
    const asked = server.requests(queried).length;
    assert.ok(asked >= 2, String(asked));
    // No dialog again.
    await notebook.runToEnd();
    await eventually(() => assert.ok(server.requests(queried).length >= 2 * asked));
  });

  it("warns of a join with a model, and turns it into a recipe by keyboard", async () => {
    const { workbench } = journey;
    const notebook = await open(
      `SELECT t.sqft, m.rental_price FROM ${table} AS t JOIN ${model} AS m WHERE t.sqft > 1100`,
    );
    const warnings = notebook.codeCells.locator(".squiggly-warning");
    await eventually(async () => assert.equal(await warnings.count(), 1));
    await notebook.expectHover("home_rentals_model", /may return cached predictions/);
    await notebook.applyFix(
      model,
      ["Add a Recipe Cell with These Rows"],
      async () => (await notebook.codeCells.count()) > 1,
      () => workbench.screenshot("predict-join-warning"),
    );
    await notebook.expectRecipe(
      { model, rows: { sql: `SELECT * FROM ${table} AS t WHERE t.sqft > 1100` } },
      1,
    );
  });

  it("stops while rows are read", async () => {
    const notebook = await open({ model, rows: { table } });
    server.proxy.set({ on: queried, silent: true });
    const result = await notebook.begin();
    await server.proxy.waitFor(({ path: asked }) => asked.includes("sql/query"));
    await result.button("Stop").click();
    await (await notebook.result()).when(({ count: rows }) => assert.match(rows, /Stopped/));
    assert.equal(rowsSent(), 0);
  });
});
