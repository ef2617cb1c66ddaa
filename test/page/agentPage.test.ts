// The page of an agent in a browser: every field, deleted agents, hostile texts, and accessibility in every theme.
import assert from "node:assert/strict";
import { readAgentDetails } from "../../src/agents/agentDetails.ts";
import { agentCalls, type AgentContent } from "../../src/agents/agentPage.ts";
import type { ItemState } from "../../src/shared/itemPage.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { hostileTexts } from "./hostile.ts";
import {
  itemState,
  themeNames,
  usePanelPages,
  type PageOptions,
  type StatePage,
} from "./panelPages.ts";

type State = ItemState & AgentContent;
type AgentPage = StatePage<State, typeof agentCalls>;

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
const shown: State = { ...itemState("mindsdb", row.name), details: readAgentDetails(row) };
const gone: Partial<State> = {
  isGone: true,
  notice: { text: "rental_agent is no longer in mindsdb. It may have been deleted or renamed." },
};

describe("The page of an agent", () => {
  const pages = usePanelPages("src/agents/page/agentPage.tsx");

  const open = (options?: PageOptions): Promise<AgentPage> =>
    pages.show(agentCalls, shown, options);

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
      await agent.button(name).click();
    }
    await eventually(() =>
      assert.deepEqual(agent.calls, [["ask"], ["edit"], ["refresh"], ["copyInstruction"]]),
    );
  });

  it("disables its actions when the agent is deleted, and enables them when it is back", async () => {
    const agent = await open();
    await agent.button("Edit").focus();
    await agent.update(gone);
    await agent.page.getByRole("alert").getByText("is no longer in mindsdb").waitFor();
    assert.equal(await agent.button("Ask").count(), 0);
    assert.equal(await agent.button("Edit").count(), 0);
    const focused = await agent.page.evaluate(() => document.activeElement?.ariaLabel);
    assert.equal(focused, "Refresh");
    // The last known details stay.
    assert.ok((await agent.page.locator(".field-name").count()) > 0);
    await agent.update({ isGone: false, notice: undefined });
    assert.equal(await agent.button("Ask").count(), 1);
    assert.equal(await agent.page.getByRole("alert").count(), 0);
  });

  it("restores its scroll position and state when it is created again", async () => {
    const agent = await open({ height: 300 });
    await agent.page.evaluate(() => window.scrollTo({ top: 200 }));
    await agent.page.waitForFunction(
      () => (JSON.parse(sessionStorage.getItem("state") ?? "{}") as { scroll?: number }).scroll,
    );
    await agent.reload();
    assert.equal(await agent.page.evaluate(() => window.scrollY), 200);
    assert.deepEqual((await agent.state())["item"], shown.item);
  });

  it("shows every text as plain text", async () => {
    const agent = await open();
    const details = readAgentDetails({
      ...row,
      prompt_template: hostileTexts.join("\n"),
      data: { tables: hostileTexts, knowledge_bases: hostileTexts },
      ...Object.fromEntries(hostileTexts.map((text) => [text, text])),
    });
    await agent.update({ details });
    const shown = await agent.page.locator(".entries").first().locator("li").allTextContents();
    assert.deepEqual(shown, hostileTexts);
  });

  it("shows the beginning of a field's name that no server has", async () => {
    const agent = await open();
    await agent.update({ details: readAgentDetails({ ...row, ["_".repeat(1_000_000)]: 1 }) });
    const name = agent.page.locator(".field-name", { hasText: "___" });
    assert.equal(await name.innerText(), `${"_".repeat(299)}…`);
  });

  for (const theme of themeNames) {
    it(`has no accessibility violation in ${theme}, complete, deleted and narrow`, async () => {
      for (const [state, width] of [
        ["there", 800],
        ["gone", 320],
      ] as const) {
        const agent = await open({ theme, width });
        if (state === "gone") await agent.update(gone);
        await agent.checkLook(`agent-${state}-${theme}`);
      }
    });
  }
});
