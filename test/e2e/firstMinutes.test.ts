// Somebody who has just installed the extension: how many clicks and how long to the first answer and the first prediction.
import assert from "node:assert/strict";
import { Chat } from "./lib/chat.ts";
import { eventually } from "./lib/eventually.ts";
import { Notebook } from "./lib/notebook.ts";
import { Tree } from "./lib/tree.ts";
import { openWorkbench, type Workbench } from "./lib/workbench.ts";

/** What the page's `countClicks` keeps. */
interface Counted {
  clicks: number;
  /** Of the first one, in ms since the epoch. */
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
    // Its button in the activity bar arrives some seconds after the window.
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

  it("lead to an answer with three clicks", async () => {
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

  it("lead to a prediction with four clicks", async () => {
    const tree = await trySample();
    await tree.inlineAction(
      ["Sample Server", "mindsdb", "Models", "home_rentals_model"],
      "Predict…",
    );
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
});

/** Runs in a window or a page in it: tells of each press of a mouse button that is real. */
function countClicks(): void {
  const { clicked } = window as unknown as { clicked: () => void };
  const heard = (event: MouseEvent): void => {
    if (event.isTrusted) clicked();
  };
  window.addEventListener("mousedown", heard, true);
}
