// A user reads a knowledge base, searches it, and sends the question on to an agent.
import assert from "node:assert/strict";
import type { Frame } from "playwright-core";
import { eventually } from "./lib/eventually.ts";
import { expectText, expectTexts, expectValue } from "./lib/expect.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";

describe("Reading a knowledge base", () => {
  const server = useServer();
  const journey = useWorkbench(() => connectedTo({ Rentals: server }));
  let frame: Frame;

  const field = async (name: string): Promise<string> => {
    const row = frame.locator(".fields tr", { has: frame.locator("td", { hasText: name }) });
    return row.first().locator(".value").innerText();
  };
  const search = async (question: string): Promise<void> => {
    await frame.getByLabel("Question").fill(question);
    await frame.getByLabel("Question").press("Enter");
  };

  it("shows every field of the API's response", async () => {
    const bases = ["Rentals", "mindsdb", "Knowledge Bases"];
    await journey.tree.expand(bases);
    await journey.tree.click([...bases, "rental_guide"]);
    frame = await journey.workbench.frameWith(".fields");
    const path = "/api/projects/mindsdb/knowledge_bases/rental_guide";
    const row = (await (await fetch(server.behind + path)).json()) as Record<string, unknown>;
    for (const [name, value] of Object.entries(row)) {
      if (name === "id" || name === "name") continue;
      const shown = await field(name);
      assert.deepEqual(typeof value === "string" ? shown : JSON.parse(shown), value, name);
    }
    await eventually(async () => {
      assert.equal(await field("project_name"), "not sent");
    });
    await frame.locator(".glance dd", { hasText: /^14 chunks in 14 documents$/ }).waitFor();
  });

  it("finds chunks by relevance and highlights the words", async () => {
    await search("Large dogs?");
    const best = frame.locator(".chunk").first();
    await best.waitFor();
    await expectText(best, /^relevance 0\.\d{3}\s+distance 0\.\d{3}\s+id pets/);
    await expectTexts(best.locator("mark"), ["dog", "Large", "dogs"]);
    await expectText(best, /topic\s*rules/);
  });

  it("finds only what limit and filter let through", async () => {
    await frame.getByLabel("Limit").fill("2");
    await frame.getByRole("button", { name: "Add Filter" }).click();
    await frame.getByLabel("Column", { exact: true }).selectOption("topic");
    const value = frame.getByRole("combobox", { name: "Value" });
    await value.click();
    await journey.workbench.screenshot("knowledge-base-filter-values");
    await frame.getByRole("option", { name: "neighborhoods" }).click();
    await value.press("Enter");
    await eventually(async () => {
      const topics = await frame.locator(".label", { hasText: "topic" }).allInnerTexts();
      assert.equal(topics.length, 2);
      assert.ok(topics.every((topic) => topic.includes("neighborhoods")));
    });
    await frame.getByRole("button", { name: "Remove Filter" }).click();
    await search("May I keep a dog?");
    await frame.locator("mark", { hasText: "dog" }).first().waitFor();
    await journey.workbench.setTheme("dark");
    await journey.workbench.screenshot("knowledge-base-dark", { readme: true });
  });

  it("restores the search result after a reload", async () => {
    await journey.reload();
    frame = await journey.workbench.frameWith(".chunk mark");
    await expectValue(frame.getByLabel("Question"), "May I keep a dog?");
    await expectValue(frame.getByLabel("Limit"), "2");
  });

  it("passes the question to an agent, for the user to send", async () => {
    const { workbench } = journey;
    await frame.getByRole("button", { name: "Ask an Agent About This…" }).click();
    const agent = workbench.page.locator(".quick-input-list .monaco-list-row", {
      hasText: "rental_agent",
    });
    await agent.waitFor();
    // Agents without access to it are below a separator.
    const list = workbench.page.locator(".quick-input-list");
    await list.getByText("Agents without access to rental_guide").waitFor();
    await eventually(async () => assert.equal(await agent.getAttribute("data-index"), "0"));
    await workbench.screenshot("knowledge-base-agents");
    await agent.click();
    const chat = await journey.chat("rental_agent");
    await eventually(async () => {
      assert.equal(await chat.frame.locator("textarea").inputValue(), "May I keep a dog?");
    });
    assert.equal(server.requests(/completions/).length, 0);
  });
});
