// Formats texts, times and counts of a conversation, for its page and its Markdown.
import { formatMessage } from "../shared/formatMessage.ts";
import type { ChatTexts } from "./chatTexts.ts";
import type { AgentRun, TimedStep } from "./transcript.ts";

export class ChatTextFormatter {
  readonly texts: ChatTexts;
  // Reused, because creating a format takes longer than showing a step.
  readonly #whole: Intl.NumberFormat;
  readonly #tenths: Intl.NumberFormat;

  constructor(texts: ChatTexts, locale: string) {
    const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
    this.texts = texts;
    this.#whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
    this.#tenths = new Intl.NumberFormat(locale, digits);
  }

  /** Formats a whole number in the user's locale. */
  count(value: number): string {
    return this.#whole.format(value);
  }

  /** Formats a duration: "0.3 s", "12 s", "2 min 5 s". */
  duration(ms: number): string {
    if (ms < 50) return formatMessage(this.texts.lessThanSeconds, this.#tenths.format(0.1));
    if (ms < 9_950) return formatMessage(this.texts.seconds, this.#tenths.format(ms / 1000));
    return this.clock(ms);
  }

  /** Formats an elapsed time in whole seconds: "0 s", "12 s", "2 min 5 s". */
  clock(ms: number): string {
    const all = Math.round(ms / 1000);
    const [minutes, seconds] = [Math.floor(all / 60), all % 60];
    if (minutes === 0) return formatMessage(this.texts.seconds, this.count(seconds));
    if (seconds === 0) return formatMessage(this.texts.minutes, this.count(minutes));
    return formatMessage(this.texts.minutesSeconds, this.count(minutes), this.count(seconds));
  }

  step({ kind, label, tool, query }: TimedStep): string {
    const texts = this.texts.step;
    if (kind === "status" && label !== undefined) return label;
    if (kind === "tool") return formatMessage(texts.tool, tool ?? "");
    if (query?.final) return texts.sqlFinal;
    if (query?.k !== undefined) return formatMessage(texts.sqlCounted, this.count(query.k));
    return texts[kind];
  }

  /** Returns how a run ended, in one sentence. */
  outcome(run: AgentRun): string {
    if (run.state === "running") return "";
    return run.reason ?? formatMessage(this.texts.ended[run.state], this.duration(run.took ?? 0));
  }
}
