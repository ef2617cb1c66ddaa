// Where a run is: a thin bar that moves and one line of words. And what screen readers are told.
import { element } from "../../shared/page/dom.ts";
import type { Run } from "../transcript.ts";
import { fill, type Words } from "./words.ts";

/** After so long without a word from the server the line says so, in ms. */
const SILENCE = 10_000;

/** Screen readers hear of steps no more often than this, in ms. */
const ANNOUNCE_EVERY = 3_000;

export class Progress {
  readonly element = element("div", { class: "progress" });
  readonly announcements = element("div", { class: "unseen", role: "status" });
  readonly #line = element("span", { class: "where" });
  readonly #words: Words;
  readonly #agent: string;
  /** The host's clock, epoch ms. */
  readonly #now: () => number;
  #run: Run | undefined;
  #lastWord = 0;
  #timer: number | undefined;
  #announced = 0;

  constructor(words: Words, agent: string, now: () => number) {
    this.#words = words;
    this.#agent = agent;
    this.#now = now;
    this.element.hidden = true;
    this.element.append(element("div", { class: "bar" }), this.#line);
  }

  /** The run that is under way, or none. Called whenever something came; `at` is when, in ms since the run began. */
  show(run: Run | undefined, at: number): void {
    this.#run = run;
    this.#lastWord = at;
    this.element.hidden = run === undefined;
    if (run && this.#timer === undefined)
      this.#timer = window.setInterval(() => this.#tick(), 1000);
    if (!run) {
      window.clearInterval(this.#timer);
      this.#timer = undefined;
    }
    this.#tick();
  }

  /** Says it to screen readers; what comes too soon after the last is left out unless it is `important`. */
  announce(text: string, important: boolean): void {
    const now = performance.now();
    if (!important && now - this.#announced < ANNOUNCE_EVERY) return;
    this.#announced = now;
    this.announcements.textContent = text;
  }

  #tick(): void {
    if (!this.#run) return;
    const { texts } = this.#words;
    const elapsed = Math.max(0, this.#now() - this.#run.startedAt);
    const step = this.#run.steps.at(-1);
    const where = step ? this.#words.step(step) : fill(texts.waiting, this.#agent);
    const pieces = [where, this.#words.clock(elapsed)];
    const silence = elapsed - this.#lastWord;
    if (silence >= SILENCE) pieces.push(fill(texts.silent, this.#words.clock(silence)));
    this.#line.textContent = pieces.join(" · ");
  }
}
