// The page of an agent in a browser: every field, deleted agents, hostile texts, and accessibility in every theme.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { readAgentDetails } from "../../src/agents/agentDetails.ts";
import { agentCalls, type AgentContent } from "../../src/agents/agentPage.ts";
import type { ItemState } from "../../src/shared/itemPage.ts";
import { axeViolations } from "../e2e/lib/axe.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { clippedElements } from "../e2e/lib/clippedElements.ts";
import { hostileTexts } from "./hostile.ts";
import { PanelPages, themeNames, type PageOptions, type StatePage } from "./panelPages.ts";

type State = ItemState & AgentContent;
type AgentPage = StatePage<State, typeof agentCalls>;

const pictures = path.resolve(import.meta.dirname, "..", "..", "out", "screenshots", "page");

const row = {
  id: 7,
  name: "rental_agent",
  project_id: 1,
  created_at: "2026-11-21 08:57:37.591713",
  updated_at: "2026-11-21 09:12:01.000001",
  data: {
    tables: ["files.home_rentals", "warehouse.a_schema_with_a_long_name.a_table_with_a_long_name"],
    knowledge_bases: ["mindsdb.*"],
  },
  model: { provider: "openai", model_name: "gpt-4o", api_key: "******" },
  prompt_template: "Answer from the data.\nSay so where it says nothing.",
  params: { mode: "text" },
};
const ref = { connectionId: "local", project: "mindsdb", name: "rental_agent" };
const shown: State = {
  item: ref,
  title: ref.name,
  connection: "127.0.0.1:47334",
  isLoading: false,
  isGone: false,
  details: readAgentDetails(row),
};
const gone: Partial<State> = {
  isGone: true,
  notice: { text: "rental_agent is no longer in mindsdb. It may have been deleted or renamed." },
};

describe("The page of an agent", function () {
  this.timeout(180_000);
  let pages: PanelPages;
  before(async () => {
    pages = await PanelPages.start("src/agents/page/agentPage.tsx");
    fs.mkdirSync(pictures, { recursive: true });
  });
  after(() => pages.stop());

  const open = (options?: PageOptions): Promise<AgentPage> =>
    pages.show(agentCalls, shown, options);
  const button = ({ page }: AgentPage, name: string) => page.getByRole("button", { name });

  it("shows every field, and calls the host for each button", async () => {
    const agent = await open();
    const names = await agent.page.locator(".field-name").allInnerTexts();
    assert.deepEqual(
      names.filter((name) => name in row),
      [
        "id",
        "name",
        "project_id",
        "created_at",
        "updated_at",
        "model",
        "data",
        "prompt_template",
        "params",
      ],
    );
    const glance = await agent.page.locator(".glance dd").allInnerTexts();
    assert.deepEqual(glance, ["openai · gpt-4o", "2026-11-21 08:57:37", "2026-11-21 09:12:01"]);
    for (const name of ["Ask", "Edit", "Refresh", "Copy Instruction"]) {
      await button(agent, name).click();
    }
    await eventually(() =>
      assert.deepEqual(agent.calls, [["ask"], ["edit"], ["refresh"], ["copyInstruction"]]),
    );
    await agent.close();
  });

  it("disables its actions when the agent is deleted, and enables them when it is back", async () => {
    const agent = await open();
    await button(agent, "Edit").focus();
    await agent.update(gone);
    await agent.page.getByRole("alert").getByText("is no longer in mindsdb").waitFor();
    assert.equal(await button(agent, "Ask").count(), 0);
    assert.equal(await button(agent, "Edit").count(), 0);
    const focused = await agent.page.evaluate(() => document.activeElement?.ariaLabel);
    assert.equal(focused, "Refresh");
    // The last known details stay.
    assert.ok((await agent.page.locator(".field-name").count()) > 0);
    await agent.update({ isGone: false, notice: undefined });
    assert.equal(await button(agent, "Ask").count(), 1);
    assert.equal(await agent.page.getByRole("alert").count(), 0);
    await agent.close();
  });

  it("restores its scroll position and state when it is created again", async () => {
    const agent = await open({ height: 300 });
    await agent.page.evaluate(() => window.scrollTo({ top: 200 }));
    await agent.page.waitForFunction(
      () => (JSON.parse(sessionStorage.getItem("state") ?? "{}") as { scroll?: number }).scroll,
    );
    await agent.reload();
    assert.equal(await agent.page.evaluate(() => window.scrollY), 200);
    assert.deepEqual((await agent.state())["item"], ref);
    await agent.close();
  });

  it("shows every text as plain text", async () => {
    const agent = await open();
    let scripts = 0;
    await agent.page.exposeFunction("pwned", () => scripts++);
    const details = readAgentDetails({
      ...row,
      prompt_template: hostileTexts.join("\n"),
      data: { tables: hostileTexts, knowledge_bases: hostileTexts },
      ...Object.fromEntries(hostileTexts.map((text) => [text, text])),
    });
    await agent.update({ details });
    const shown = await agent.page.locator(".entries").first().locator("li").allTextContents();
    assert.deepEqual(shown, hostileTexts);
    assert.equal(scripts, 0);
    assert.equal(agent.watch.foreignRequests().length, 0);
    assert.equal(agent.watch.violations.length, 0);
    assert.deepEqual(agent.watch.errors, []);
    await agent.close();
  });

  it("shows the beginning of a field's name that no server has", async () => {
    const agent = await open();
    await agent.update({ details: readAgentDetails({ ...row, ["_".repeat(1_000_000)]: 1 }) });
    const name = agent.page.locator(".field-name", { hasText: "___" });
    assert.equal(await name.innerText(), `${"_".repeat(299)}…`);
    await agent.close();
  });

  for (const theme of themeNames) {
    it(`has no accessibility violation in ${theme}, complete, deleted and narrow`, async () => {
      for (const [state, width] of [
        ["there", 800],
        ["gone", 320],
      ] as const) {
        const agent = await open({ theme, width });
        const { page } = agent;
        if (state === "gone") await agent.update(gone);
        assert.deepEqual(await axeViolations(page.mainFrame()), [], state);
        assert.deepEqual(await clippedElements(page.mainFrame()), [], state);
        await page.evaluate(() => window.scrollTo({ top: 0 }));
        await page.screenshot({ path: path.join(pictures, `agent-${state}-${theme}.png`) });
        await agent.close();
      }
    });
  }
});
