// Where a run is: a thin bar that moves and one line of words. And what screen readers are told.
import { formatMessage } from "../../shared/formatMessage.ts";
import { element } from "../../shared/page/dom.ts";
import type { AgentRun } from "../transcript.ts";
import type { ChatTextFormatter } from "./formatTexts.ts";

/** After so long without a word from the server the line says so, in ms. */
const silenceMs = 10_000;

/** Screen readers hear of steps no more often than this, in ms. */
const announceEveryMs = 3_000;

export class Progress {
  readonly bar = element("div", { class: "bar" });
  readonly line = element("p", { class: "where" });
  readonly announcements = element("div", { class: "unseen", role: "status" });
  readonly #words: ChatTextFormatter;
  readonly #agent: string;
  /** The host's clock, epoch ms. */
  readonly #now: () => number;
  #run: AgentRun | undefined;
  #lastWord = 0;
  #timer: number | undefined;
  #announced = -Infinity;

  constructor(words: ChatTextFormatter, agent: string, now: () => number) {
    this.#words = words;
    this.#agent = agent;
    this.#now = now;
    this.bar.hidden = true;
    this.line.hidden = true;
  }

  /** The run that is under way, or none; `lastWord` is when something last came, in ms since the run began. */
  show(run: AgentRun | undefined, lastWord = 0): void {
    this.#run = run;
    this.#lastWord = lastWord;
    this.bar.hidden = run === undefined;
    this.line.hidden = run === undefined;
    window.clearInterval(this.#timer);
    if (!run) return;
    this.#timer = window.setInterval(() => this.#tick(), 1000);
    this.#tick();
  }

  /** Says it to screen readers; what comes too soon after the last is left out unless it is `important`. */
  announce(text: string, important: boolean): void {
    const now = performance.now();
    if (!important && now - this.#announced < announceEveryMs) return;
    this.#announced = now;
    this.announcements.textContent = text;
  }

  #tick(): void {
    if (!this.#run) return;
    const { texts } = this.#words;
    const elapsed = Math.max(0, this.#now() - this.#run.startedAt);
    const step = this.#run.steps.at(-1);
    const where = step ? this.#words.step(step) : formatMessage(texts.waiting, this.#agent);
    const pieces = [where, this.#words.clock(elapsed)];
    const silence = elapsed - this.#lastWord;
    if (silence >= silenceMs) pieces.push(formatMessage(texts.silent, this.#words.clock(silence)));
    this.line.textContent = pieces.join(" · ");
  }
}
