// The page's words with their values filled in.
import { fill } from "../../shared/fill.ts";
import type { FormTexts, ListField } from "../messages.ts";
import type { Problem } from "../problems.ts";
import type { ShownProblem } from "./fields.ts";

export class Words {
  readonly texts: FormTexts;
  readonly #numbers: Intl.NumberFormat;

  constructor(texts: FormTexts, locale: string) {
    this.texts = texts;
    this.#numbers = new Intl.NumberFormat(locale);
  }

  shown({ kind, values, isWarning }: Problem): ShownProblem {
    return { text: fill(this.texts.problems[kind], ...values), isWarning };
  }

  /** How many things an entry stands for: "7 tables". */
  matches(field: ListField, count: number | null | undefined): string {
    const { texts } = this;
    if (count === undefined) return "";
    if (count === null) return texts.notCounted;
    const isTables = field === "tables";
    if (count === 1) return isTables ? texts.oneTable : texts.oneKnowledgeBase;
    const several = isTables ? texts.severalTables : texts.severalKnowledgeBases;
    return fill(several, this.#numbers.format(count));
  }

  /** How many fields keep the form from being sent. */
  attention(count: number): string {
    const { oneProblem, severalProblems } = this.texts;
    return count === 1 ? oneProblem : fill(severalProblems, this.#numbers.format(count));
  }

  sending(seconds: number): string {
    return fill(this.texts.sending, this.#numbers.format(seconds));
  }
}
