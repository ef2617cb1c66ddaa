// A user who has just installed the extension: clicks and time until the first answer and the first prediction.
import assert from "node:assert/strict";
import { AgentForm } from "./lib/agentForm.ts";
import { Chat } from "./lib/chat.ts";
import { eventually } from "./lib/eventually.ts";
import { expectCount } from "./lib/expect.ts";
import { Notebook } from "./lib/notebook.ts";
import { Tree } from "./lib/tree.ts";
import { openWorkbench, themes, type Workbench } from "./lib/workbench.ts";
import { patiently } from "./lib/once.ts";

/** Filled by `countClicks` in the page. */
interface Counted {
  clicks: number;
  /** Time of the first click, in ms since the epoch. */
  began: number | undefined;
}

describe("The first minutes", () => {
  let workbench: Workbench;
  let counted: Counted;

  beforeEach("open a fresh VS Code, with nothing clicked", async () => {
    workbench = await openWorkbench();
    counted = { clicks: 0, began: undefined };
    const { page } = workbench;
    await page.exposeBinding("clicked", () => {
      counted.clicks++;
      counted.began ??= Date.now();
    });
    await page.evaluate(countClicks);
    // The extension's icon appears in the activity bar some seconds after the window.
    await activityBarItem().waitFor({ timeout: 30_000 });
  });
  afterEach(() => workbench.close());

  const activityBarItem = () =>
    workbench.page.locator('.activitybar .action-item a[aria-label^="MindsDB"]').first();
  const welcome = () => workbench.page.locator(".part.sidebar .welcome-view-content");

  async function trySample(): Promise<Tree> {
    await activityBarItem().click();
    await welcome().getByRole("button", { name: "Try the Sample Server" }).click();
    return new Tree(workbench.page, workbench.page.locator(".part.sidebar"));
  }

  function report(what: string, goal: number): void {
    const seconds = (Date.now() - (counted.began ?? NaN)) / 1000;
    const time = `${seconds.toFixed(1)} s after the first of ${String(counted.clicks)} clicks`;
    console.log(`      ${what} ${time} (goal: ${String(goal)} s)`);
  }

  it("take three clicks to an answer", async () => {
    await trySample();
    const chat = await Chat.with(workbench, "rental_agent");
    await chat.frame.evaluate(countClicks);
    const [question] = await eventually(async () => {
      const questions = await chat.frame.locator(".suggestion").allInnerTexts();
      assert.notEqual(questions.length, 0);
      return questions;
    });
    await workbench.screenshot("first-minutes-chat");
    await chat.button(question ?? "").click();
    const run = await chat.ended(1);
    report("an answer", 20);
    assert.equal(run.state, "answered");
    assert.equal(run.question, question);
    assert.match(run.answer, /\d/);
    assert.equal(counted.clicks, 3);
    await workbench.screenshot("first-minutes-answer");
  });

  it("take four clicks to a prediction", async () => {
    const tree = await trySample();
    const model = ["Sample Server", "mindsdb", "Models", "home_rentals_model"];
    await tree.find(model);
    // A click that misses a row that moves would count.
    await tree.settled();
    await tree.inlineAction(model, "Predict…");
    await workbench.tab("home_rentals_model.predict.md").waitFor();
    const notebook = new Notebook(workbench);
    await notebook.codeCells.first().waitFor();
    await workbench.page.getByRole("button", { name: "Run All", exact: true }).click();
    const result = await notebook.result();
    await eventually(async () => {
      const { count, columns } = await result.shown();
      assert.equal(count, "1 row");
      assert.equal(columns[0], "rental_price predicted");
    });
    report("a prediction", 30);
    assert.equal(counted.clicks, 4);
    await workbench.screenshot("first-minutes-prediction");
  });

  it("have a walkthrough of five steps, each with an action and a check mark", async () => {
    const { page } = workbench;
    await activityBarItem().click();
    await welcome().locator("a", { hasText: "5-minute tour" }).click();
    const steps = page.locator(".gettingStartedContainer .getting-started-step");
    await steps.first().waitFor();
    await expectCount(steps, 5);
    // VS Code titles the tab Welcome at first, and uses the walkthrough's name when it is shown again.
    const show = () =>
      page.locator(".tabs-container .tab", { hasText: /Welcome|Get Started/ }).click();
    const done = () => page.locator(".getting-started-step .codicon.complete").count();
    const open = async (title: string) => {
      const step = steps.filter({ hasText: title });
      await eventually(async () => {
        const isOpen = async () => /\bexpanded\b/.test((await step.getAttribute("class")) ?? "");
        if (await isOpen()) return;
        await step.click(patiently);
        await eventually(async () => assert.ok(await isOpen()), 3_000);
      });
    };
    // Wide enough for the pictures next to the steps.
    await page.setViewportSize({ width: 1600, height: 900 });
    await steps.filter({ hasText: "Ask an agent" }).click();
    for (const theme of Object.keys(themes) as (keyof typeof themes)[]) {
      await workbench.setTheme(theme);
      const picture = (await workbench.frameWith("svg text")).locator("svg text").first();
      await eventually(async () => {
        const shown = await picture.evaluate((text) => getComputedStyle(text).fill);
        const written = await page
          .locator(".monaco-workbench")
          .evaluate((window) => getComputedStyle(window).color);
        assert.equal(shown, written, theme);
      });
      await workbench.screenshot(`walkthrough-${theme}`);
    }
    await workbench.setTheme("dark");
    await open("Connect to a server");
    await steps.getByRole("button", { name: "Try the Sample Server" }).click();
    const chat = await Chat.with(workbench, "rental_agent");
    await chat.ask("What is the average rental price per location?");
    await chat.ended(1);
    await show();
    await open("Explore the server");
    await steps.getByRole("button", { name: "Show the MindsDB View" }).click();
    await eventually(async () => {
      assert.equal(await done(), 3);
    });
    await open("Create your own agent");
    await workbench.screenshot("walkthrough-create");
    await steps.getByRole("button", { name: "Create Agent…" }).click();
    await AgentForm.with(workbench);
    await show();
    await eventually(async () => {
      assert.equal(await done(), 3);
    });
    await workbench.tab("Create Agent").click();
    const form = await AgentForm.with(workbench);
    await form.fill("name", "first_agent");
    await form.create();
    await show();
    await eventually(async () => {
      assert.equal(await done(), 4);
    });
    await open("Predict with a model");
    await workbench.screenshot("walkthrough-predict");
    await steps.getByRole("button", { name: "Predict…" }).click();
    await workbench.quickInput.pick("Which model?", "home_rentals_model");
    const notebook = await Notebook.with(workbench, "home_rentals_model.predict.md");
    await show();
    await eventually(async () => {
      assert.equal(await done(), 4);
    });
    await workbench.tab("home_rentals_model.predict.md").click();
    await notebook.run();
    await notebook.result();
    await show();
    await eventually(async () => {
      assert.equal(await done(), 5);
    });
  });

  it("have checked steps also if they were done before the walkthrough was opened", async () => {
    await trySample();
    const chat = await Chat.with(workbench, "rental_agent");
    await chat.ask("What is the average rental price per location?");
    await chat.ended(1);
    await workbench.command("MindsDB: Get Started");
    const { page } = workbench;
    await page.locator(".gettingStartedContainer .getting-started-step").first().waitFor();
    await eventually(async () => {
      assert.equal(await page.locator(".getting-started-step .codicon.complete").count(), 3);
    });
  });

  it("have a notebook that runs unchanged, in the workspace of npm start", async () => {
    await workbench.command("MindsDB: Start Sample Server");
    // Tall enough for all results.
    await workbench.page.setViewportSize({ width: 1280, height: 4_000 });
    await workbench.openFile("first-predictions.predict.md");
    const notebook = await Notebook.with(workbench, "first-predictions.predict.md");
    await notebook.run();
    await eventually(async () => {
      const shown = await Promise.all((await notebook.results()).map((result) => result.shown()));
      const counts = shown.map(({ count }) => count);
      assert.deepEqual(counts, ["12 rows", "60 rows", "2 rows", "40 rows", "3 rows"]);
      assert.match(shown[1]?.metrics ?? "", /\d/);
      assert.deepEqual(
        shown.flatMap(({ message, notes }) => [message, ...notes]).filter(Boolean),
        [],
      );
    }, 40_000);
    await workbench.screenshot("first-predictions");
  });
});

/** Runs in a window or in a page inside it: reports each real press of a mouse button. */
function countClicks(): void {
  const { clicked } = window as unknown as { clicked: () => void };
  const onMouseDown = (event: MouseEvent): void => {
    if (event.isTrusted) clicked();
  };
  window.addEventListener("mousedown", onMouseDown, true);
}
