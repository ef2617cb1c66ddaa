// The index of a run's rows: one record of fixed size for each row, so that any row is found without the ones before it.

/** The files of a run's folder: the rows, each with what came of it right behind; and where each of them is. */
export const dataFile = "data";
export const indexFile = "index";

export interface RowIndexEntry {
  /** Where the row is in the data. */
  start: number;
  rowLength: number;
  /** Of the reply; with `refused`, of the reason as a JSON text. */
  outcomeLength: number;
  /** In the rows' file, from 1. */
  line: number;
  refused: boolean;
}

export const recordBytes = 24;

/** Records one after the other, as they stand in the index. */
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

  set(index: number, { start, rowLength, outcomeLength, line, refused }: RowIndexEntry): void {
    const at = 6 * index;
    this.#starts[at / 2] = start;
    this.#rest[at + 2] = rowLength;
    this.#rest[at + 3] = outcomeLength;
    this.#rest[at + 4] = line;
    this.#rest[at + 5] = refused ? 1 : 0;
  }

  get(index: number): RowIndexEntry {
    const at = 6 * index;
    return {
      start: this.#starts[at / 2]!,
      rowLength: this.#rest[at + 2]!,
      outcomeLength: this.#rest[at + 3]!,
      line: this.#rest[at + 4]!,
      refused: this.#rest[at + 5] === 1,
    };
  }
}
