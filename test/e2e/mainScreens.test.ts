// The main screens in a dark, a light and a high-contrast theme: screenshots, and axe-core on the chat in every state.
import assert from "node:assert/strict";
import { axeViolations } from "./lib/axe.ts";
import type { Chat } from "./lib/chat.ts";
import { eventually } from "./lib/eventually.ts";
import type { HeldQuestion } from "./lib/heldStreams.ts";
import { useServer, useWorkbench } from "./lib/journey.ts";
import { themes } from "./lib/workbench.ts";

type Theme = keyof typeof themes;
const allThemes = Object.keys(themes) as Theme[];

describe("The main screens", () => {
  const server = useServer();
  const journey = useWorkbench();
  const context = (content: string) => ({ type: "context", content });

  /** Does something in each theme, with the pointer moved away. */
  async function inEachTheme(work: (theme: Theme) => Promise<void>): Promise<void> {
    await journey.workbench.page.mouse.move(700, 700);
    for (const theme of allThemes) {
      await journey.workbench.setTheme(theme);
      await work(theme);
    }
  }

  async function look(chat: Chat, name: string): Promise<void> {
    await inEachTheme(async (theme) => {
      await journey.workbench.screenshot(`${name}-${theme}`);
      await eventually(async () => assert.deepEqual(await axeViolations(chat.frame), [], theme));
    });
  }

  it("offer three ways to start", async () => {
    await journey.tree.sideBar.locator(".welcome-view-content").waitFor();
    const clip = { x: 0, y: 0, width: 640, height: 400 };
    await inEachTheme(async (theme) => {
      await journey.workbench.screenshot(`welcome-${theme}`, { clip });
    });
  });

  it("show the content of a server", async () => {
    const { tree, workbench } = journey;
    await workbench.command("MindsDB: Start Sample Server");
    const group = (name: string) => ["Sample Server", "mindsdb", name];
    for (const name of ["Knowledge Bases", "Agents", "Models"]) {
      await tree.expand(group(name));
      await eventually(async () => {
        assert.notEqual((await tree.find(group(name))).description, "");
      });
    }
    await tree.expand([...group("Models"), "home_rentals_model"]);
    const clip = { x: 0, y: 0, width: 640, height: 400 };
    await inEachTheme(async (theme) => {
      await workbench.screenshot(`tree-${theme}`, { readme: theme === "dark", clip });
    });
  });

  it("show an answer with its steps", async () => {
    const chat = await journey.chatWith("Sample Server", "mindsdb", "rental_agent");
    await chat.ask("What is the average rental price per location?");
    const { state, steps } = await chat.ended(1);
    assert.equal(state, "answered");
    await chat.openStep(steps.findIndex(({ words }) => words.startsWith("Query")));
    await chat.composer.focus();
    // Tall enough for all of it.
    const { page } = journey.workbench;
    await page.setViewportSize({ width: 1280, height: 880 });
    await look(chat, "chat");
    const late = await chat.frame.evaluate(() => {
      const files = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
      const scripts = files.filter(({ name }) => /\.(?:js|css)$/.test(name));
      const answered = Math.min(...scripts.map(({ responseEnd }) => responseEnd));
      return scripts.filter(({ startTime }) => startTime > answered).map(({ name }) => name);
    });
    assert.deepEqual(late, [], "all files of the page are requested at once");
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  describe("show a question", () => {
    let chat: Chat;
    let held: HeldQuestion;

    before("connect to a server that the test speaks for", async () => {
      const { quickInput } = journey.workbench;
      await journey.workbench.command("MindsDB: Add Connection…");
      await quickInput.enter("The address of a MindsDB server", server.address);
      chat = await journey.chatWith(server.address, "mindsdb", "prices_agent");
    });

    it("before it is sent", async () => {
      await look(chat, "chat-empty");
    });

    it("while it is answered", async () => {
      const asked = server.hold();
      await chat.ask("Which neighborhoods got cheaper?");
      held = await asked;
      held.send(context("Creating execution plan..."));
      held.send(context("Proposed Execution Plan:\nStep 1: Compare the prices of two years"));
      held.send(
        context("Generating agent response..."),
        context("Prices by neighborhood and year"),
      );
      const sql =
        "SELECT neighborhood, year, AVG(rental_price)\nFROM files.home_rentals\nGROUP BY 1, 2";
      held.send(context(`Executing exploratory SQL query: ${sql}`));
      held.send(context('Error executing SQL query: Column "year" not found in home_rentals'));
      held.send(context("Generating agent response..."), context("What columns are there?"));
      held.send(context("Executing exploratory SQL query: DESCRIBE files.home_rentals"));
      await eventually(async () => {
        assert.match(await chat.progress(), /^Query/);
      });
      await look(chat, "chat-running");
    });

    it("after it has failed", async () => {
      held.send({ type: "error", content: "The language model is overloaded, try again later" });
      held.send({ type: "end" });
      held.end();
      assert.equal((await chat.ended(1)).state, "failed");
      await look(chat, "chat-failed");
    });
  });
});
