// The progress of a run: a bar, a line of text, and announcements for screen readers.
import { formatMessage } from "../../shared/formatMessage.ts";
import { element } from "../../shared/page/dom.ts";
import type { AgentRun } from "../transcript.ts";
import type { ChatTextFormatter } from "../formatTexts.ts";

/** Time without a response after which the line says so, in ms. */
const silenceMs = 10_000;

/** The shortest time between announcements, in ms. */
const announceEveryMs = 3_000;

export class Progress {
  readonly bar = element("div", { class: "bar" });
  readonly line = element("p", { class: "where" });
  readonly announcements = element("div", { class: "visually-hidden", role: "status" });
  readonly #formatter: ChatTextFormatter;
  readonly #agent: string;
  /** The host's clock, epoch ms. */
  readonly #now: () => number;
  #run: AgentRun | undefined;
  #lastWord = 0;
  #timer: number | undefined;
  #announced = -Infinity;

  constructor(formatter: ChatTextFormatter, agent: string, now: () => number) {
    this.#formatter = formatter;
    this.#agent = agent;
    this.#now = now;
    this.bar.hidden = true;
    this.line.hidden = true;
  }

  /** Shows the running run, or none; `lastWord` is the time of its last event, in ms since it started. */
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

  /** Announces a text; skips one too soon after the last unless it is `important`. */
  announce(text: string, important: boolean): void {
    const now = performance.now();
    if (!important && now - this.#announced < announceEveryMs) return;
    this.#announced = now;
    this.announcements.textContent = text;
  }

  #tick(): void {
    if (!this.#run) return;
    const { texts } = this.#formatter;
    const elapsed = Math.max(0, this.#now() - this.#run.startedAt);
    const step = this.#run.steps.at(-1);
    const where = step ? this.#formatter.step(step) : formatMessage(texts.waiting, this.#agent);
    const pieces = [where, this.#formatter.clock(elapsed)];
    const silence = elapsed - this.#lastWord;
    if (silence >= silenceMs) {
      pieces.push(formatMessage(texts.silent, this.#formatter.clock(silence)));
    }
    this.line.textContent = pieces.join(" · ");
  }
}
