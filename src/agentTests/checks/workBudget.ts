/** A file, or the assertions about an answer, would take too much memory or time. */
export class TooMuchWorkError extends Error {}

export class TooMuchTimeError extends TooMuchWorkError {}

/** A short file can ask for gigabytes. */
const maxCharacters = 50_000_000;

/** The total cost allowed for reading one file or judging one answer. Passed into everything that can multiply text. */
export class WorkBudget {
  readonly #deadline: number;
  #characters = 0;

  constructor(maxMs = Infinity) {
    this.#deadline = performance.now() + maxMs;
  }

  /** So many characters were read and made. */
  get characters(): number {
    return this.#characters;
  }

  /** Call it before the characters are made. Throws TooMuchWorkError. */
  spend(characters: number): void {
    this.#characters += characters;
    if (this.#characters > maxCharacters) throw new TooMuchWorkError();
  }

  /** Call it before what takes long. Throws TooMuchTimeError. */
  checkTime(): void {
    if (performance.now() > this.#deadline) throw new TooMuchTimeError();
  }
}
