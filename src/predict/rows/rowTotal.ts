/** The share of the file that must have been read for an estimate: the first rows may not be typical. */
const minShare = 0.1;

export interface ExpectedRows {
  rows: number;
  /** True while part of the file has not been read. */
  isGuess: boolean;
}

/** The total number of rows of a file: estimated from the bytes read so far, exact at the end. */
export class RowTotal {
  /** Rows without any value, which are left out. */
  blankRows = 0;
  /** Cells that are written as \N and read as null. */
  nullMarks = 0;
  /** The member of the file whose list the rows are, if it is not "data". */
  listName: string | undefined;
  readonly #bytes: number;
  readonly #limit: number;
  #rows = 0;
  #bytesRead = 0;
  #isOver = false;

  /** `limit` is the number of rows that are used at most. */
  constructor(bytes: number, limit = Infinity) {
    this.#bytes = bytes;
    this.#limit = limit;
  }

  /** Counts more rows. `bytesRead` is the number of bytes read so far. */
  add(rows: number, bytesRead: number): void {
    this.#rows += rows;
    this.#bytesRead = bytesRead;
  }

  /** Marks the end of the rows. */
  end(): void {
    this.#isOver = true;
  }

  /** Undefined until enough has been read; estimates have three significant digits. */
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
