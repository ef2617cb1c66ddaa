// An update of the extension: the pages that were open are there again, with what was typed and answered.
import assert from "node:assert/strict";
import path from "node:path";
import { AgentForm } from "./lib/agentForm.ts";
import { expectValue } from "./lib/expect.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";
import { KnowledgeBasePage } from "./lib/knowledgeBasePage.ts";
import { modelPage as itemPage } from "./lib/modelPage.ts";
import { SqlEditor } from "./lib/sqlEditor.ts";
import { SqlResults } from "./lib/sqlResults.ts";

describe("After an update of the extension", () => {
  const server = useServer();
  const older = process.env["OLDER_VSIX"];
  const journey = useWorkbench(() => ({
    ...connectedTo({ Rentals: server }),
    ...(older && { vsix: path.resolve(older) }),
  }));
  const of = (...names: string[]) => ["Rentals", ...names];
  const statement = "SELECT location FROM files.home_rentals LIMIT 3";
  const editor = new SqlEditor(() => journey.workbench);
  const results = new SqlResults(() => journey.workbench);
  const show = (title: string) => journey.workbench.editors.activate(journey.workbench.tab(title));
  /** Shows a tab whose title says more: that of a chat, or of a changed form. */
  const showWith = (title: string) => {
    const tabs = journey.workbench.page.locator(".tabs-container .tab", { hasText: title });
    return journey.workbench.editors.activate(tabs.first());
  };

  before("open a page of each kind", async function () {
    // As many steps as several tests have.
    this.timeout(300_000);
    const { tree, workbench } = journey;
    for (const group of ["Knowledge Bases", "Agents", "Models"]) {
      await tree.expand(of("mindsdb", group));
    }
    const chat = await journey.chatWith("Rentals", "mindsdb", "rental_agent");
    await chat.ask("What is the average rental price per location?");
    await chat.ended(1);
    await tree.click(of("mindsdb", "Knowledge Bases", "rental_guide"));
    await (await KnowledgeBasePage.with(workbench, "rental_guide")).search("Large dogs?");
    await tree.click(of("mindsdb", "Models", "home_rentals_model"));
    await itemPage(workbench, "home_rentals_model", "Column importance");
    await tree.expand(of("Data"));
    await tree.expand(of("Data", "files"));
    await tree.click(of("Data", "files", "home_rentals"));
    await itemPage(workbench, "home_rentals", "First 100 rows");
    await workbench.command("MindsDB: Create Agent…");
    await (await AgentForm.with(workbench)).fill("name", "typed_before");
    await tree.contextMenu(["Rentals"], "New SQL File");
    await editor.isOpenOn("Rentals");
    await editor.type(statement);
    await editor.press("Control+Enter");
    await (await results.of(statement)).when(({ count }) => assert.match(count, /^3 rows/));
    await journey.workbench.update("typed_before");
    await workbench.openView("MindsDB");
  });

  it("an agent's answer is there, and the next question is answered", async () => {
    await showWith("rental_agent");
    const chat = await journey.chat("rental_agent");
    assert.equal((await chat.ended(1)).state, "answered");
    await chat.ask("How many homes are there?");
    assert.equal((await chat.ended(2)).state, "answered");
  });

  it("the pages of a knowledge base, a model and a table show what the server has", async () => {
    const { workbench } = journey;
    await show("rental_guide");
    const page = await KnowledgeBasePage.with(workbench, "rental_guide");
    await page.search("Large dogs?");
    await page.frame.locator(".chunk mark").first().waitFor();
    await show("home_rentals_model");
    await itemPage(workbench, "home_rentals_model", "Column importance");
    await show("home_rentals");
    await itemPage(workbench, "home_rentals", "First 100 rows");
  });

  it("a form has what was typed", async () => {
    await showWith("Create Agent");
    const form = await AgentForm.with(journey.workbench);
    await expectValue(form.control("name"), "typed_before");
  });

  it("the result of a statement can be seen", async () => {
    const result = await results.of(statement);
    await result.when(({ count }) => assert.match(count, /^3 rows/));
  });
});
