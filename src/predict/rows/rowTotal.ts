// How many rows a run will have: guessed from the bytes read so far, known at the end of the file.

/** A guess from less of the file than this is worth nothing: rows at its start may be unlike the others. */
const minShare = 0.1;

export interface ExpectedRows {
  rows: number;
  /** Not all of the file has been read. */
  isGuess: boolean;
}

export class RowTotal {
  readonly #bytes: number;
  readonly #limit: number;
  #rows = 0;
  #bytesRead = 0;
  #isOver = false;

  /** Of a file of so many bytes, of which no more rows than the limit are taken. */
  constructor(bytes: number, limit = Infinity) {
    this.#bytes = bytes;
    this.#limit = limit;
  }

  /** More rows have come out of what has been read by now. */
  add(rows: number, bytesRead: number): void {
    this.#rows += rows;
    this.#bytesRead = bytesRead;
  }

  /** No more rows come. */
  end(): void {
    this.#isOver = true;
  }

  /** Undefined until there is a number worth the name; a guess has three digits that count. */
  get expected(): ExpectedRows | undefined {
    if (this.#isOver || this.#rows >= this.#limit) {
      return { rows: Math.min(this.#rows, this.#limit), isGuess: false };
    }
    const share = this.#bytesRead / this.#bytes;
    if (!(share >= minShare)) return undefined;
    const guess = Number((this.#rows / Math.min(share, 1)).toPrecision(3));
    return { rows: Math.min(Math.max(guess, this.#rows), this.#limit), isGuess: true };
  }
}
