// A user who never uses the mouse: creates an agent, asks it, stops, reads steps and rows, searches, predicts.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { AgentForm } from "../lib/agentForm.ts";
import { eventually } from "../lib/eventually.ts";
import { expectText } from "../lib/expect.ts";
import { useWorkbench } from "../lib/journey.ts";
import { KnowledgeBaseForm } from "../lib/knowledgeBaseForm.ts";
import { KnowledgeBasePage } from "../lib/knowledgeBasePage.ts";
import { Notebook } from "../lib/notebook.ts";
import { pressOnce, quickly, tryToPress } from "../lib/once.ts";
import type { TrainField } from "../../../src/models/trainValidation.ts";

describe("With the keyboard alone", () => {
  const journey = useWorkbench();
  const page = () => journey.workbench.page;
  let mouse = 0;
  /** Of the chat with rental_agent. */
  let runs = 0;

  const command = (label: string): Promise<void> => journey.workbench.quickInput.typeCommand(label);

  /** Runs a command and waits until its input box has the focus. */
  async function commandThatAsks(label: string, asks: string): Promise<void> {
    await journey.workbench.quickInput.openWith(() => command(label), asks);
  }

  /** Presses a key in a page, where the focus is. */
  const pressIn = (frame: Frame, key: string): Promise<void> =>
    pressOnce(frame.locator("body"), key);

  /** Types into the control that has the focus; all of it again if VS Code gave the focus to something else meanwhile. */
  async function type(control: Locator, text: string): Promise<void> {
    await eventually(async () => {
      if ((await control.inputValue(quickly)) !== "") await control.fill("", quickly);
      for (const [index, line] of text.split("\n").entries()) {
        if (index > 0) await tryToPress(control, "Shift+Enter");
        await page().keyboard.type(line);
      }
      assert.equal(await control.inputValue(quickly), text);
    });
  }

  /** Presses Tab until the focused element matches. */
  async function tabTo(frame: Frame, selector: string): Promise<void> {
    for (let presses = 0; presses < 40; presses++) {
      const isThere = await frame.evaluate(
        (wanted) => document.hasFocus() && document.activeElement?.matches(wanted) === true,
        selector,
      );
      if (isThere) return;
      await pressIn(frame, "Tab");
    }
    throw new Error(`Tab does not lead to ${selector}`);
  }

  /** The focused element in the chat: its class and text. */
  async function focus(): Promise<{ kind: string; words: string }> {
    const { frame } = await journey.chat("rental_agent");
    return frame.evaluate(() => {
      const { tagName, className, textContent } = document.activeElement as HTMLElement;
      return { kind: className || tagName.toLowerCase(), words: textContent };
    });
  }

  async function focusOn(kind: string): Promise<string> {
    return eventually(async () => {
      const focused = await focus();
      assert.equal(focused.kind, kind);
      return focused.words;
    });
  }

  it("starts the sample server and selects an agent", async () => {
    await command("MindsDB: Start Sample Server");
    await journey.tree.find(["Sample Server", "mindsdb"]);
    await page().exposeBinding("pressed", () => void mouse++);
    await page().evaluate(countPresses);
    await commandThatAsks("MindsDB: Ask Agent…", "Which agent?");
    await journey.workbench.quickInput.typeAndTake("rental_agent", "rental");
    await journey.chat("rental_agent");
  });

  it("types the question without moving the focus, and stops the answer", async () => {
    const chat = await journey.chat("rental_agent");
    await focusOn("textarea");
    const question = "What is the average rental price\nper location?";
    for (;;) {
      await type(chat.composer, question);
      await pressOnce(chat.composer, "Enter");
      runs++;
      await eventually(async () => {
        assert.equal((await chat.runs()).length, runs);
        assert.notEqual((await chat.lastRun()).steps.length, 0);
      });
      await pressOnce(chat.composer, "Escape");
      const run = await chat.ended(runs);
      assert.equal(run.question, question);
      if (run.state === "stopped") return;
      // The sample server answers within seconds: a busy machine can take longer to press a key.
      assert.equal(run.state, "answered");
    }
  });

  it("asks again and goes to the answer", async () => {
    const chat = await journey.chat("rental_agent");
    await command("MindsDB: Ask Again");
    assert.equal((await chat.ended(runs + 1)).state, "answered");
    await command("MindsDB: Focus Last Answer");
    await eventually(async () => {
      assert.match(await focusOn("answer"), /2602\.7/);
    });
  });

  it("walks through the steps", async () => {
    const chat = await journey.chat("rental_agent");
    const { frame } = chat;
    await pressIn(frame, "Shift+Tab");
    // The run is answered, so its steps are folded.
    await eventually(async () => {
      assert.match(await focusOn("line steps-toggle"), /^\d+ steps/);
    });
    await pressIn(frame, "Enter");
    await pressIn(frame, "Tab");
    await focusOn("line");
    await pressIn(frame, "End");
    await pressIn(frame, "Home");
    const open = async () => (await chat.lastRun()).steps.map(({ isOpen }) => isOpen);
    const { steps } = await chat.lastRun();
    const query = steps.findIndex(({ words }) => words.startsWith("Query"));
    await eventually(async () => {
      if (!(await focusOn("line")).startsWith("Query")) {
        await pressIn(frame, "ArrowDown");
        throw new Error("The focus has not reached the query");
      }
    });
    await pressIn(frame, "ArrowRight");
    await eventually(async () => {
      assert.equal((await open())[query], true);
    });
    await pressIn(frame, "ArrowLeft");
    await eventually(async () => {
      assert.equal((await open())[query], false);
    });
  });

  it("reads the rows of a result, cell by cell", async () => {
    const { frame } = await journey.chat("rental_agent");
    await pressIn(frame, "ArrowRight");
    await tabTo(frame, ".grid");
    await pressIn(frame, "ArrowRight");
    await pressIn(frame, "ArrowDown");
    const active = frame.locator(".grid:focus .cell.active");
    await expectText(active, /^\d+(\.\d+)?$/);
    await eventually(async () => {
      await pressIn(frame, "Control+c");
      assert.equal(await journey.workbench.clipboard(), await active.innerText());
    });
    await pressIn(frame, "Shift+Tab");
  });

  it("returns to the last focused element", async () => {
    const { frame } = await journey.chat("rental_agent");
    const where = () => frame.evaluate(() => document.activeElement?.className ?? "");
    const before = await where();
    await command("View: Focus into Primary Side Bar");
    await eventually(async () => {
      assert.ok(await journey.tree.sideBar.locator(":focus").count());
    });
    await command("View: Focus Active Editor Group");
    await eventually(async () => {
      assert.equal(await where(), before);
    });
    assert.notEqual(before, "");
  });

  it("creates an agent and asks it", async () => {
    const { quickInput } = journey.workbench;
    await command("MindsDB: Create Agent…");
    const form = await AgentForm.with(journey.workbench);
    await form.focusIn("name");
    await type(form.control("name"), "typed_agent");
    await tabTo(form.frame, "[data-field=tables] *");
    await pressIn(form.frame, "Enter");
    await quickInput.expect("Select what the agent can query");
    await quickInput.type("home_rentals");
    await quickInput.row("files.home_rentals").waitFor();
    for (const key of ["ArrowDown", "Space", "Enter"]) await quickInput.press(key);
    await form.focusIn("tables");
    await journey.workbench.screenshot("agent-form", { readme: true });
    await pressIn(form.frame, "Control+Enter");
    await form.frame.locator(".created").waitFor();
    await tabTo(form.frame, ".created button");
    await pressIn(form.frame, "Enter");
    const chat = await journey.chat("typed_agent");
    await eventually(async () => {
      assert.ok(await chat.composer.evaluate((box) => document.activeElement === box));
    });
    // A suggested question, which is before the composer.
    await chat.frame.locator(".suggestion").first().waitFor();
    const question = await chat.frame.locator(".suggestion").last().innerText();
    await pressIn(chat.frame, "Shift+Tab");
    await chat.frame.locator(".suggestion:focus").waitFor();
    await pressIn(chat.frame, "Enter");
    const run = await chat.ended(1);
    assert.equal(run.state, "answered");
    assert.equal(run.question, question);
  });

  it("searches a knowledge base", async () => {
    await commandThatAsks("MindsDB: Show Knowledge Base", "Which knowledge base?");
    await journey.workbench.quickInput.typeAndTake("rental_guide");
    const frame = await journey.workbench.frameWith(".fields");
    await tabTo(frame, "textarea, input[type=text]");
    await type(frame.getByLabel("Question"), "May I keep a dog?");
    await pressIn(frame, "Enter");
    await frame.locator(".chunk mark", { hasText: "dog" }).first().waitFor();
  });

  it("creates a knowledge base, fills it and searches it", async () => {
    const { quickInput } = journey.workbench;
    const rows = ["Owls hoot at night.", "Herons are shy."];
    const text = rows.map((content, id) => JSON.stringify({ id, content })).join("\n");
    fs.writeFileSync(path.join(journey.workbench.folder, "birds.jsonl"), text);
    await command("MindsDB: Create Knowledge Base…");
    const form = await KnowledgeBaseForm.with(journey.workbench);
    await form.focusIn("name");
    await type(form.control("name"), "bird_notes");
    await tabTo(form.frame, "[data-field=contentColumns] *");
    await type(form.control("contentColumns"), "content");
    await journey.workbench.screenshot("knowledge-base-form", { readme: true });
    await pressIn(form.frame, "Control+Enter");
    const created = await KnowledgeBasePage.with(journey.workbench, "bird_notes");
    // A page that takes the focus closes the list of knowledge bases.
    await created.frame.waitForFunction(() => document.hasFocus());
    await commandThatAsks("MindsDB: Add Content to Knowledge Base…", "Which knowledge base?");
    await quickInput.typeAndTake("bird_notes");
    await quickInput.expect("Where is the content?");
    await quickInput.typeAndTake("birds.jsonl");
    const fill = await journey.workbench.frameWith(".counts");
    await fill.getByText("2 documents.").waitFor();
    await tabTo(fill, ".actions .primary-button");
    await pressIn(fill, "Enter");
    await fill.getByText("2 sent, 2 stored.").waitFor();
    await tabTo(fill, ".outcome button");
    await pressIn(fill, "Enter");
    const { frame } = await KnowledgeBasePage.with(journey.workbench, "bird_notes");
    await tabTo(frame, "textarea, input[type=text]");
    await type(frame.getByLabel("Question"), "Which bird is shy?");
    await pressIn(frame, "Enter");
    await frame.locator(".chunk mark", { hasText: "shy" }).first().waitFor();
  });

  it("trains a model, trains it again and switches its version", async () => {
    const { quickInput, dialogs } = journey.workbench;
    await command("MindsDB: Train Model…");
    const form = await AgentForm.with<TrainField>(journey.workbench, "Train Model");
    await form.focusIn("name");
    await type(form.control("name"), "rent_model");
    await tabTo(form.frame, "[data-field=table] *");
    await pressIn(form.frame, "Enter");
    await quickInput.expect("Which data source?");
    await quickInput.typeAndTake("files");
    await quickInput.expect("Which table?");
    await quickInput.typeAndTake("home_rentals");
    await form.frame.locator(".rows td").first().waitFor();
    await form.focusIn("table");
    await tabTo(form.frame, "[data-field=target] *");
    // The last option is the table's last column.
    const target = form.control("target");
    await eventually(async () => {
      await pressIn(form.frame, "ArrowDown");
      const isLast = await target.evaluate(
        (list: HTMLSelectElement) => list.selectedIndex === list.length - 1,
      );
      assert.ok(isLast);
    });
    await journey.workbench.screenshot("train-model", { readme: true });
    await pressIn(form.frame, "Control+Enter");
    await form.frame.getByText("Training of rent_model (version 1) has started.").waitFor();
    await dialogs.toast(/rent_model is trained\./);
    await commandThatAsks("MindsDB: Retrain Model…", "Which model?");
    await quickInput.typeAndTake("rent_model");
    const again = await AgentForm.with<TrainField>(journey.workbench, "Retrain rent_model");
    await again.focusIn("source");
    await pressIn(again.frame, "Control+Enter");
    await again.frame.getByText("Training of rent_model (version 2) has started.").waitFor();
    await dialogs.toast(/rent_model version 2 is trained\./);
    await commandThatAsks("MindsDB: Set Active Model Version", "Which model?");
    await quickInput.typeAndTake("rent_model");
    await quickInput.accept("Which version?");
    await command("MindsDB: Show Model");
    await quickInput.expect("Which model?");
    await quickInput.typeAndTake("rent_model");
    const model = await journey.workbench.frameWith('h1:text-is("rent_model")');
    const used = model.locator("option", { hasText: /^version 1 · .*active/ });
    await used.first().waitFor({ state: "attached" });
  });

  it("runs a prediction", async () => {
    const { quickInput } = journey.workbench;
    await commandThatAsks("MindsDB: Predict…", "Which model?");
    await quickInput.typeAndTake("home_rentals_model");
    await journey.workbench.tab("home_rentals_model.predict.md").waitFor();
    const notebook = new Notebook(journey.workbench);
    await notebook.codeCells.first().waitFor();
    await command("Notebook: Run All");
    await eventually(async () => {
      const { count } = await (await notebook.result()).shown();
      assert.equal(count, "1 row");
    }, 30_000);
  });

  it("has not used the mouse", () => {
    assert.equal(mouse, 0);
  });
});

/** Runs in the window: reports each real press of a mouse button. */
function countPresses(): void {
  const { pressed } = window as unknown as { pressed: () => void };
  window.addEventListener("mousedown", (event) => event.isTrusted && pressed(), true);
}
