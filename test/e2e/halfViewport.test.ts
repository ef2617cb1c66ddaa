// Magnification to twice the size: half the window's width and height, at twice the device scale. The agent form, the
// pages of a knowledge base and a model, and the chat clip nothing, in every theme.
import assert from "node:assert/strict";
import type { Frame } from "playwright-core";
import { AgentForm } from "./lib/agentForm.ts";
import { axeViolations } from "./lib/axe.ts";
import { eventually } from "./lib/eventually.ts";
import { scrollToEnd, scrollToStart } from "./lib/frames.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";
import { KnowledgeBasePage } from "./lib/knowledgeBasePage.ts";
import { clippedElements } from "./lib/clippedElements.ts";
import { modelPage } from "./lib/modelPage.ts";
import { themes } from "./lib/workbench.ts";

describe("At half the viewport and twice the device scale", () => {
  const server = useServer();
  const journey = useWorkbench(() => ({
    ...connectedTo({ Rentals: server }),
    deviceScaleFactor: 2,
  }));
  const of = (group: string, name: string) => ["Rentals", "mindsdb", group, name];

  before("look at what the server has, with room for it", async () => {
    for (const group of ["Knowledge Bases", "Agents", "Models"]) {
      await journey.tree.expand(["Rentals", "mindsdb", group]);
    }
  });

  /** Checks a page that is alone in the small window. */
  async function small(shown: Frame, name: string): Promise<void> {
    const { workbench } = journey;
    await workbench.page.setViewportSize({ width: 640, height: 400 });
    await workbench.command("View: Close Primary Side Bar");
    await workbench.page.locator(".part.sidebar").waitFor({ state: "hidden" });
    for (const theme of Object.keys(themes) as (keyof typeof themes)[]) {
      await workbench.setTheme(theme);
      await eventually(async () => {
        assert.deepEqual(await clippedElements(shown), [], theme);
        assert.deepEqual(await axeViolations(shown), [], theme);
      });
      await scrollToStart(shown);
      await workbench.screenshot(`half-${name}-${theme}`);
    }
    await scrollToEnd(shown);
    await workbench.screenshot(`half-${name}-end`);
    await workbench.page.setViewportSize({ width: 1280, height: 800 });
    await workbench.openView("MindsDB");
  }

  it("a knowledge base page shows all its content", async () => {
    await journey.tree.click(of("Knowledge Bases", "rental_guide"));
    const page = await KnowledgeBasePage.with(journey.workbench, "rental_guide");
    await page.frame.getByRole("button", { name: "Add Filter" }).click();
    await page.search("Large dogs?");
    await page.frame.locator(".chunk mark").first().waitFor();
    await page.frame.locator(".chunk summary").first().click();
    await small(page.frame, "knowledge-base");
  });

  it("a model page shows all its content", async () => {
    await journey.tree.click(of("Models", "home_rentals_model"));
    const frame = await modelPage(journey.workbench, "home_rentals_model", "Column importance");
    await small(frame, "model");
  });

  it("a chat shows all its content", async () => {
    const chat = await journey.chatWith("Rentals", "mindsdb", "rental_agent");
    await chat.ask("What is the average rental price per location?");
    await chat.ended(1);
    await small(chat.frame, "chat");
  });

  it("the agent form shows all its content, with problems and a server error", async () => {
    const { workbench } = journey;
    await workbench.command("MindsDB: Create Agent…");
    const form = await AgentForm.with(workbench);
    await form.fill("name", "rental_agent");
    await form.choose("model", "Custom model");
    await form.fill("modelName", "gpt-4o");
    await form.fill("apiKey", "made-up-key-0001");
    await form.fill("baseUrl", "http://host.invalid:11434");
    await form.button("Select Tables…").click();
    await workbench.quickInput.expect("Select what the agent can query");
    await workbench.quickInput.check("files.*");
    await workbench.quickInput.press("Enter");
    await eventually(async () => assert.equal((await form.entries("tables")).length, 1));
    await form.button("Generate from Selected Data").click();
    await eventually(async () => {
      assert.match(await form.control("instruction").inputValue(), /files\./);
    });
    await form.button("Create Agent").click();
    await eventually(async () => assert.match(await form.problem("name"), /has an agent named/));
    await small(form.frame, "form");
  });
});
