// The chat panel: what a user reads in it and does with it.
import type { Frame, Locator } from "playwright-core";
import { eventually } from "./eventually.ts";
import type { Workbench } from "./workbench.ts";

export type OutcomeState = "answered" | "stopped" | "failed" | "cutOff" | "noAnswer";

export interface ShownStep {
  /** What it did, like "Query 1". */
  words: string;
  /** What stands beside the words. */
  hint: string;
  state: string;
  isOpen: boolean;
}

export interface ShownRun {
  question: string;
  steps: ShownStep[];
  /** Empty as long as there is none. */
  answer: string;
  /** `running` until it has ended. */
  state: OutcomeState | "running";
  /** How it ended, in a sentence. */
  sentence: string;
  /** The buttons with words beside that sentence. */
  buttons: string[];
}

export class Chat {
  readonly frame: Frame;

  private constructor(frame: Frame) {
    this.frame = frame;
  }

  /** The panel that talks to this agent, once its page is there. */
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

  /** Types a question and sends it. */
  async ask(question: string): Promise<void> {
    await this.composer.fill(question);
    await this.composer.press("Enter");
  }

  async stop(): Promise<void> {
    await this.button("Stop (Escape)").click();
  }

  /** Presses Ask Again at the end of the last run. */
  async askAgain(): Promise<void> {
    await this.#last.locator(".outcome").getByRole("button", { name: "Ask Again" }).click();
  }

  /** The line that says where a run is; empty when none is under way. */
  async progress(): Promise<string> {
    const line = this.frame.locator(".where");
    return (await line.isVisible()) ? line.innerText() : "";
  }

  /** Every run, as it is shown now. */
  async runs(): Promise<ShownRun[]> {
    return this.frame.locator(".run").evaluateAll(readRuns);
  }

  async lastRun(): Promise<ShownRun> {
    const [run] = await this.#last.evaluateAll(readRuns);
    if (!run) throw new Error("Nothing has been asked");
    return run;
  }

  /** Waits until this many runs are there and the last has ended, and gives it. */
  async ended(count: number, timeoutMs = 40_000): Promise<ShownRun> {
    return eventually(async () => {
      const runs = await this.frame.locator(".run").count();
      const last = await this.lastRun();
      if (runs === count && last.state !== "running") return last;
      const { question, state, sentence } = last;
      throw new Error(`Run ${runs} of ${count} is ${state}: ${question.slice(0, 100)} ${sentence}`);
    }, timeoutMs);
  }

  /** Opens a step of the last run, counted from 0, and gives its body's text. */
  async openStep(index: number): Promise<string> {
    const folded = this.#last.locator(".steps-toggle[aria-expanded=false]:visible");
    if ((await folded.count()) > 0) await folded.click();
    const step = this.#last.locator(".step").nth(index);
    const line = step.locator("button.line");
    if ((await line.getAttribute("aria-expanded")) !== "true") await line.click();
    return step.locator(".body").innerText();
  }

  get #last(): Locator {
    return this.frame.locator(".run").last();
  }
}

/** Runs in the page. */
function readRuns(runs: Element[]): ShownRun[] {
  return runs.map((run) => {
    // Not as it is laid out: what is out of sight is not.
    const text = (selector: string, within: Element = run) =>
      within.querySelector(selector)?.textContent.trim() ?? "";
    const outcome = run.querySelector<HTMLElement>(".outcome:not([hidden])");
    return {
      question: text(".question"),
      steps: [...run.querySelectorAll<HTMLElement>(".step")].map((step) => ({
        words: step.querySelector(".words")?.textContent ?? "",
        hint: step.querySelector(".hint")?.textContent ?? "",
        state: step.dataset["state"] ?? "",
        isOpen: step.querySelector(".line")?.getAttribute("aria-expanded") === "true",
      })),
      answer: text(".answer:not([hidden])"),
      state: (outcome?.dataset["state"] ?? "running") as ShownRun["state"],
      sentence: outcome ? text(".sentence", outcome) : "",
      buttons: [...(outcome?.querySelectorAll("button") ?? [])]
        .map((button) => button.innerText.trim())
        .filter((words) => words !== ""),
    };
  });
}
