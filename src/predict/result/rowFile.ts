import * as l10n from "@vscode/l10n";
import fs from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import path from "node:path";
import { AppError } from "../../mindsdb/errors.ts";
import { JsonScanner } from "../rows/jsonScanner.ts";
import { readStoredRow } from "./readStoredRow.ts";
import type { Row } from "../rows/row.ts";
import { readRanges } from "./byteRanges.ts";
import { dataFile, indexFile, recordBytes, RowIndex, type RowIndexEntry } from "./rowIndex.ts";
import type { AnsweredRow } from "./columnReader.ts";
import { makePrivateFolder, privateMode, removeLink } from "../../shared/node/privateFiles.ts";

/** The maximum size of a result on disk. */
const maxResultBytes = 4 * 1024 ** 3;

/** Bytes that may wait to be written before the run has to wait for the disk. */
const maxQueuedBytes = 32 * 1024 ** 2;

interface StoredRow extends AnsweredRow {
  /** In the result, counted from 1. */
  number: number;
}

/** Rows to store, each with its reply, all with the reason of their refusal, or without either. */
export interface RowsToStore {
  rows: readonly Row[];
  replies?: readonly Row[];
  refused?: string;
}

/** Rows that wait to be written. */
interface PendingRows {
  data: Buffer;
  records: RowIndex;
  refused: number;
}

/** The files of a result: rows with their outcomes, and an index, so that memory does not grow with the rows. */
export class RowFile {
  readonly folder: string;
  readonly #data: FileHandle;
  readonly #index: FileHandle;
  readonly #capBytes: number;
  readonly #rowScanner = new JsonScanner();
  readonly #replyScanner = new JsonScanner();
  #size = 0;
  #length = 0;
  /** Rows that are in the files already. */
  #written = 0;
  #refused = 0;
  readonly #queue: PendingRows[] = [];
  #queuedBytes = 0;
  /** The buffer of rows that are written, for the next ones: a new one for each batch is garbage to collect. */
  #spare: ArrayBufferLike | undefined;
  #writing: Promise<void> | undefined;
  #failure: AppError | undefined;

  private constructor(folder: string, data: FileHandle, index: FileHandle, capBytes: number) {
    this.folder = folder;
    this.#data = data;
    this.#index = index;
    this.#capBytes = capBytes;
  }

  /** Creates the files, and the folder if it does not exist. */
  static async create(
    folder: string,
    { capBytes = maxResultBytes }: { capBytes?: number | undefined } = {},
  ): Promise<RowFile> {
    makePrivateFolder(folder);
    for (const name of [dataFile, indexFile]) removeLink(path.join(folder, name));
    const data = await fs.open(path.join(folder, dataFile), "w+", privateMode);
    const index = await fs.open(path.join(folder, indexFile), "w+", privateMode);
    return new RowFile(folder, data, index, capBytes);
  }

  /** Opens the files of a stored result. Throws if they hold fewer rows. */
  static async open(
    folder: string,
    { length, refused }: { length: number; refused: number },
  ): Promise<RowFile> {
    const data = await fs.open(path.join(folder, dataFile), "r");
    let index: FileHandle | undefined;
    try {
      index = await fs.open(path.join(folder, indexFile), "r");
      const file = new RowFile(folder, data, index, 0);
      await file.#setLength(length, refused);
      return file;
    } catch (error) {
      await Promise.all([data.close(), index?.close()]);
      throw error;
    }
  }

  /** The number of rows, including refused ones. */
  get length(): number {
    return this.#length;
  }

  get refused(): number {
    return this.#refused;
  }

  /**
   * Adds rows, which are written in the background. Throws AppError "tooLarge" if the result would exceed the maximum
   * size, or the disk is full.
   */
  async append({ rows, replies, refused }: RowsToStore): Promise<void> {
    const isRefused = refused !== undefined;
    const reason = isRefused ? JSON.stringify(refused) : "";
    const outcomes = replies ? totalLength(replies) : rows.length * Buffer.byteLength(reason);
    const size = totalLength(rows) + outcomes;
    const indexSize = (this.#length + rows.length) * recordBytes;
    if (this.#size + size + indexSize > this.#capBytes) {
      const cap = (this.#capBytes / 1024 ** 3).toFixed(0);
      throw new AppError("tooLarge", l10n.t("The result has reached its limit of {0} GB.", cap));
    }

    const data = this.#takeBuffer(size);
    const records = new RowIndex(rows.length);
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
        refused: isRefused,
      });
      position += rowLength + outcomeLength;
    }
    const refusedRows = isRefused ? rows.length : 0;
    this.#size += size;
    this.#length += rows.length;
    this.#refused += refusedRows;
    this.#queue.push({ data, records, refused: refusedRows });
    this.#queuedBytes += size;
    this.#writing ??= this.#write();
    if (this.#queuedBytes > maxQueuedBytes) await this.written();
    if (this.#failure) throw this.#failure;
  }

  /** Resolves when all rows are in the files. Throws the AppError of a failed write. */
  async written(): Promise<void> {
    await this.#writing;
    this.#spare = undefined;
    if (this.#failure) throw this.#failure;
  }

  /**
   * At most `count` rows from `from` (counted from 0). With `order`, which holds indices of rows, `from` is a position in
   * that order.
   */
  async read(from: number, count: number, order?: Uint32Array): Promise<StoredRow[]> {
    const end = Math.min(from + count, order?.length ?? this.#length);
    let indices = Array.from({ length: Math.max(0, end - from) }, (_, at) =>
      order ? order[from + at]! : from + at,
    );
    if (indices.some((index) => index >= this.#written)) {
      await this.#writing;
      // Rows that did not fit on a full disk have been removed.
      indices = indices.filter((index) => index < this.#length);
    }
    const records = await this.#records(indices);
    const found = await readRanges(
      this.#data,
      records.map(({ start, rowLength, outcomeLength }) => ({
        start,
        length: rowLength + outcomeLength,
      })),
    );
    return records.map((record, at) => this.#stored(indices[at]!, record, found[at]!));
  }

  /** Closes the files without the rows that still wait to be written. */
  async dispose(): Promise<void> {
    this.#queue.length = 0;
    await this.#writing;
    await Promise.all([this.#data.close(), this.#index.close()]);
  }

  #takeBuffer(size: number): Buffer {
    const spare = this.#spare;
    this.#spare = undefined;
    const fits = spare !== undefined && spare.byteLength >= size;
    return fits ? Buffer.from(spare, 0, size) : Buffer.allocUnsafeSlow(size);
  }

  async #setLength(length: number, refused: number): Promise<void> {
    const data = await this.#data.stat();
    this.#length = this.#written = length;
    this.#refused = refused;
    this.#size = data.size;
    if (length === 0) return;
    const [last] = await this.#records([length - 1]);
    const end = last!.start + last!.rowLength + last!.outcomeLength;
    if (!(end <= data.size)) throw new Error("The data lacks rows.");
  }

  /** Never rejects: the next call throws the failure. Rows that are in the files stay. */
  async #write(): Promise<void> {
    try {
      for (let piece = this.#queue[0]; piece; piece = this.#queue[0]) {
        await this.#data.writeFile(piece.data);
        await this.#index.writeFile(piece.records.bytes);
        this.#queuedBytes -= piece.data.length;
        this.#spare = piece.data.buffer;
        this.#written += piece.records.length;
        this.#queue.shift();
      }
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      const message = l10n.t("The result could not be written to disk: {0}.", why);
      this.#failure = new AppError("tooLarge", message, { cause });
      for (const { records, refused } of this.#queue.splice(0)) {
        this.#length -= records.length;
        this.#refused -= refused;
      }
    } finally {
      this.#writing = undefined;
    }
  }

  async #records(indices: number[]): Promise<RowIndexEntry[]> {
    const records = new RowIndex(indices.length);
    const found = await readRanges(
      this.#index,
      indices.map((index) => ({ start: index * recordBytes, length: recordBytes })),
    );
    for (const [at, bytes] of found.entries()) records.bytes.set(bytes, at * recordBytes);
    return indices.map((_, at) => records.get(at));
  }

  #stored(index: number, record: RowIndexEntry, bytes: Buffer): StoredRow {
    this.#rowScanner.setBytes(bytes, bytes.length);
    const number = index + 1;
    return { number, ...readStoredRow(this.#rowScanner, this.#replyScanner, 0, record) };
  }
}

function totalLength(rows: readonly Row[]): number {
  let length = 0;
  for (const { start, end } of rows) length += end - start;
  return length;
}
