// A user leaves conversations while they run, finds them again, and takes their texts elsewhere.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Chat } from "./lib/chat.ts";
import { eventually } from "./lib/eventually.ts";
import { expectCount, expectText } from "./lib/expect.ts";
import type { HeldQuestion } from "./lib/heldStreams.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";
import { patiently } from "./lib/once.ts";

describe("Conversations", () => {
  const server = useServer();
  const journey = useWorkbench(() => connectedTo({ Rentals: server }));
  const agent = ["Rentals", "mindsdb", "Agents", "rental_agent"];
  const end = { type: "end" };

  const openChat = () => journey.chatWith("Rentals", "mindsdb", "rental_agent");
  const chat = () => journey.chat("rental_agent");

  async function askHeld(page: Chat, question: string): Promise<HeldQuestion> {
    const held = server.hold();
    await page.ask(question);
    return held;
  }

  function answer(held: HeldQuestion, text: string): void {
    held.send({ type: "data", text }, end);
    held.end();
  }

  async function closeTab(page: Chat): Promise<void> {
    await journey.workbench.editors.close();
    await eventually(() => {
      assert.ok(page.frame.isDetached());
    });
  }

  /** Waits until the status bar says where the cursor of the active editor is, and how much is selected. */
  function cursorIs(says: string): Promise<void> {
    const shown = journey.workbench.page.locator("[id='status.editor.selection']");
    return eventually(async () => {
      assert.equal(await shown.innerText({ timeout: 1_000 }), says);
    }, 3_000);
  }

  describe("whose tab is closed while the agent answers", () => {
    let held: HeldQuestion;

    it("continue, with a badge on the agent and a note in the list", async () => {
      const page = await openChat();
      held = await askHeld(page, "How many homes are there?");
      held.send({ type: "context", content: "Creating execution plan..." });
      await eventually(async () => assert.equal((await page.lastRun()).steps.length, 1));
      await closeTab(page);
      await eventually(async () => assert.equal(await journey.tree.badge(agent), "…"));
      // While the mouse is over the row, its buttons cover the badge.
      await journey.workbench.page.mouse.move(800, 500);
      await journey.workbench.screenshot("answering-in-background");
      await journey.tree.contextMenu(agent, "Open Conversation…");
      const { quickInput } = journey.workbench;
      await quickInput.expect("Open a Conversation with rental_agent");
      const row = quickInput.row("How many homes are there?");
      await expectText(row, / · answering/);
      await quickInput.cancel();
    });

    it("show that there is a new answer until it is read", async () => {
      answer(held, "There are 40.");
      await eventually(async () => assert.equal(await journey.tree.badge(agent), "●"));
      await journey.tree.contextMenu(agent, "Open Conversation…");
      const { quickInput } = journey.workbench;
      await quickInput.expect("Open a Conversation with rental_agent");
      const row = quickInput.row("How many homes are there?");
      await expectText(row, / · new answer/);
      await quickInput.clickRow(row);
      const run = await (await chat()).ended(1);
      assert.deepEqual([run.state, run.answer], ["answered", "There are 40."]);
      await eventually(async () => assert.equal(await journey.tree.badge(agent), ""));
    });

    it("are restored after a restart of VS Code", async () => {
      const before = await (await chat()).runs();
      await journey.restart("How many homes are there?");
      await eventually(async () => assert.deepEqual(await (await chat()).runs(), before));
    });

    it("keep an answer that was replaced", async () => {
      const page = await chat();
      answer(await askHeld(page, "And the most expensive?"), "The villa.");
      await page.ended(2);
      const asked = server.hold();
      await page.askAgain();
      answer(await asked, "The castle.");
      const last = page.frame.locator(".run:visible").last();
      await last.getByText(/Answer 2 of 2/).waitFor();
      await journey.workbench.screenshot("answer-versions");
    });
  });

  describe("in the picker", () => {
    it("are opened by the button in the title bar, those with this agent first", async () => {
      const { page, quickInput } = journey.workbench;
      await page
        .locator(".editor-actions .action-label[aria-label^='Open Conversation']")
        .first()
        .click();
      await quickInput.expect("Open a Conversation");
      await quickInput.expectLabels(["How many homes are there?"]);
      await quickInput.cancel();
    });

    it("are found by what was answered, renamed and pinned", async () => {
      const { workbench } = journey;
      const { quickInput } = workbench;
      await quickInput.openWith(
        () => workbench.command("MindsDB: Open Conversation…"),
        "search questions and answers",
      );
      await quickInput.box.fill("castle");
      const row = quickInput.row("How many homes are there?");
      await row.getByText(/The castle\./).waitFor();
      await workbench.screenshot("conversation-search");
      await quickInput.rowButton("How many homes are there?", "Rename This Conversation…");
      await quickInput.enter("Rename Conversation", "Homes and castles");
      await quickInput.rowButton("Homes and castles", "Pin This Conversation");
      const renamed = quickInput.row("Homes and castles");
      await renamed.locator(".codicon-pinned").first().waitFor();
      await quickInput.cancel();
      await workbench.tab("rental_agent: Homes and castles").waitFor();
    });
  });

  describe("with a table as answer", () => {
    const rows = ["| city | homes |", "| --- | --- |", "| Ulm | 3 |", "| Bonn | 12 |"].join("\n");

    it("export it", async () => {
      const { workbench } = journey;
      const page = await chat();
      answer(await askHeld(page, "How many per city?"), rows);
      await page.ended(4);
      const table = page.frame.locator(".run").last().locator(".answer");
      await workbench.screenshot("answer-table");
      await table.getByRole("button", { name: "Export…" }).click();
      await workbench.quickInput.saveAs("rental_agent.csv", "cities.csv");
      await workbench.dialogs.toast("Exported 2 rows");
      const file = path.join(workbench.folder, "cities.csv");
      assert.equal(fs.readFileSync(file, "utf8").trim(), "city,homes\r\nUlm,3\r\nBonn,12");
    });
  });

  describe("as text", () => {
    it("are exported as Markdown, with every answer", async () => {
      const { workbench } = journey;
      await (await chat()).composer.click();
      await workbench.command("MindsDB: Export Conversation…");
      await workbench.quickInput.pick("What should be exported?", "Whole Conversation");
      await workbench.quickInput.saveAs("rental_agent.md", "conversation.md");
      await workbench.dialogs.toast("Exported the conversation to");
      const text = fs.readFileSync(path.join(workbench.folder, "conversation.md"), "utf8");
      assert.match(
        text,
        /^# rental\\_agent\n\nmindsdb on Rentals\n\n## How many homes are there\?\n/,
      );
      for (const said of ["There are 40.", "The villa.", "The castle.", "| Bonn | 12 |"]) {
        assert.ok(text.includes(said), said);
      }
      await workbench.clearNotifications();
    });

    it("show the differences of two answers", async () => {
      const { workbench } = journey;
      const { page, quickInput } = workbench;
      await (await chat()).composer.click();
      await workbench.command("MindsDB: Compare Answers…");
      await quickInput.expect("Select an answer");
      const castle = quickInput.row("And the most expensive?");
      await expectText(castle, / · Answer 2 of 2/);
      await quickInput.clickRow(castle);
      await quickInput.expect("Select the answer to compare it with");
      await quickInput.choose("And the most expensive?");
      await workbench.tab("Two answers of rental_agent").waitFor();
      const side = (name: string) => page.locator(`.editor.${name} .view-lines`);
      await side("original").getByText("The villa.").waitFor();
      await side("modified").getByText("The castle.").waitFor();
      await workbench.screenshot("compared-answers");
      await workbench.reload();
      await workbench.tab("Two answers of rental_agent").waitFor();
      await side("modified").getByText("The castle.").waitFor();
      await workbench.editors.close();
    });

    it("take the selection of an editor into a question", async () => {
      const { workbench } = journey;
      const { page, quickInput } = workbench;
      fs.writeFileSync(path.join(workbench.folder, "query.sql"), "SELECT 1;\nSELECT 2;\n");
      await workbench.openFile("query.sql");
      await eventually(async () => {
        await page.locator(".view-line:visible", { hasText: "1;" }).click(patiently);
        await page.keyboard.press("Home");
        await page.keyboard.press("Shift+End");
        await cursorIs("Ln 1, Col 10 (9 selected)");
      });
      await workbench.command("MindsDB: Ask Agent About Selection…");
      await quickInput.row("rental_agent").waitFor();
      await quickInput.choose("rental_agent");
      const held = await chat();
      await eventually(async () => {
        assert.equal(await held.composer.inputValue(), "```sql\nSELECT 1;\n```\n\n");
      });
      await workbench.screenshot("ask-about-selection");
    });

    it("insert the code of an answer at the cursor of the last editor", async () => {
      const { workbench } = journey;
      const { keyboard } = workbench.page;
      const file = path.join(workbench.folder, "report.py");
      fs.writeFileSync(file, "import db\n\n");
      await workbench.openFile("report.py");
      const code = workbench.page.locator(".view-line:visible", { hasText: "import" });
      await code.waitFor();
      await workbench.command("View: Move Editor into Next Group");
      await expectCount(workbench.page.locator(".editor-group-container"), 2);
      await eventually(async () => {
        await code.click(patiently);
        await keyboard.press("Control+End");
        await cursorIs("Ln 3, Col 1");
      });
      const page = await openChat();
      answer(await askHeld(page, "How do I print it?"), "Like this:\n\n```python\nprint(1)\n```");
      await page.frame.locator(".answer pre").last().hover();
      await workbench.screenshot("code-block");
      await page.button("Insert at Cursor").last().click();
      // The editor has the focus.
      await eventually(async () => {
        await keyboard.press("Control+S");
        assert.equal(fs.readFileSync(file, "utf8"), "import db\n\nprint(1)");
      });
      await workbench.editors.close();
    });
  });
});
