// A user reads a knowledge base, searches it, and sends the question on to an agent.
import assert from "node:assert/strict";
import type { Frame } from "playwright-core";
import { hostileTexts } from "../hostileTexts.ts";
import { axeViolations } from "./lib/axe.ts";
import { eventually } from "./lib/eventually.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";
import { themes } from "./lib/workbench.ts";

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

  const value = () => frame.getByRole("combobox", { name: "Value" });

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
    assert.equal(await field("project_name"), "not sent");
    await frame.locator(".glance dd", { hasText: /^14 chunks in 14 documents$/ }).waitFor();
  });

  it("finds chunks by relevance and highlights the words", async () => {
    await search("Large dogs?");
    const best = frame.locator(".chunk").first();
    await best.waitFor();
    assert.match(await best.innerText(), /^relevance 0\.\d{3}\s+distance 0\.\d{3}\s+id pets/);
    assert.deepEqual(await best.locator("mark").allInnerTexts(), ["dog", "Large", "dogs"]);
    assert.match(await best.innerText(), /topic\s*rules/);
  });

  it("applies limit, relevance and filters", async () => {
    await frame.getByLabel("Limit").fill("2");
    await frame.getByLabel("Question").press("Enter");
    await eventually(async () => assert.equal(await frame.locator(".chunk").count(), 2));
    await frame.getByLabel("Limit").fill("50");
    await frame.getByRole("button", { name: "Add Filter" }).click();
    await frame.getByLabel("Column", { exact: true }).selectOption("topic");
    await value().click();
    await journey.workbench.screenshot("knowledge-base-filter-values");
    await frame.getByRole("option", { name: "neighborhoods" }).click();
    await value().press("Enter");
    await eventually(async () => {
      const topics = await frame.locator(".label", { hasText: "topic" }).allInnerTexts();
      assert.ok(topics.length > 0);
      assert.ok(topics.every((topic) => topic.includes("neighborhoods")));
    });
    // The value is plain text, even if it contains LIKE wildcards.
    await frame.getByLabel("Comparison").selectOption("contains");
    await value().fill("bor");
    await value().press("Enter");
    await frame.getByRole("heading", { name: /^[1-9] chunks/ }).waitFor();
    await value().fill("%");
    await value().press("Enter");
    await frame.getByRole("heading", { name: "Nothing found" }).waitFor();
    await value().fill("bor");
    await frame.getByLabel("Minimum relevance").fill("0.99");
    await frame.getByLabel("Question").press("Enter");
    await frame.getByRole("heading", { name: "Nothing found" }).waitFor();
    await frame.getByLabel("Minimum relevance").fill("");
    await frame.getByRole("button", { name: "Remove Filter" }).click();
  });

  it("rejects text for a numeric column, at the field", async () => {
    await frame.getByRole("button", { name: "Add Filter" }).click();
    await frame.getByLabel("Column", { exact: true }).selectOption("year");
    await value().click();
    const years = frame.getByRole("listbox", { name: "Value" }).getByRole("option");
    await eventually(async () => {
      assert.deepEqual(await years.allInnerTexts(), ["2024", "2025", "2026"]);
    });
    server.forget();
    await value().fill("soon");
    await value().press("Enter");
    await frame.getByText("year holds numbers.").waitFor();
    assert.equal(await value().getAttribute("aria-invalid"), "true");
    assert.equal(server.logged(/api\/sql\/query/).length, 0);
    await value().fill("2026");
    await value().press("Enter");
    await frame.getByRole("heading", { name: /chunks?( for |$)/ }).waitFor();
    const found = await frame.locator(".label", { hasText: "year" }).allInnerTexts();
    assert.ok(found.length > 0 && found.every((year) => year.includes("2026")), String(found));
    await frame.getByRole("button", { name: "Remove Filter" }).click();
  });

  it("rejects an invalid relevance", async () => {
    const relevance = frame.getByLabel("Minimum relevance");
    for (const invalid of ["7", "-1"]) {
      await relevance.fill(invalid);
      server.forget();
      await frame.getByLabel("Question").press("Enter");
      await frame.getByText("Relevance is between 0 and 1.").waitFor();
      assert.ok(await relevance.evaluate((field) => document.activeElement === field));
      assert.equal(server.logged(/api\/sql\/query/).length, 0);
      await journey.workbench.screenshot("knowledge-base-relevance");
    }
    await relevance.fill("");
    await frame.getByText("Relevance is between 0 and 1.").waitFor({ state: "hidden" });
  });

  it("rejects an invalid limit", async () => {
    const limit = frame.getByLabel("Limit");
    const before = await limit.inputValue();
    const problem = frame.getByText("A search finds 1 to 100 chunks.");
    for (const invalid of ["0", "101", "2.5"]) {
      await limit.fill(invalid);
      server.forget();
      await frame.getByLabel("Question").press("Enter");
      await problem.waitFor();
      assert.ok(await limit.evaluate((field) => document.activeElement === field));
      assert.equal(server.logged(/api\/sql\/query/).length, 0);
    }
    await limit.fill(before);
    await problem.waitFor({ state: "hidden" });
  });

  it("names the question of the visible chunks", async () => {
    await search("Large dogs?");
    // The previous search had the same question and no result.
    const found = /^\d+ chunks for “Large dogs\?”$/;
    await frame.getByRole("heading", { name: found }).waitFor();
    await frame.getByLabel("Question").fill("May I keep a cat?");
    const heading = frame.getByRole("heading", { name: / for “/ });
    assert.match(await heading.innerText(), found);
  });

  it("accepts any text", async () => {
    for (const text of hostileTexts) {
      server.forget();
      await search(text);
      await eventually(async () => {
        const sent =
          server
            .logged(/api\/sql\/query/)
            .at(-1)
            ?.body.toString() ?? "{}";
        const { params } = JSON.parse(sent) as { params?: { question: string } };
        // The displayed value, because a text field normalizes line breaks.
        assert.equal(params?.question, await frame.getByLabel("Question").inputValue());
        assert.ok(await frame.getByRole("button", { name: "Search", exact: true }).isVisible());
      });
      await frame.locator(".chunk").first().waitFor();
      assert.equal(await frame.locator(".search + .result, .result").count(), 1, text);
      assert.equal(await frame.locator("[role=alert]").count(), 0, text);
    }
  });

  for (const theme of Object.keys(themes) as (keyof typeof themes)[]) {
    it(`has no accessibility violation in the ${theme} theme`, async () => {
      await search("May I keep a dog?");
      await frame.locator("mark", { hasText: "dog" }).first().waitFor();
      await journey.workbench.setTheme(theme);
      assert.deepEqual(await axeViolations(frame), []);
      await journey.workbench.screenshot(`knowledge-base-${theme}`, { readme: theme === "dark" });
    });
  }

  it("shows all its content in a narrow window", async () => {
    const { page } = journey.workbench;
    await page.setViewportSize({ width: 640, height: 800 });
    const { wider, outside } = await frame.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      const right = (node: Element) => node.getBoundingClientRect().right;
      const controls = [...document.querySelectorAll("button, input, select, textarea")];
      return {
        wider: scrollWidth - clientWidth,
        outside: controls.filter((node) => right(node) > clientWidth).length,
      };
    });
    assert.deepEqual({ wider, outside }, { wider: 0, outside: 0 });
    assert.deepEqual(await axeViolations(frame), []);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it("restores the search result after a reload", async () => {
    await journey.reload();
    frame = await journey.workbench.frameWith(".chunk mark");
    assert.equal(await frame.getByLabel("Question").inputValue(), "May I keep a dog?");
    assert.equal(await frame.getByLabel("Limit").inputValue(), "50");
  });

  it("shows two searches beside each other, with what differs", async () => {
    await frame.getByRole("button", { name: "Compare with Another Search" }).click();
    await frame.getByText("Change the question, the limit").waitFor();
    await frame.getByLabel("Question").fill("What does the deposit cost?");
    await frame.getByLabel("Limit").fill("2");
    await frame.getByLabel("Question").press("Enter");
    const results = frame.locator(".comparison .result");
    await results.nth(1).locator("h3", { hasText: "deposit" }).waitFor();
    assert.match(await results.first().locator("h3").innerText(), /May I keep a dog\?/);
    assert.equal(await results.nth(1).locator(".chunk").count(), 2);
    await results.first().getByText("Only here").first().waitFor();
    await journey.workbench.screenshot("knowledge-base-compare");
    await frame.getByRole("button", { name: "End Comparison" }).click();
    await frame.getByRole("button", { name: "Compare with Another Search" }).waitFor();
    await frame.getByLabel("Question").fill("May I keep a dog?");
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
    assert.equal(await agent.getAttribute("data-index"), "0");
    await workbench.screenshot("knowledge-base-agents");
    await agent.click();
    const chat = await journey.chat("rental_agent");
    await eventually(async () => {
      assert.equal(await chat.frame.locator("textarea").inputValue(), "May I keep a dog?");
    });
    assert.equal(server.requests(/completions/).length, 0);
  });
});
