// One row with other values: from a result and from a model, by keyboard, with a curve; and again after a reload.
import assert from "node:assert/strict";
import { eventually } from "./lib/eventually.ts";
import { pressOnce } from "./lib/once.ts";
import { expectValue } from "./lib/expect.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";
import { Notebook } from "./lib/notebook.ts";

const predicted = /POST .*\/predict$/;

describe("Predicting a row with other values", () => {
  const server = useServer();
  const journey = useWorkbench(() => ({
    ...connectedTo({ Rentals: server }),
    viewport: { width: 1400, height: 1000 },
  }));

  /** The bodies of the requests to the model. */
  function sentRows(): Record<string, unknown>[][] {
    const bodies = server.logged(predicted).map(({ body }) => body.toString());
    return bodies.map((body) => (JSON.parse(body) as { data: Record<string, unknown>[] }).data);
  }

  /** The model's versions that were asked. */
  const askedVersions = (): string[] =>
    server
      .logged(predicted)
      .map(({ path: asked }) => /_model\.?(\d*)\/predict$/.exec(asked)?.[1] ?? "");

  it("starts from the current row of a result, answers each change, and draws a curve", async () => {
    const { workbench } = journey;
    const cell = { model: "mindsdb.home_rentals_model", rows: { table: "files.home_rentals" } };
    const result = await (await Notebook.of(workbench, "homes.predict.md", cell)).runToEnd();
    await (await result.cell(2, "rental_price", "predicted")).click();
    const own = await (await result.cell(2, "rental_price", "predicted")).innerText();
    const sqft = await (await result.cell(2, "sqft")).innerText();
    server.forget();
    await result.button("What If…").click();
    await workbench.tab("What If: home_rentals_model").waitFor();
    const frame = await workbench.frameWith(".answer");
    await frame.getByRole("heading", { name: "What If", exact: true }).waitFor();
    const answer = frame.locator(".answer");
    await answer.getByText(`Original: ${own}`).waitFor();
    assert.equal(sentRows().length, 1);
    // Numbers of another version would be compared with the row's own.
    await server.sql("SET ACTIVE mindsdb.home_rentals_model.1");
    const field = frame.getByRole("textbox", { name: "sqft", exact: true });
    await expectValue(field, sqft);
    await field.fill("1500");
    await answer.getByText(/Original: [\d.]+ \([+-]/).waitFor();
    assert.deepEqual(new Set(askedVersions()), new Set(["2"]));
    assert.equal(sentRows().at(-1)?.[0]?.["sqft"], 1500);
    await server.sql("SET ACTIVE mindsdb.home_rentals_model.2");
    await pressOnce(frame.getByRole("button", { name: "Vary sqft…" }), "Enter");
    await frame.getByRole("img", { name: "rental_price by sqft" }).waitFor();
    assert.equal(sentRows().at(-1)?.length, 21);
    await workbench.screenshot("what-if", { readme: true });
    await frame.getByRole("textbox", { name: "To (sqft)" }).fill("1750");
    await workbench.reload("1750");
    const again = await workbench.frameWith(".answer .value");
    const typed = again.getByRole("textbox", { name: "sqft", exact: true });
    await expectValue(typed, "1500");
    const to = again.getByRole("textbox", { name: "To (sqft)" });
    await expectValue(to, "1750");
    await again.getByRole("img", { name: "rental_price by sqft" }).waitFor();
  });

  it("starts from a model, with a row that it was trained on", async () => {
    const { tree, workbench } = journey;
    await tree.expand(["Rentals", "mindsdb", "Models"]);
    await tree.contextMenu(["Rentals", "mindsdb", "Models", "home_rentals_model"], "What If…");
    const frame = await workbench.frameWith(".place:has-text('files.home_rentals')");
    await eventually(async () => {
      assert.match(await frame.locator(".answer .value").innerText(), /^\d+(\.\d+)?$/);
    });
  });
});
