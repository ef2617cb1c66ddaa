// The page's words: the host's texts filled in, times and counts as people read them.
import type { ChatTexts } from "../messages.ts";
import type { Run, TimedStep } from "../transcript.ts";

/** Puts the values in place of `{0}` and `{1}`. */
export function fill(text: string, ...values: string[]): string {
  return text.replace(/\{(\d)\}/g, (_, index: string) => values[Number(index)] ?? "");
}

export class Words {
  readonly texts: ChatTexts;
  readonly #locale: string;

  constructor(texts: ChatTexts, locale: string) {
    this.texts = texts;
    this.#locale = locale;
  }

  /** A number in the user's locale, with this many decimals. */
  number(value: number, decimals = 0): string {
    return value.toLocaleString(this.#locale, {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
  }

  /** How long something took: "0.3 s", "12 s", "2 min 5 s". */
  duration(ms: number): string {
    if (ms < 50) return fill(this.texts.lessThanSeconds, this.number(0.1, 1));
    if (ms < 9_950) return fill(this.texts.seconds, this.number(ms / 1000, 1));
    return this.clock(ms);
  }

  /** A running clock's time: "0 s", "12 s", "2 min 5 s". */
  clock(ms: number): string {
    const all = Math.round(ms / 1000);
    const [minutes, seconds] = [Math.floor(all / 60), all % 60];
    if (minutes === 0) return fill(this.texts.seconds, this.number(seconds));
    if (seconds === 0) return fill(this.texts.minutes, this.number(minutes));
    return fill(this.texts.minutesSeconds, this.number(minutes), this.number(seconds));
  }

  /** What a step does. */
  step({ kind, tool, query }: TimedStep): string {
    const texts = this.texts.step;
    if (kind === "tool") return fill(texts.tool, tool ?? "");
    if (query?.final) return texts.sqlFinal;
    if (query?.k !== undefined && query.of !== undefined) {
      return fill(texts.sqlCounted, this.number(query.k), this.number(query.of));
    }
    return texts[kind];
  }

  /** How a run ended: one sentence. */
  outcome(run: Run): string {
    if (run.state === "running") return "";
    return run.reason ?? fill(this.texts.ended[run.state], this.duration(run.took ?? 0));
  }
}
