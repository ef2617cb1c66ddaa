// A user asks agents of both server generations, watches every kind of step, and stops.
import assert from "node:assert/strict";
import type { Chat } from "../lib/chat.ts";
import { eventually } from "../lib/eventually.ts";
import { expectCount, expectText } from "../lib/expect.ts";
import type { HeldQuestion } from "../lib/heldStreams.ts";
import { connectedTo, useServer, useSharedWorkbench } from "../lib/journey.ts";
import { patiently, quickly } from "../lib/once.ts";
import { writeSettings } from "../../../scripts/vscode/settings.ts";

describe("Asking an agent", () => {
  const server = useServer();
  const older = useServer({ dialect: "25" });
  const journey = useSharedWorkbench(() => connectedTo({ Rentals: server, Older: older }));

  const context = (content: string) => ({ type: "context", content });
  const end = { type: "end" };
  /** The chat's editor, after its first question. */
  const title = "rental_agent: What does a home cost?";
  const openChat = () => journey.chatWith("Rentals", "mindsdb", "rental_agent");

  /** Waits until the last run has these steps: labels and states. */
  async function steps(chat: Chat, expected: [words: string, state: string][]): Promise<void> {
    await eventually(async () => {
      const shown = (await chat.lastRun()).steps.map(({ words, state }) => [words, state]);
      assert.deepEqual(shown, expected);
    });
  }

  /** Asks a question that the test answers. */
  async function askHeld(chat: Chat, question: string): Promise<HeldQuestion> {
    const held = server.hold();
    await chat.ask(question);
    return held;
  }

  it("opens a conversation from the tree, with the focus in the composer", async () => {
    const chat = await openChat();
    await expectText(chat.frame.locator(".head"), /mindsdb on Rentals/);
    await expectText(chat.frame.locator(".head"), /You'll see each step/);
    await journey.workbench.tab("rental_agent").waitFor();
    await chat.composer.waitFor();
  });

  it("shows each step when it arrives", async () => {
    const chat = await journey.chat("rental_agent");
    const held = await askHeld(chat, "What does a home cost?");
    assert.deepEqual(held.messages, [{ question: "What does a home cost?", answer: "" }]);
    await eventually(async () => {
      assert.match(await chat.progress(), /^Waiting for rental_agent · \d+ s$/);
    });

    held.send(context("Creating execution plan..."));
    await steps(chat, [["Plan", "running"]]);
    held.send(
      context("Proposed Execution Plan:\nStep 1: Look at the prices\n\nEstimated steps: 1"),
    );
    await steps(chat, [["Plan", "done"]]);
    held.send(context("Generating agent response..."));
    await steps(chat, [
      ["Plan", "done"],
      ["Thinking", "running"],
    ]);
    const sql = "SELECT AVG(rental_price) FROM files.home_rentals";
    held.send(context("Average price"), context(`Executing exploratory SQL query: ${sql}`));
    await steps(chat, [
      ["Plan", "done"],
      ["Thinking", "done"],
      ["Query", "running"],
    ]);
    await eventually(async () => {
      assert.equal((await chat.lastRun()).steps.at(-1)?.hint, "Average price");
    });
    held.send(context("Exploratory query 1/20 succeeded"));
    await eventually(async () => {
      assert.match(await chat.progress(), /^Query 1 · \d+ s$/);
    });
    held.send(context("Query result: | avg |\n| --- |\n| 2296 |"));
    await steps(chat, [
      ["Plan", "done"],
      ["Thinking", "done"],
      ["Query 1", "done"],
    ]);
    await eventually(async () => {
      assert.equal((await chat.lastRun()).answer, "");
    });
    await chat.openStep(2, /SELECT AVG\(rental_price\)[^]*2296/);

    held.send({ type: "data", text: "About **2296**." }, end);
    await eventually(async () => {
      assert.equal((await chat.lastRun()).answer, "About 2296.");
    });
    held.end();
    const run = await chat.ended(1);
    assert.equal(run.state, "answered");
    assert.match(run.sentence, /^Answered in /);
    await journey.workbench.tab(title).waitFor();
    await eventually(async () => {
      assert.equal(await chat.progress(), "");
    });
  });

  it("shows the steps of a server of the older generation", async () => {
    const chat = await journey.chatWith("Older", "mindsdb", "prices_agent");
    const action = {
      tool: "sql_db_query",
      tool_input: "SELECT 1",
      log: "I need one.\nAction: sql_db_query",
    };
    const asked = older.hold();
    await chat.ask("One?");
    const held = await asked;
    held.send({ type: "start", prompt: "One?" });
    await steps(chat, [["Thinking", "running"]]);
    held.send({ actions: [action], messages: [] });
    await steps(chat, [
      ["Thinking", "done"],
      ["Query", "running"],
    ]);
    held.send({ steps: [{ action, observation: "Output columns: '1'\n1" }], messages: [] });
    await steps(chat, [
      ["Thinking", "done"],
      ["Query", "done"],
    ]);
    await chat.openStep(1, /I need one\.[^]*SELECT 1[^]*Output columns/);
    held.send({ output: "One.", messages: [{ content: "AI: One." }] }, { type: "end" });
    held.end();
    const run = await chat.ended(1);
    assert.deepEqual([run.state, run.answer], ["answered", "One."]);

    // And without the test's control, as such a server really streams.
    await chat.ask("What is the average rental price per location?");
    const second = await chat.ended(2);
    assert.equal(second.state, "answered");
    assert.match(second.answer, /great[^]*2602/);
  });

  it("copies answers and queries, and opens a query in an editor", async () => {
    const chat = await openChat();
    const { workbench } = journey;
    await chat.ask("What is the average rental price per location?");
    const { steps: shown } = await chat.ended(2);
    await chat.button("Copy Answer").last().click();
    await eventually(async () => {
      assert.match(await workbench.clipboard(), /\*\*2602\.7\*\*/);
    });
    await chat.openStep(shown.findIndex(({ words }) => words.startsWith("Query")));
    const query = chat.frame.locator(".part.sql").last();
    await query.hover();
    await query.getByRole("button", { name: "Open in Editor" }).click();
    const editor = workbench.page.locator(".monaco-editor .view-lines");
    await eventually(async () => {
      assert.match(await editor.innerText(), /SELECT[^]*home_rentals/);
    });
    // The editor is read-only: typing changes nothing, and there is nothing to save.
    const refusal = workbench.page.locator(".monaco-editor-overlaymessage", {
      hasText: "read-only",
    });
    await eventually(async () => {
      await editor.first().click(patiently);
      await workbench.page.keyboard.press("x");
      await refusal.waitFor(quickly);
    });
    await workbench.editors.close();
  });

  it("shows a link's address before it opens it", async () => {
    const chat = await openChat();
    const held = await askHeld(chat, "Where can I read more?");
    const address = `http://127.0.0.1:9/${"long/".repeat(30)}?with=everything`;
    held.send(
      { type: "data", text: `[Here](${address}), or [there](command:workbench.action.quit).` },
      end,
    );
    held.end();
    await chat.ended(3);
    await expectCount(chat.frame.locator(".answer").last().locator("a"), 1);
    await chat.frame.locator(".answer a").last().click();
    const text = await journey.workbench.dialogs.modal("Open this address", "Cancel");
    assert.ok(text.includes(address), text);
  });

  it("stops, and closes the server's socket within 100 ms", async () => {
    const chat = await openChat();
    const times: number[] = [];
    for (let count = 4; count < 7; count++) {
      const held = await askHeld(chat, "Take your time");
      held.send(context("Creating execution plan..."));
      await steps(chat, [["Plan", "running"]]);
      const pressed = chat.frame.evaluate(
        () =>
          new Promise<number>((resolve) => {
            const tell = () => resolve(Date.now());
            document.addEventListener("click", tell, { once: true, capture: true });
          }),
      );
      await chat.stop();
      times.push((await held.closed) - (await pressed));
      const run = await chat.ended(count);
      assert.equal(run.state, "stopped");
      assert.match(run.sentence, /^Stopped after .* The server may still be processing this\.$/);
      assert.deepEqual(
        run.steps.map(({ words, state }) => [words, state]),
        [["Plan", "unfinished"]],
      );
    }
    // The best of three, because other load can slow the machine down.
    assert.ok(Math.min(...times) <= 100, `Stop took ${times.join(", ")} ms`);
  });

  it("opens a conversation read-only if its connection was removed", async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    await workbench.tab("prices_agent: One?").click();
    const open = await journey.chat("prices_agent");
    // Which steps are open is not stored after the tab is closed.
    const words = async (chat: Chat) =>
      (await chat.runs()).map(({ question, answer, sentence }) => [question, answer, sentence]);
    await open.ended(2);
    const texts = await words(open);
    await workbench.editors.close();
    await eventually(() => {
      assert.ok(open.frame.isDetached());
    });
    const { machineSettings = {} } = connectedTo({ Rentals: server });
    writeSettings(workbench.vscode.dataFolder, {}, machineSettings);
    await eventually(async () => {
      assert.deepEqual(await journey.tree.children([]), ["Rentals"]);
    });
    await quickInput.openWith(
      () => workbench.command("MindsDB: Open Conversation…"),
      "Open a Conversation",
    );
    const row = quickInput.row("One?");
    await expectText(row, /prices_agent · Older \(removed\)/);
    await row.click();
    await eventually(async () => {
      assert.deepEqual(await words(await journey.chat("prices_agent")), texts);
    });
    const chat = await journey.chat("prices_agent");
    await chat.ask("And now?");
    const { state, sentence } = await chat.ended(3);
    assert.deepEqual(
      [state, sentence],
      ["failed", "The connection of this conversation has been removed."],
    );
  });
});
