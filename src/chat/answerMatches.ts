// Finds values of an answer that also occur in the agent's observations. This does not prove where they come from.

/** A place in a run: indexes of step and part, and of row and column in a table. */
export interface MatchPlace {
  step: number;
  part: number;
  row?: number;
  column?: number;
}

/** A range of the answer, and where else its text occurs. */
export interface AnswerMatches {
  from: number;
  to: number;
  place: MatchPlace;
}

/** Shorter texts, and numbers with fewer digits, match by chance. */
const minCharacters = 12;
const minDigits = 4;

/** The most values of one run, to limit the time. */
const maxValues = 20_000;

/** How much of an answer is searched. */
const maxAnswerCharacters = 50_000;

/** The most texts with the same beginning. */
const maxEqualMatches = 50;

/** The most characters that are compared for one run: texts can be long, and differ only in their ends. */
const maxCompared = 10_000_000;

/** Excludes parts of dates, and includes a minus sign. */
const number = /(?<![\p{L}\p{N}_.,\u2212])-?\d+(?:[.,]\d+)*(?![\p{L}\p{N}_]|[.,]\d|-\d\d-\d\d)/gu;
const wordCharacter = /[\p{L}\p{N}_]/u;

/** An index of the values in a run's observations. The first place of a value counts. */
export class ObservedValues {
  readonly #numbers = new Map<string, MatchPlace>();
  /** By their first characters, the longest last. */
  readonly #texts = new Map<string, { text: string; place: MatchPlace }[]>();
  #count = 0;
  #compared = 0;

  /** Adds a value, like a table's cell: the whole text, its sentences and its numbers. */
  addValue(value: string, place: MatchPlace): void {
    const text = value.trim();
    for (const [found] of text.matchAll(number)) this.#addNumber(found, place);
    if (text.length < minCharacters) return;
    const lines = text.split("\n").map((line) => line.trim());
    const sentences = lines.flatMap((line) => line.split(/(?<=[.!?])\s+/));
    for (const sentence of sentences.length > 1 ? [text, ...sentences] : [text]) {
      if (sentence.length >= minCharacters) this.#addText(sentence, place);
    }
  }

  /** Adds the lines of a text as values. */
  addText(text: string, place: MatchPlace): void {
    for (const line of text.split("\n")) this.addValue(line, place);
  }

  /** Returns the matches in a part of an answer, in order and without overlaps. */
  find(piece: string): AnswerMatches[] {
    const answer = piece.slice(0, maxAnswerCharacters);
    const found: AnswerMatches[] = [];
    for (const match of this.#texts.size > 0 ? answer.matchAll(/[\p{L}\p{N}]+|[^\s]/gu) : []) {
      const from = match.index;
      if (from < (found.at(-1)?.to ?? 0)) continue;
      const candidates = this.#texts.get(answer.slice(from, from + minCharacters)) ?? [];
      // few: maxEqualMatches.
      const longest = candidates.findLast(({ text }) => this.#isAt(answer, from, text));
      if (longest) found.push({ from, to: from + longest.text.length, place: longest.place });
    }
    return [...found, ...this.#findNumbers(answer, found)].sort((a, b) => a.from - b.from);
  }

  #isAt(answer: string, from: number, text: string): boolean {
    this.#compared += text.length;
    if (this.#compared > maxCompared) return false;
    return isWhole(answer, from, text) && answer.startsWith(text, from);
  }

  /** Yields the numbers outside of the text matches. */
  *#findNumbers(answer: string, found: AnswerMatches[]): Generator<AnswerMatches> {
    let passed = 0;
    for (const match of answer.matchAll(number)) {
      const [from, to] = [match.index, match.index + match[0].length];
      while ((found[passed]?.to ?? Infinity) <= from) passed++;
      const isFree = (found[passed]?.from ?? Infinity) >= to;
      const place = this.#numbers.get(match[0]);
      if (place && isFree) yield { from, to, place };
    }
  }

  #addNumber(written: string, place: MatchPlace): void {
    if (significantDigits(written) < minDigits || this.#isFull()) return;
    if (!this.#numbers.has(written)) this.#numbers.set(written, place);
  }

  #addText(text: string, place: MatchPlace): void {
    if (this.#isFull()) return;
    const start = text.slice(0, minCharacters);
    const others = this.#texts.get(start) ?? [];
    if (others.length >= maxEqualMatches || others.some((other) => other.text === text)) return;
    this.#texts.set(
      start,
      [...others, { text, place }].sort((a, b) => a.text.length - b.text.length),
    );
  }

  #isFull(): boolean {
    return ++this.#count > maxValues;
  }
}

/** True if the text, where it is at `from`, is not part of a longer word. */
function isWhole(answer: string, from: number, text: string): boolean {
  const [before, after] = [answer[from - 1] ?? "", answer[from + text.length] ?? ""];
  const joins = (a: string, b: string) => wordCharacter.test(a) && wordCharacter.test(b);
  return !joins(before, text[0] ?? "") && !joins(text.at(-1) ?? "", after);
}

/** Counts digits without leading and trailing zeros, which only express the magnitude. */
function significantDigits(written: string): number {
  const digits = written.replace(/\D/g, "").replace(/^0+/, "");
  return (/[.]/.test(written) ? digits : digits.replace(/(?<!0)0+$/, "")).length;
}
