// Fills in the page's texts.
import { formatMessage } from "../../../shared/formatMessage.ts";
import type { FormTexts, ListField } from "../../formMessages.ts";
import type { Problem } from "../../validation.ts";
import type { ShownProblem } from "../../../shared/page/form/fieldRow.ts";

export class FormTextFormatter {
  readonly texts: FormTexts;
  readonly #numbers: Intl.NumberFormat;

  constructor(texts: FormTexts, locale: string) {
    this.texts = texts;
    this.#numbers = new Intl.NumberFormat(locale);
  }

  shown({ kind, values, isWarning }: Problem): ShownProblem {
    return { text: formatMessage(this.texts.problems[kind], ...values), isWarning };
  }

  /** Returns how many items an entry matches: "7 tables". */
  matches(field: ListField, count: number | null | undefined): string {
    const { texts } = this;
    if (count === undefined) return "";
    if (count === null) return texts.notCounted;
    const isTables = field === "tables";
    if (count === 1) return isTables ? texts.oneTable : texts.oneKnowledgeBase;
    const several = isTables ? texts.severalTables : texts.severalKnowledgeBases;
    return formatMessage(several, this.#numbers.format(count));
  }

  /** Returns how many fields need attention. */
  attention(count: number): string {
    const { oneProblem, severalProblems } = this.texts;
    return count === 1 ? oneProblem : formatMessage(severalProblems, this.#numbers.format(count));
  }

  sending(seconds: number): string {
    return formatMessage(this.texts.sending, this.#numbers.format(seconds));
  }
}
