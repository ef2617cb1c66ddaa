// A user finds conversations in the side bar, and opens, pins, renames and deletes them there.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Locator } from "playwright-core";
import type { Chat } from "./lib/chat.ts";
import { eventually } from "./lib/eventually.ts";
import { expectCount } from "./lib/expect.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";
import { Tree } from "./lib/tree.ts";

describe("Conversations in the side bar", () => {
  const server = useServer();
  const journey = useWorkbench(() => connectedTo({ Rentals: server }));
  const first = ["rental_agent", "How many homes are there?"];
  const second = ["rental_agent", "Is there a garage?"];

  const view = () => new Tree(journey.workbench.page, journey.tree.sideBar, 1);
  const icon = ([, label = ""]: string[], name: string): Locator =>
    journey.tree.sideBar
      .locator(".pane")
      .nth(1)
      .locator(".monaco-list-row", { hasText: label })
      .locator(`.custom-view-tree-node-item-icon.codicon-${name}`);

  function findEmptyChat(): Promise<Chat> {
    return eventually(async () => {
      const page = await journey.chat("rental_agent");
      assert.deepEqual(await page.runs(), []);
      return page;
    });
  }

  it("are listed by agent, below the connections, once the user opens the view", async () => {
    const page = await journey.chatWith("Rentals", "mindsdb", "rental_agent");
    await page.ask(first[1]!);
    await page.ended(1);
    const section = journey.tree.sideBar.getByRole("button", { name: "Conversations Section" });
    await eventually(async () => {
      if ((await section.getAttribute("aria-expanded")) !== "true") await section.click();
      assert.equal(await section.getAttribute("aria-expanded"), "true");
    });
    await view().find(first);
    await icon(first, "comment").waitFor();
    await eventually(async () => {
      assert.deepEqual(await journey.tree.children([]), ["Rentals"]);
    });
  });

  it("are marked while their agent answers, and until the answer is read", async () => {
    const { workbench } = journey;
    await journey.chat("rental_agent");
    await workbench.command("MindsDB: New Conversation");
    const page = await findEmptyChat();
    const asked = server.hold();
    await page.ask(second[1]!);
    const held = await asked;
    await icon(second, "loading").waitFor();
    await eventually(async () => {
      assert.deepEqual(await view().children(["rental_agent"]), [second[1], first[1]]);
    });
    await workbench.editors.close();
    // An answer that comes before the tab is closed counts as read.
    await eventually(async () => assert.equal(await view().badge(["rental_agent"]), "…"));
    held.send({ type: "data", text: "Yes." }, { type: "end" });
    held.end();
    await icon(second, "circle-filled").waitFor();
    await workbench.page.mouse.move(800, 500);
    await workbench.screenshot("conversations-view");
    await view().click(second);
    await eventually(async () => {
      const [run] = await (await journey.chat("rental_agent")).runs();
      assert.equal(run?.answer, "Yes.");
    });
    await icon(second, "comment").waitFor();
  });

  it("are pinned, renamed and deleted there", async () => {
    const { workbench } = journey;
    const { quickInput, dialogs } = workbench;
    await view().inlineAction(first, "Pin Conversation");
    await icon(first, "pinned").waitFor();
    await eventually(async () => {
      assert.deepEqual(await view().children(["rental_agent"]), [first[1], second[1]]);
    });
    await view().contextMenu(second, "Rename Conversation…");
    await quickInput.enter("Rename Conversation", "Garages");
    const renamed = ["rental_agent", "Garages"];
    await view().find(renamed);
    await workbench.tab("rental_agent: Garages").waitFor();
    await view().contextMenu(renamed, "Delete Conversation…");
    await dialogs.modal("Delete the conversation “Garages”?", "Delete");
    await eventually(async () =>
      assert.deepEqual(await view().children(["rental_agent"]), [first[1]]),
    );
    await expectCount(workbench.tab("rental_agent: Garages"), 0);
  });

  it("that another window has deleted say so, and leave the list", async () => {
    const { workbench } = journey;
    await workbench.editors.closeAll();
    // The list is read again for a closed tab, and then for this.
    await view().inlineAction(first, "Unpin Conversation");
    await icon(first, "comment").waitFor();
    const { dataFolder } = workbench.vscode;
    const [stored = ""] = await eventually(() => {
      const files = fs.globSync("**/*.jsonl", { cwd: dataFolder });
      assert.equal(files.length, 1);
      return files;
    });
    fs.rmSync(path.join(dataFolder, stored));
    await view().click(first);
    await workbench.dialogs.toast("This conversation is no longer stored.");
    await eventually(async () => assert.equal(await icon(first, "comment").count(), 0));
  });
});
