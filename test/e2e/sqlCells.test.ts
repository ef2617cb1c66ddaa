// A user writes SQL in cells of a notebook, with what SQL files have, and runs them as cells: also beside a SQL file.
import assert from "node:assert/strict";
import { expectCount } from "./lib/expect.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";
import { Notebook } from "./lib/notebook.ts";
import { SqlEditor } from "./lib/sqlEditor.ts";
import { themes } from "./lib/workbench.ts";

const query = /POST .*\/sql\/query$/;

const cells = [
  `-- Rents above the usual, by neighborhood
WITH usual AS (SELECT AVG(rental_price) AS price FROM files.home_rentals)
SELECT h.location, h.neighborhood AS "where", COUNT(*) AS many, 1.5 * 2 AS number
FROM files.home_rentals AS h
WHERE h.rental_price > :least AND h.location LIKE 'gr%' AND h.sqft IS NOT NULL
GROUP BY h.location, h.neighborhood;`,
  "SELECT location, `days_on_market` FROM files.home_rentls LIMIT 5",
  `CREATE KNOWLEDGE_BASE notes
USING
  embedding_model = {"provider": "openai", "model_name": "small"},
  content_columns = ["text"], preprocessing = NULL, reranking_model = false`,
];

describe("SQL cells", () => {
  const server = useServer();
  const journey = useWorkbench(() => connectedTo({ Server: server }));
  const editor = new SqlEditor(() => journey.workbench);
  let notebook: Notebook;

  /** The statements that were sent, other than those that read names. */
  const sent = (): string[] =>
    server
      .logged(query)
      .map(({ body }) => (JSON.parse(body.toString()) as { query: string }).query)
      .filter((sql) => !/LIMIT 20$|^SHOW COLUMNS/.test(sql));

  const lenses = () => notebook.codeCells.locator(".codelens-decoration");
  const panelTabs = () => journey.workbench.page.locator(".part.panel").getByRole("tab");

  it("are in MindsDB's language, and open no view for the results of files", async () => {
    const { workbench } = journey;
    notebook = await Notebook.of(workbench, "cells.predict.md", ...cells);
    await notebook.statusBarButton("MindsDB SQL", 1).waitFor();
    await expectCount(notebook.codeCells.nth(1).locator(".squiggly-warning"), 1);
    await expectCount(lenses(), 0);
    for (const theme of Object.keys(themes) as (keyof typeof themes)[]) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`sql-cells-${theme}`);
    }
    await workbench.command("Problems: Focus on Problems View");
    await expectCount(panelTabs().filter({ hasText: "Problems" }), 1);
    await expectCount(panelTabs().filter({ hasText: "MindsDB SQL" }), 0);
  });

  it("suggest each name once, and run once with Ctrl+Enter, also beside a SQL file", async () => {
    const { workbench } = journey;
    await journey.tree.contextMenu(["Server"], "New SQL File");
    await editor.isOpenOn("Server");
    await expectCount(panelTabs().filter({ hasText: "MindsDB SQL" }), 1);
    notebook = await Notebook.of(
      workbench,
      "run.predict.md",
      "SELECT location FROM files.home_rentals AS h LIMIT 3 ",
    );
    const shown = await notebook.suggestAtEnd("OFFSET");
    assert.equal(new Set(shown).size, shown.length, shown.join());
    server.forget();
    await notebook.pressRun(() => sent().length > 0);
    await (await notebook.result()).when(({ count }) => assert.equal(count, "3 rows"));
    assert.deepEqual(sent(), ["SELECT location FROM files.home_rentals AS h LIMIT 3 "]);
    await expectCount(lenses(), 0);
    await expectCount(workbench.page.locator(".suggest-widget.visible"), 0);
  });
});
