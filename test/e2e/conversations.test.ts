// A user leaves conversations while they run, queues questions, asks again, and finds conversations again.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Locator } from "playwright-core";
import type { Chat } from "./lib/chat.ts";
import { eventually } from "./lib/eventually.ts";
import type { HeldQuestion } from "./lib/heldStreams.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";

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
    await journey.workbench.command("View: Close Editor");
    await eventually(() => {
      assert.ok(page.frame.isDetached());
    });
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
      assert.match(await row.innerText(), / · answering/);
      await quickInput.cancel();
    });

    it("show that there is a new answer until it is read", async () => {
      answer(held, "There are 40.");
      await eventually(async () => assert.equal(await journey.tree.badge(agent), "●"));
      await journey.tree.contextMenu(agent, "Open Conversation…");
      const { quickInput } = journey.workbench;
      await quickInput.expect("Open a Conversation with rental_agent");
      const row = quickInput.row("How many homes are there?");
      assert.match(await row.innerText(), / · new answer/);
      await row.click();
      const run = await (await chat()).ended(1);
      assert.deepEqual([run.state, run.answer], ["answered", "There are 40."]);
      await eventually(async () => assert.equal(await journey.tree.badge(agent), ""));
    });

    it("are restored after a restart of VS Code", async () => {
      const before = await (await chat()).runs();
      await journey.restart("How many homes are there?");
      await eventually(async () => assert.deepEqual(await (await chat()).runs(), before));
    });

    it("are stopped only by Stop", async () => {
      const page = await chat();
      const stopped = await askHeld(page, "Take your time");
      await page.stop();
      assert.equal((await page.ended(2)).state, "stopped");
      await stopped.closed;
    });
  });

  describe("with queued questions", () => {
    const waiting = (page: Chat): Locator => page.frame.locator(".waiting li .text");

    it("show them, remove them, and send them after the answer", async () => {
      const page = await chat();
      const first = await askHeld(page, "What is the cheapest home?");
      await page.ask("And the most expensive?");
      await page.ask("Never mind this one");
      await eventually(async () => {
        assert.deepEqual(await waiting(page).allInnerTexts(), [
          "And the most expensive?",
          "Never mind this one",
        ]);
      });
      await journey.workbench.screenshot("questions-waiting");
      await page.frame
        .locator(".waiting li", { hasText: "Never mind" })
        .getByRole("button", { name: "Remove" })
        .click();
      await eventually(async () => {
        assert.deepEqual(await waiting(page).allInnerTexts(), ["And the most expensive?"]);
      });
      const second = server.hold();
      answer(first, "The studio.");
      answer(await second, "The villa.");
      const run = await page.ended(4);
      assert.deepEqual([run.question, run.answer], ["And the most expensive?", "The villa."]);
      assert.equal(await waiting(page).count(), 0);
    });

    it("recall the last question with Up", async () => {
      const page = await chat();
      await page.composer.click();
      await page.composer.press("ArrowUp");
      assert.equal(await page.composer.inputValue(), "And the most expensive?");
      await page.composer.press("ArrowUp");
      assert.equal(await page.composer.inputValue(), "What is the cheapest home?");
      await page.composer.press("ArrowDown");
      await page.composer.press("ArrowDown");
      assert.equal(await page.composer.inputValue(), "");
    });
  });

  describe("with a question that is asked again", () => {
    it("replace the answer, and keep the old one", async () => {
      const page = await chat();
      const asked = server.hold();
      await page.askAgain();
      const held = await asked;
      assert.equal(held.messages.at(-1)?.question, "And the most expensive?");
      answer(held, "The castle.");
      const visible = page.frame.locator(".run:visible");
      await eventually(async () => {
        assert.match(await visible.last().innerText(), /Answer 2 of 2[^]*The castle\./);
      });
      assert.equal(await visible.count(), 4);
      const earlier = visible.last().getByRole("button", { name: "Show Previous Answer" });
      await earlier.focus();
      await journey.workbench.page.keyboard.press("Enter");
      await eventually(async () => {
        assert.match(await visible.last().innerText(), /Answer 1 of 2[^]*The villa\./);
      });
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
      assert.deepEqual(await quickInput.labels(), ["How many homes are there?"]);
      await quickInput.cancel();
    });

    it("are found by what was answered, renamed and pinned", async () => {
      const { workbench } = journey;
      const { page, quickInput } = workbench;
      await quickInput.openWith(
        () => workbench.command("MindsDB: Open Conversation…"),
        "search questions and answers",
      );
      await quickInput.box.fill("castle");
      const row = quickInput.row("How many homes are there?");
      await row.getByText(/The castle\./).waitFor();
      await row.hover();
      await workbench.screenshot("conversation-search");
      await row.getByRole("button", { name: "Rename This Conversation…" }).click();
      await quickInput.expect("Rename Conversation");
      await quickInput.box.fill("Homes and castles");
      await page.keyboard.press("Enter");
      const renamed = quickInput.row("Homes and castles");
      await renamed.hover();
      await renamed.getByRole("button", { name: "Pin This Conversation", exact: true }).click();
      await renamed.locator(".codicon-pinned").first().waitFor();
      await quickInput.cancel();
      await workbench.tab("rental_agent: Homes and castles").waitFor();
    });
  });

  describe("with a table as answer", () => {
    const rows = ["| city | homes |", "| --- | --- |", "| Ulm | 3 |", "| Bonn | 12 |"].join("\n");

    it("sort it, and export all of it", async () => {
      const { workbench } = journey;
      const page = await chat();
      answer(await askHeld(page, "How many per city?"), rows);
      await page.ended(6);
      const table = page.frame.locator(".run").last().locator(".answer");
      const cells = () => table.getByRole("gridcell").allInnerTexts();
      await eventually(async () => assert.deepEqual(await cells(), ["Ulm", "3", "Bonn", "12"]));
      const head = table.getByRole("columnheader", { name: "homes" });
      await head.click();
      await head.click();
      await eventually(async () => assert.deepEqual(await cells(), ["Bonn", "12", "Ulm", "3"]));
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
      await workbench.command("Notifications: Clear All Notifications");
    });

    it("show the differences of two answers", async () => {
      const { workbench } = journey;
      const { page, quickInput } = workbench;
      await (await chat()).composer.click();
      await workbench.command("MindsDB: Compare Answers…");
      await quickInput.expect("Select an answer");
      const castle = quickInput.row("And the most expensive?");
      assert.match(await castle.innerText(), / · Answer 2 of 2/);
      await castle.click();
      await quickInput.expect("Select the answer to compare it with");
      await quickInput.row("And the most expensive?").click();
      await workbench.tab("Two answers of rental_agent").waitFor();
      const side = (name: string) => page.locator(`.editor.${name} .view-lines`);
      await side("original").getByText("The villa.").waitFor();
      await side("modified").getByText("The castle.").waitFor();
      await workbench.screenshot("compared-answers");
      await workbench.reload();
      await workbench.tab("Two answers of rental_agent").waitFor();
      await side("modified").getByText("The castle.").waitFor();
      await workbench.command("View: Close Editor");
    });

    it("take the selection of an editor into a question", async () => {
      const { workbench } = journey;
      const { page, quickInput } = workbench;
      fs.writeFileSync(path.join(workbench.folder, "query.sql"), "SELECT 1;\nSELECT 2;\n");
      await workbench.openFile("query.sql");
      await page.locator(".monaco-editor .view-line").first().click();
      await page.keyboard.press("Home");
      await page.keyboard.press("Shift+End");
      await workbench.command("MindsDB: Ask Agent About Selection…");
      await quickInput.row("rental_agent").waitFor();
      await quickInput.row("rental_agent").click();
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
      await workbench.command("View: Move Editor into Next Group");
      await workbench.page.locator(".monaco-editor .view-line").last().click();
      await keyboard.press("Control+End");
      const page = await openChat();
      answer(await askHeld(page, "How do I print it?"), "Like this:\n\n```python\nprint(1)\n```");
      const code = page.frame.locator(".answer pre").last();
      await code.hover();
      await workbench.screenshot("code-block");
      await page.button("Insert at Cursor").last().click();
      // The editor has the focus.
      await eventually(async () => {
        await keyboard.press("Control+S");
        assert.equal(fs.readFileSync(file, "utf8"), "import db\n\nprint(1)");
      });
      await workbench.command("View: Close Editor");
    });
  });

  describe("with an edited question", () => {
    const shown = async (page: Chat) =>
      (await page.frame.locator(".run:visible .question").allInnerTexts()).slice(-2);

    it("begin a branch, send only that, and keep the other within reach", async () => {
      const { workbench } = journey;
      const { keyboard } = workbench.page;
      const page = await openChat();
      for (const [question, text] of [
        ["How big is the studio?", "30 square meters."],
        ["Is that small?", "Yes."],
      ] as const) {
        answer(await askHeld(page, question), text);
        await eventually(async () => assert.equal((await page.lastRun()).answer, text));
      }
      const run = page.frame.locator(".run:visible", { hasText: "How big is the studio?" });
      await run.hover();
      await run.getByRole("button", { name: "Edit and Ask Again" }).click();
      const asked = server.hold();
      await page.frame
        .getByRole("textbox", { name: "Edit Question" })
        .fill("How big is the villa?");
      await workbench.screenshot("edit-question");
      await keyboard.press("Enter");
      const held = await asked;
      assert.deepEqual(
        held.messages.map(({ question }) => question).filter((text) => / big | small/.test(text)),
        ["How big is the villa?"],
      );
      answer(held, "300 square meters.");
      const branches = page.frame.locator(".branches:visible");
      await eventually(async () => assert.equal(await branches.innerText(), "Question 2 of 2"));
      assert.equal((await shown(page))[1], "How big is the villa?");
      await page.button("Show Previous Question").focus();
      await keyboard.press("Enter");
      await eventually(async () =>
        assert.deepEqual(await shown(page), ["How big is the studio?", "Is that small?"]),
      );
      await workbench.screenshot("question-versions");
    });

    it("show the same branch after a restart, and export only that", async () => {
      await journey.restart("Homes and castles");
      const { workbench } = journey;
      const page = await chat();
      await eventually(async () =>
        assert.deepEqual(await shown(page), ["How big is the studio?", "Is that small?"]),
      );
      await page.composer.click();
      await workbench.command("MindsDB: Export Conversation…");
      await workbench.quickInput.saveAs("rental_agent.md", "branch.md");
      await workbench.dialogs.toast("Exported the conversation to");
      const text = fs.readFileSync(path.join(workbench.folder, "branch.md"), "utf8");
      assert.match(text, /Is that small/);
      assert.doesNotMatch(text, /villa\?/);
      await page.button("Show Next Question").click();
      await eventually(async () => assert.equal((await shown(page))[1], "How big is the villa?"));
    });
  });
});
