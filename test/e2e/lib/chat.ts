// Page object of the chat panel.
import assert from "node:assert/strict";
import type { Frame, Locator } from "playwright-core";
import { eventually } from "./eventually.ts";
import { clickOnce, quickly } from "./once.ts";
import type { Workbench } from "./workbench.ts";

export type OutcomeState = "answered" | "stopped" | "failed" | "cutOff" | "noAnswer";

export interface ShownStep {
  /** The step's label, like "Query 1". */
  words: string;
  /** The text next to the label. */
  hint: string;
  state: string;
  isOpen: boolean;
}

export interface ShownRun {
  question: string;
  steps: ShownStep[];
  /** Empty until there is an answer. */
  answer: string;
  /** `running` until the run has ended. */
  state: OutcomeState | "running";
  /** How the run ended, in a sentence. */
  sentence: string;
  /** The text buttons next to that sentence. */
  buttons: string[];
}

/** Of sending a question. */
const maxAttempts = 3;

export class Chat {
  readonly frame: Frame;

  private constructor(frame: Frame) {
    this.frame = frame;
  }

  /** Returns the panel with this agent, once its page is there. */
  static async with(workbench: Workbench, agent: string): Promise<Chat> {
    const frame = await workbench.frameWith(`.chat h1:text-is(${JSON.stringify(agent)})`);
    return new Chat(frame);
  }

  get composer(): Locator {
    return this.frame.locator(".composer textarea");
  }

  button(name: string): Locator {
    return this.frame.getByRole("button", { name, exact: true });
  }

  /**
   * Types a question and sends it. On a busy machine, VS Code can move the focus to a tab that has just opened after the
   * question is typed, and the key is lost: like a user who sees the question still there, it presses Enter again. The
   * page ignores that if it has sent the question, so a question that is lost on its way still fails the test.
   */
  async ask(question: string): Promise<void> {
    // A window that has just opened the chat can still move the focus, and then the text goes elsewhere.
    await eventually(async () => {
      await this.composer.fill(question);
      assert.equal(await this.composer.inputValue(), question);
    });
    for (let attempt = 1; ; attempt++) {
      await this.composer.press("Enter");
      try {
        await eventually(async () => {
          assert.notEqual(await this.composer.inputValue(), question);
        }, 3_000);
        return;
      } catch (error) {
        if (attempt === maxAttempts) throw error;
        console.log("      (Enter had to be pressed again)");
      }
    }
  }

  async stop(): Promise<void> {
    await this.button("Stop (Escape)").click();
  }

  /** Presses Ask Again at the end of the last run. */
  async askAgain(): Promise<void> {
    await this.#last.locator(".outcome").getByRole("button", { name: "Ask Again" }).click();
  }

  /** The line with the run's progress; empty if no run is under way. */
  async progress(): Promise<string> {
    const line = this.frame.locator(".where");
    return (await line.isVisible()) ? line.innerText() : "";
  }

  /** Every run as shown now. */
  async runs(): Promise<ShownRun[]> {
    return this.frame.locator(".run").evaluateAll(readRuns);
  }

  async lastRun(): Promise<ShownRun> {
    const [run] = await this.#last.evaluateAll(readRuns);
    if (!run) throw new Error("Nothing has been asked");
    return run;
  }

  /** Waits until there are this many runs and the last one has ended, and returns it. */
  async ended(count: number, timeoutMs = 40_000): Promise<ShownRun> {
    return eventually(async () => {
      const runs = await this.frame.locator(".run").count();
      const last = await this.lastRun();
      if (runs === count && last.state !== "running") return last;
      const { question, state, sentence } = last;
      throw new Error(`Run ${runs} of ${count} is ${state}: ${question.slice(0, 100)} ${sentence}`);
    }, timeoutMs);
  }

  /** Opens a step of the last run (0-based), and returns its body's text, once it contains this. */
  async openStep(index: number, says = /./): Promise<string> {
    const folded = this.#last.locator(".steps-toggle[aria-expanded=false]:visible");
    const step = this.#last.locator(".step").nth(index);
    const line = step.locator("button.line");
    return eventually(async () => {
      if ((await folded.count()) > 0) await clickOnce(folded);
      if ((await line.getAttribute("aria-expanded", quickly)) !== "true") await clickOnce(line);
      assert.equal(await line.getAttribute("aria-expanded", quickly), "true");
      const text = await step.locator(".body").innerText(quickly);
      assert.match(text, says);
      return text;
    });
  }

  get #last(): Locator {
    return this.frame.locator(".run").last();
  }
}

/** Runs in the page. */
function readRuns(runs: Element[]): ShownRun[] {
  return runs.map((run) => {
    // innerText leaves out what is not laid out yet.
    const text = (selector: string, within: Element = run) =>
      within.querySelector(selector)?.textContent.trim() ?? "";
    const outcome = run.querySelector<HTMLElement>(".outcome:not([hidden])");
    return {
      question: text(".question"),
      steps: [...run.querySelectorAll<HTMLElement>(".step")].map((step) => ({
        words: step.querySelector(".text")?.textContent ?? "",
        hint: step.querySelector(".hint")?.textContent ?? "",
        state: step.dataset["state"] ?? "",
        isOpen: step.querySelector(".line")?.getAttribute("aria-expanded") === "true",
      })),
      answer: text(".answer:not([hidden])"),
      state: (outcome?.dataset["state"] ?? "running") as ShownRun["state"],
      sentence: outcome ? text(".sentence", outcome) : "",
      buttons: [...(outcome?.querySelectorAll("button:not(.icon-button)") ?? [])]
        .map((button) => button.textContent.trim())
        .filter((words) => words !== ""),
    };
  });
}
