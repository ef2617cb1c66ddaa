export class QuestionHistory {
  /** All questions, the newest last. */
  readonly #questions: () => string[];
  #recalled: { text: string; back: number } | undefined;

  constructor(questions: () => string[]) {
    this.#questions = questions;
  }

  /** Returns the question that a key recalls; undefined if the key has another meaning. */
  recall(event: KeyboardEvent, input: HTMLTextAreaElement): string | undefined {
    if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return undefined;
    const isRecalled = this.#recalled !== undefined && this.#recalled.text === input.value;
    const back = isRecalled ? (this.#recalled?.back ?? 0) : 0;
    if (event.key === "ArrowUp" && (isRecalled ? isOnFirstLine(input) : input.value === "")) {
      return this.#take(back + 1);
    }
    if (event.key === "ArrowDown" && isRecalled && isOnLastLine(input)) return this.#take(back - 1);
    return undefined;
  }

  #take(back: number): string | undefined {
    const questions = this.#questions().filter((text, at, all) => text !== all[at + 1]);
    const text = back === 0 ? "" : questions.at(-back);
    if (text === undefined) return undefined;
    this.#recalled = { text, back };
    return text;
  }
}

function isOnFirstLine({ value, selectionStart }: HTMLTextAreaElement): boolean {
  return !value.slice(0, selectionStart).includes("\n");
}

function isOnLastLine({ value, selectionEnd }: HTMLTextAreaElement): boolean {
  return !value.slice(selectionEnd).includes("\n");
}
