// A user asks agents of both server generations, watches the steps, follows up, stops, asks again and returns later.
import assert from "node:assert/strict";
import type { Chat } from "./lib/chat.ts";
import { eventually } from "./lib/eventually.ts";
import type { HeldQuestion } from "./lib/heldStreams.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";
import { writeSettings } from "../../scripts/vscode/settings.ts";

interface Message {
  question: string;
  answer: string;
}

describe("Asking an agent", () => {
  const server = useServer();
  const older = useServer({ dialect: "25" });
  const journey = useWorkbench(() => connectedTo({ Rentals: server, Older: older }));

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

  const messages = () => {
    const last = server.logged(/stream$/).at(-1);
    return (JSON.parse(last?.body.toString() ?? "{}") as { messages: Message[] }).messages;
  };

  it("opens a conversation from the tree, with the focus in the composer", async () => {
    const chat = await openChat();
    assert.match(await chat.frame.locator(".head").innerText(), /mindsdb on Rentals/);
    assert.match(await chat.frame.locator(".head").innerText(), /Each step of the agent is shown/);
    await journey.workbench.tab("rental_agent").waitFor();
    assert.ok(await chat.composer.isVisible());
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
    assert.equal((await chat.lastRun()).steps.at(-1)?.hint, "Average price");
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
    assert.equal((await chat.lastRun()).answer, "");
    assert.match(await chat.openStep(2), /SELECT AVG\(rental_price\)[^]*2296/);

    held.send({ type: "data", text: "About **2296**." }, end);
    await eventually(async () => {
      assert.equal((await chat.lastRun()).answer, "About 2296.");
    });
    held.end();
    const run = await chat.ended(1);
    assert.equal(run.state, "answered");
    assert.match(run.sentence, /^Answered in /);
    await journey.workbench.tab(title).waitFor();
    assert.equal(await chat.progress(), "");
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
    assert.match(await chat.openStep(1), /I need one\.[^]*SELECT 1[^]*Output columns/);
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

  it("sends a follow-up question with the earlier turns", async () => {
    const chat = await openChat();
    await chat.ask("What is the average rental price per location?");
    const first = await chat.ended(2);
    assert.match(first.answer, /2602\.7/);
    await chat.ask("And in the harbor?");
    const second = await chat.ended(3);
    assert.equal(second.state, "answered");
    assert.deepEqual(
      messages().map(({ question }) => question),
      [
        "What does a home cost?",
        "What is the average rental price per location?",
        "And in the harbor?",
      ],
    );
    assert.equal(messages()[0]?.answer, "About **2296**.");
    assert.match(messages()[1]?.answer ?? "", /2602\.7/);
    assert.equal(messages()[2]?.answer, "");
  });

  it("copies answers and queries, and opens a query in an editor", async () => {
    const chat = await openChat();
    const { workbench } = journey;
    await chat.ask("What is the average rental price per location?");
    const { steps: shown } = await chat.ended(4);
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
    await editor.first().click();
    await workbench.page.keyboard.type("x");
    assert.doesNotMatch(await editor.innerText(), /^x|xSELECT/);
    await workbench.command("View: Close Editor");
  });

  it("opens the raw events of the stream", async () => {
    const chat = await openChat();
    const { workbench } = journey;
    await chat.button("Show Raw Events").last().click();
    const editor = workbench.page.locator(".editor-instance .monaco-editor").first();
    await eventually(async () => {
      const text = await editor.locator(".view-lines").innerText();
      assert.match(text.replaceAll("\u00a0", " "), /^data: \{"type": ?"context"/m);
    });
    await workbench.screenshot("chat-raw-events");
    // The editor is read-only.
    await editor.click();
    await workbench.page.keyboard.type("x");
    await workbench.page.getByText("Cannot edit in read-only editor").first().waitFor();
    await workbench.command("View: Close Editor");
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
    await chat.ended(5);
    assert.equal(await chat.frame.locator(".answer").last().locator("a").count(), 1);
    await chat.frame.locator(".answer a").last().click();
    const text = await journey.workbench.dialogs.modal("Open this address", "Cancel");
    assert.ok(text.includes(address), text);
  });

  it("stops, and closes the server's socket within 100 ms", async () => {
    const chat = await openChat();
    const times: number[] = [];
    for (let count = 6; count < 9; count++) {
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

  it("asks again in a new run, without the stopped one", async () => {
    const chat = await openChat();
    const held = server.hold();
    await chat.askAgain();
    const asked = await held;
    assert.equal(asked.messages.at(-1)?.question, "Take your time");
    assert.ok(asked.messages.slice(0, -1).every(({ answer }) => answer !== ""));
    asked.send({ type: "data", text: "Here it is." }, end, end);
    asked.end();
    const run = await chat.ended(9);
    assert.deepEqual(
      [run.state, run.question, run.answer],
      ["answered", "Take your time", "Here it is."],
    );
    assert.equal((await chat.runs()).at(-2)?.state, "stopped");
  });

  it("continues behind another editor, and keeps the draft", async () => {
    const chat = await openChat();
    const held = await askHeld(chat, "Go on without me");
    held.send(context("Creating execution plan..."));
    await steps(chat, [["Plan", "running"]]);
    await chat.composer.fill("My next question");
    await journey.workbench.openFile("README.md");
    await eventually(() => {
      assert.ok(chat.frame.isDetached());
    });
    held.send(context("Generating agent response..."));
    held.send({ type: "data", text: "While you were away." }, end);
    held.end();
    await journey.workbench.tab(title).click();
    const shown = await journey.chat("rental_agent");
    const run = await shown.ended(10);
    assert.deepEqual([run.state, run.answer], ["answered", "While you were away."]);
    assert.deepEqual(
      run.steps.map(({ words }) => words),
      ["Plan", "Thinking"],
    );
    assert.equal(await shown.composer.inputValue(), "My next question");
  });

  it("restores every word after a reload", async () => {
    const before = await (await journey.chat("rental_agent")).runs();
    await journey.reload("My next question");
    const chat = await journey.chat("rental_agent");
    await eventually(async () => {
      assert.deepEqual(await chat.runs(), before);
    });
    assert.equal(await chat.composer.inputValue(), "My next question");
    await journey.workbench.tab(title).waitFor();
    // Including the raw events of an earlier answer.
    await chat.button("Show Raw Events").last().click();
    await journey.workbench.tab("rental_agent events 10.txt").waitFor();
    await journey.workbench.command("View: Close Editor");
    // The page behind the editor was created again, in another frame.
    const back = await eventually(async () => {
      const shown = await journey.chat("rental_agent");
      await shown.composer.fill("", { timeout: 2_000 });
      return shown;
    }, 20_000);
    await back.ask("What may I do with pets?");
    assert.equal((await back.ended(11)).state, "answered");
    // The seven earlier answers, and this one.
    assert.equal(messages().length, 8);
  });

  it("opens a new conversation next to the old one", async () => {
    const chat = await journey.chat("rental_agent");
    await chat.button("New Conversation").click();
    await eventually(async () => {
      const fresh = await journey.chat("rental_agent");
      assert.deepEqual(await fresh.runs(), []);
    });
    for (const name of ["rental_agent", title]) {
      assert.equal(await journey.workbench.tab(name).count(), 1, name);
    }
  });

  it("reopens a closed conversation, and deletes one", async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    const fresh = await journey.chat("rental_agent");
    await fresh.ask("How far is the harbor?");
    const answered = await fresh.ended(1);
    await workbench.command("View: Close Editor");
    await eventually(() => {
      assert.ok(fresh.frame.isDetached());
    });
    await quickInput.openWith(
      () => workbench.command("MindsDB: Open Conversation…"),
      "Open a Conversation",
    );
    assert.deepEqual(await quickInput.labels(), [
      "How far is the harbor?",
      "What does a home cost?",
      "One?",
    ]);
    assert.match(
      await quickInput.row("How far is the harbor?").innerText(),
      /rental_agent · Rentals[^]*now/,
    );
    await workbench.screenshot("open-conversation");
    await quickInput.row("How far is the harbor?").click();
    await eventually(async () => {
      assert.deepEqual(await (await journey.chat("rental_agent")).runs(), [answered]);
    });
    await workbench.tab("rental_agent: How far is the harbor?").waitFor();

    // From the tree, the list has only this agent's conversations; deleting an open one closes its tab.
    const tabs = workbench.page.locator(".tabs-container .tab");
    const open = await tabs.count();
    const place = ["Rentals", "mindsdb", "Agents", "rental_agent"];
    await journey.tree.contextMenu(place, "Open Conversation…");
    await quickInput.expect("Open a Conversation with rental_agent");
    assert.deepEqual(await quickInput.labels(), [
      "How far is the harbor?",
      "What does a home cost?",
    ]);
    const row = quickInput.row("How far is the harbor?");
    await row.hover();
    await row.locator(".action-label.codicon-trash").click();
    await eventually(async () => {
      assert.equal(await tabs.count(), open - 1);
    });
    await journey.tree.contextMenu(place, "Open Conversation…");
    await quickInput.expect("Open a Conversation with rental_agent");
    assert.deepEqual(await quickInput.labels(), ["What does a home cost?"]);
    await quickInput.cancel();
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
    await workbench.command("View: Close Editor");
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
    assert.match(await row.innerText(), /prices_agent · Older \(removed\)/);
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
