// A user asks agents the same question and compares their answers, and begins a test file for one of them.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { eventually } from "./lib/eventually.ts";
import { expectText } from "./lib/expect.ts";
import { connectedTo, itLeavesNoSecrets, useServer, useWorkbench } from "./lib/journey.ts";
import { TestExplorer } from "./lib/testExplorer.ts";

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
    await expectText(page.locator(".place"), /_agent on Rentals$/);
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

  it("get a test file to fill in", async () => {
    const { workbench, tree } = journey;
    const agent = ["Rentals", "mindsdb", "Agents", "rental_agent"];
    await tree.expand(agent.slice(0, -1));
    await tree.contextMenu(agent, "New Agent Test File…");
    await workbench.quickInput.saveAs("rental_agent.agent-test.yaml", "new.agent-test.yaml");
    await workbench.tab("new.agent-test.yaml").waitFor();
    await workbench.page.locator(".view-line", { hasText: "providers:" }).waitFor();
    await workbench.screenshot("agent-test-new");
    await workbench.command("File: Save");
    const file = path.join(workbench.folder, "new.agent-test.yaml");
    await eventually(() => {
      const text = fs.readFileSync(file, "utf8");
      assert.match(text, /^providers: \["mindsdb:mindsdb\/rental_agent"\]\n/);
      assert.match(text, /question: Question\n[^]*type: icontains\n[^]*value: text\n/);
    });
    const tests = await TestExplorer.open(workbench);
    await tests.expand("new.agent-test.yaml");
    await server.answerNext("A text.", () => tests.run("Question", true));
    await tests.expectState("Question", "passed");
  });

  itLeavesNoSecrets(journey);
});
