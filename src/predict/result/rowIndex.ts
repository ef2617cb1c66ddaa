// The index of a result: one record of fixed size per row, so that any row can be found directly.

/** The files of a result: the rows, each followed by its reply or the reason of its refusal; and their positions. */
export const dataFile = "data";
export const indexFile = "index";

export interface RowIndexEntry {
  /** The position of the row in the data file. */
  start: number;
  rowLength: number;
  /** The length of the reply, or of the reason of the refusal as a JSON string. */
  outcomeLength: number;
  refused: boolean;
}

export const recordBytes = 24;

/** Consecutive records of the index file. */
export class RowIndex {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #starts: Float64Array;
  readonly #rest: Uint32Array;

  constructor(count: number) {
    const buffer = new ArrayBuffer(count * recordBytes);
    this.bytes = new Uint8Array(buffer);
    this.#starts = new Float64Array(buffer);
    this.#rest = new Uint32Array(buffer);
  }

  get length(): number {
    return this.bytes.length / recordBytes;
  }

  set(index: number, { start, rowLength, outcomeLength, refused }: RowIndexEntry): void {
    const at = 6 * index;
    this.#starts[at / 2] = start;
    this.#rest[at + 2] = rowLength;
    this.#rest[at + 3] = outcomeLength;
    // Earlier versions stored the row's line at 4.
    this.#rest[at + 5] = refused ? 1 : 0;
  }

  get(index: number): RowIndexEntry {
    const at = 6 * index;
    return {
      start: this.#starts[at / 2]!,
      rowLength: this.#rest[at + 2]!,
      outcomeLength: this.#rest[at + 3]!,
      refused: this.#rest[at + 5] === 1,
    };
  }
}
