// A run on disk: each row with what came of it, and an index, so that memory does not grow with the rows.
import fs from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import path from "node:path";
import { AppError } from "../mindsdb/errors.ts";
import type { Answer } from "./batches.ts";
import { JsonScanner } from "./rows/json.ts";
import { ReplyRow } from "./rows/replies.ts";
import type { Row } from "./rows/row.ts";
import { dataFile, indexFile, recordBytes, RunRecords } from "./rows/runRecords.ts";
import type { RunRecord } from "./rows/runRecords.ts";
import { readSpans } from "./rows/spans.ts";

/** A run may be this large on disk. */
const runCapBytes = 4 * 1024 ** 3;

/** A row of a run and what came of it. */
export interface StoredRow {
  /** In the run, from 1. */
  number: number;
  /** In the rows' file, from 1. */
  line: number;
  row: Row;
  reply?: Row;
  /** Why there is no reply. */
  refused?: string;
}

export class RunFile {
  readonly folder: string;
  readonly #data: FileHandle;
  readonly #index: FileHandle;
  readonly #capBytes: number;
  readonly #rowScanner = new JsonScanner();
  readonly #replyScanner = new JsonScanner();
  #size = 0;
  #length = 0;
  #refused = 0;

  private constructor(folder: string, data: FileHandle, index: FileHandle, capBytes: number) {
    this.folder = folder;
    this.#data = data;
    this.#index = index;
    this.#capBytes = capBytes;
  }

  /** A new run, in a folder that is made for it. */
  static async create(folder: string, { capBytes = runCapBytes } = {}): Promise<RunFile> {
    await fs.mkdir(folder, { recursive: true });
    const data = await fs.open(path.join(folder, dataFile), "w+");
    const index = await fs.open(path.join(folder, indexFile), "w+");
    return new RunFile(folder, data, index, capBytes);
  }

  /** How many rows there are, refused ones included. */
  get length(): number {
    return this.#length;
  }

  get refused(): number {
    return this.#refused;
  }

  /** Adds what came of the next rows; one call at a time. Throws AppError "tooLarge" rather than pass the cap. */
  async append(answer: Answer): Promise<void> {
    const { rows } = answer;
    const replies = "replies" in answer ? answer.replies : undefined;
    const reason = "refused" in answer ? JSON.stringify(answer.refused) : "";
    const outcomes = replies ? lengthOfAll(replies) : rows.length * Buffer.byteLength(reason);
    const size = lengthOfAll(rows) + outcomes;
    if (this.#size + size > this.#capBytes) {
      const cap = (this.#capBytes / 1024 ** 3).toFixed(0);
      throw new AppError("tooLarge", `The result has reached ${cap} GB and may not get larger.`);
    }

    const data = Buffer.allocUnsafe(size);
    const records = new RunRecords(rows.length);
    let position = 0;
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index]!;
      const reply = replies?.[index];
      const rowLength = row.bytes.copy(data, position, row.start, row.end);
      const outcomeLength = reply
        ? reply.bytes.copy(data, position + rowLength, reply.start, reply.end)
        : data.write(reason, position + rowLength);
      records.set(index, {
        start: this.#size + position,
        rowLength,
        outcomeLength,
        line: row.line,
        refused: reply === undefined,
      });
      position += rowLength + outcomeLength;
    }
    await this.#data.write(data, 0, size, this.#size);
    await this.#index.write(records.bytes, 0, records.bytes.length, this.#length * recordBytes);
    this.#size += size;
    this.#length += rows.length;
    if (!replies) this.#refused += rows.length;
  }

  /**
   * At most `count` rows from `from` (counted from 0) on. With `order`, which holds rows' indices (their number less 1),
   * they are counted, and come, in that order.
   */
  async read(from: number, count: number, order?: Uint32Array): Promise<StoredRow[]> {
    const end = Math.min(from + count, order?.length ?? this.#length);
    const indices = Array.from({ length: Math.max(0, end - from) }, (_, at) =>
      order ? order[from + at]! : from + at,
    );
    const records = await this.#records(indices);
    const found = await readSpans(
      this.#data,
      records.map(({ start, rowLength, outcomeLength }) => ({
        start,
        length: rowLength + outcomeLength,
      })),
    );
    return records.map((record, at) => this.#stored(indices[at]!, record, found[at]!));
  }

  /** Closes the run's files and deletes them. */
  async dispose(): Promise<void> {
    await Promise.all([this.#data.close(), this.#index.close()]);
    await fs.rm(this.folder, { recursive: true, force: true });
  }

  async #records(indices: number[]): Promise<RunRecord[]> {
    const records = new RunRecords(indices.length);
    const found = await readSpans(
      this.#index,
      indices.map((index) => ({ start: index * recordBytes, length: recordBytes })),
    );
    for (const [at, bytes] of found.entries()) records.bytes.set(bytes, at * recordBytes);
    return indices.map((_, at) => records.get(at));
  }

  #stored(index: number, { line, rowLength, refused }: RunRecord, bytes: Buffer): StoredRow {
    this.#rowScanner.setBytes(bytes, bytes.length);
    const stored = { number: index + 1, line, row: this.#rowScanner.row(0)! };
    return refused
      ? { ...stored, refused: JSON.parse(bytes.toString("utf8", rowLength)) as string }
      : { ...stored, reply: new ReplyRow(bytes, rowLength, bytes.length, this.#replyScanner) };
  }
}

function lengthOfAll(rows: readonly Row[]): number {
  let length = 0;
  for (const { start, end } of rows) length += end - start;
  return length;
}
