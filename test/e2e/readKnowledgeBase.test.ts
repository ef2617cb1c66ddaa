// A user searches a knowledge base, reads one of its documents, and sends the question on to an agent.
import assert from "node:assert/strict";
import { eventually } from "./lib/eventually.ts";
import { patiently, pressOnce } from "./lib/once.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";
import { KnowledgeBasePage } from "./lib/knowledgeBasePage.ts";

describe("Reading a knowledge base", () => {
  const server = useServer();
  const journey = useWorkbench(() => connectedTo({ Rentals: server }));
  const question = "May I keep a dog?";
  let page: KnowledgeBasePage;

  it("finds only what limit and filter let through", async () => {
    const bases = ["Rentals", "mindsdb", "Knowledge Bases"];
    await journey.tree.expand(bases);
    await journey.tree.click([...bases, "rental_guide"]);
    page = await KnowledgeBasePage.with(journey.workbench, "rental_guide");
    const { frame } = page;
    await page.search("Large dogs?");
    await frame.locator(".chunk").first().waitFor();
    await frame.getByRole("button", { name: "Search", exact: true }).waitFor();
    await frame.getByLabel("Limit").fill("2");
    await frame.getByRole("button", { name: "Add Filter" }).click();
    await frame.getByLabel("Column", { exact: true }).selectOption("topic");
    const value = frame.getByRole("combobox", { name: "Value" });
    await value.click();
    await journey.workbench.screenshot("knowledge-base-filter-values");
    await frame.getByRole("option", { name: "neighborhoods" }).click();
    await pressOnce(value, "Enter");
    await eventually(async () => {
      const topics = await frame.locator(".label", { hasText: "topic" }).allInnerTexts();
      assert.equal(topics.length, 2);
      assert.ok(topics.every((topic) => topic.includes("neighborhoods")));
    });
    await frame.getByRole("button", { name: "Remove Filter" }).click();
    await page.search(question);
    await frame.locator("mark", { hasText: "dog" }).first().waitFor();
    await journey.workbench.setTheme("dark");
    await journey.workbench.screenshot("knowledge-base-dark", { readme: true });
  });

  it("leads to the documents, and back", async () => {
    await page.frame.getByRole("button", { name: "Browse Documents" }).click();
    const frame = await journey.workbench.frameWith(".grid");
    await frame.getByLabel("Filter by ID").fill("pets");
    // Rows that are drawn again lose the click.
    await eventually(async () => {
      await frame.locator(".grid-row", { hasText: "pets" }).first().click(patiently);
      await frame.getByRole("heading", { name: "pets", exact: true }).waitFor({ timeout: 5_000 });
    });
    await journey.workbench.screenshot("browse-documents-one", { readme: true });
    await frame.getByRole("button", { name: "Search" }).click();
    await KnowledgeBasePage.with(journey.workbench, "rental_guide");
  });

  it("has its question again after a reload", async () => {
    await journey.reload();
    page = await KnowledgeBasePage.with(journey.workbench, "rental_guide");
    await eventually(async () =>
      assert.equal(await page.frame.getByLabel("Question").inputValue(), question),
    );
    await page.search(question);
    await page.frame.locator("mark", { hasText: "dog" }).first().waitFor();
  });

  it("passes the question to an agent, for the user to send", async () => {
    const { workbench } = journey;
    await page.frame.getByRole("button", { name: "Ask an Agent About This…" }).click();
    const agent = workbench.quickInput.row("rental_agent");
    await agent.waitFor();
    // Agents without access to it are below a separator.
    const list = workbench.page.locator(".quick-input-list");
    await list.getByText("Agents without access to rental_guide").waitFor();
    await eventually(async () => assert.equal(await agent.getAttribute("data-index"), "0"));
    await workbench.quickInput.clickRow(agent);
    const chat = await journey.chat("rental_agent");
    await eventually(async () => {
      assert.equal(await chat.frame.locator("textarea").inputValue(), question);
    });
    assert.deepEqual(server.requests(/completions/), []);
  });
});
