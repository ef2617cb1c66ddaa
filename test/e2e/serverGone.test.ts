// A server goes away and comes back: everything that shows it says so, and recovers by itself.
import assert from "node:assert/strict";
import { AgentForm } from "./lib/agentForm.ts";
import { eventually } from "./lib/eventually.ts";
import { expectCount } from "./lib/expect.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";

describe("A server that is gone", () => {
  const server = useServer();
  const journey = useWorkbench(() => connectedTo({ Rentals: server }));
  const agents = ["Rentals", "mindsdb", "Agents"];
  const row = () => journey.tree.find(["Rentals"]);
  const statusBar = () =>
    journey.workbench.page
      .locator(".statusbar-item[id$='.connection'] a")
      .filter({ visible: true });

  it("is marked in the tree and in the status bar, and a form offers a diagnosis", async () => {
    const { workbench } = journey;
    await workbench.setTheme("dark");
    await journey.tree.expand(agents);
    await journey.tree.contextMenu([...agents, "rental_agent"], "Edit Agent…");
    const form = await AgentForm.with(workbench, "Edit rental_agent");
    await form.fill("instruction", "Answer in one word.");
    await server.proxy.refuse();
    await form.button("Save Changes").click();
    await eventually(async () => assert.match(await form.onTop(), /^Can't reach /));
    await form.button("Diagnose Connection…").waitFor();
    await eventually(async () => {
      assert.match((await row()).description, /^unreachable · 127/);
      assert.equal((await statusBar().innerText()).trim(), "Rentals · unreachable");
    });
    await journey.tree.tooltip(["Rentals"], /Unreachable since: /);
    await workbench.screenshot("server-gone-dark");
    await workbench.editors.close("View: Revert and Close Editor");
  });

  it("is there again when it answers, also for a chat that was opened meanwhile", async () => {
    const chat = await journey.chatWith("Rentals", "mindsdb", "rental_agent");
    await expectCount(chat.frame.locator(".suggestion"), 0);
    await server.proxy.accept();
    await eventually(async () => {
      assert.match((await row()).description, /^26\.1\.0 · 127/);
      assert.equal((await statusBar().innerText()).trim(), "Rentals · 26.1.0");
      assert.ok((await chat.frame.locator(".suggestion").count()) > 0);
    }, 60_000);
    await journey.workbench.screenshot("server-back-dark");
  });

  it("has data sources that are gone, which are changed at the row with the reason", async () => {
    const office = ["Rentals", "Data", "old_office"];
    await journey.tree.expand(office);
    const [reason = ""] = await journey.tree.children(office);
    await journey.workbench.screenshot("data-source-gone-dark");
    await journey.tree.inlineAction([...office, reason], "Edit Data Source…");
    await AgentForm.with(journey.workbench, "Edit old_office");
  });
});
