// A user asks agents the same question, and compares their answers.
import assert from "node:assert/strict";
import { eventually } from "./lib/eventually.ts";
import { connectedTo, itLeavesNoSecrets, useServer, useWorkbench } from "./lib/journey.ts";

describe("Agents", () => {
  const server = useServer();
  const journey = useWorkbench(() => connectedTo({ Rentals: server }));

  it("have questions that agents are compared by", async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    await workbench.command("MindsDB: Compare Agents…");
    await quickInput.expect("Select 2 to 4 agents");
    await quickInput.pick("Select 2 to 4 agents", "rental_agent");
    await quickInput.choose("prices_agent");
    await quickInput.press("Enter");
    await quickInput.pick("The questions to ask", "Enter Questions…");
    await quickInput.enter("The first question", "May I keep a dog?");
    await quickInput.enter("Next question. Leave empty to start.", "");
    const page = await workbench.frameWith('main:has(h1:text-is("Compare Agents")) .grid');
    await page.getByText("2 of 2 answers").first().waitFor();
    await page.locator(".grid-body .cell", { hasText: "one dog" }).first().waitFor();
    await workbench.screenshot("agents-compared");
    server.forget();
    await page.locator(".grid-body .cell", { hasText: "one dog" }).first().click();
    await page.getByRole("button", { name: "Run Cell Again" }).click();
    await eventually(() => assert.equal(server.requests(/stream$/).length, 1));
    await page.getByText("2 of 2 answers").first().waitFor();
  });

  it("have their answers after a reload, and are asked again only if the user wants it", async () => {
    const { workbench } = journey;
    server.forget();
    await workbench.reload("prices_agent");
    const page = await workbench.frameWith('main:has(h1:text-is("Compare Agents")) .grid');
    await page.getByText("2 of 2 answers").first().waitFor();
    await page.locator(".grid-body .cell", { hasText: "one dog" }).first().click();
    await page.getByRole("button", { name: "Open Run" }).waitFor();
    assert.deepEqual(server.requests(/stream$/), []);
    await workbench.screenshot("agents-compared-reload");
    await page.getByRole("button", { name: "Run Cell Again" }).click();
    await eventually(() => assert.equal(server.requests(/stream$/).length, 1));
    await page.getByText("2 of 2 answers").first().waitFor();
  });

  itLeavesNoSecrets(journey);
});
