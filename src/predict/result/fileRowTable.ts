import fs from "node:fs";
import path from "node:path";
import type { ResultColumn } from "../messages.ts";
import { ColumnReader, type AnsweredRow } from "./columnReader.ts";
import type { ColumnsData } from "./resultMetadata.ts";
import type { RowTable } from "./rowTable.ts";
import { JsonScanner } from "../rows/jsonScanner.ts";
import { readStoredRow } from "./readStoredRow.ts";
import { dataFile, indexFile, recordBytes, RowIndex, type RowIndexEntry } from "./rowIndex.ts";

export interface RowFiles {
  folder: string;
  /** The number of rows when the task was started. */
  length: number;
  /** The number of refused rows among them. */
  refused: number;
  columns: ColumnsData;
}

/** Blocks have this many rows, or fewer if they would be larger than this. */
const blockRows = 2_048;
const blockBytes = 8 * 1024 * 1024;

/** A result on disk, read synchronously in blocks by a worker thread. Fast only if rows are read in order. */
export class FileRowTable implements RowTable {
  readonly length: number;
  readonly refused: number;
  readonly #columns: ColumnReader;
  readonly #index: number;
  readonly #data: number;
  readonly #rows = new JsonScanner();
  readonly #replies = new JsonScanner();
  #block: { first: number; start: number; records: RowIndexEntry[] } = {
    first: 0,
    start: 0,
    records: [],
  };
  #last: { index: number; row: AnsweredRow } | undefined;

  constructor({ folder, length, refused, columns }: RowFiles) {
    this.length = length;
    this.refused = refused;
    this.#columns = new ColumnReader(columns);
    this.#index = fs.openSync(path.join(folder, indexFile), "r");
    this.#data = fs.openSync(path.join(folder, dataFile), "r");
  }

  get columns(): ResultColumn[] {
    return this.#columns.columns;
  }

  valueOf(row: number, column: number): string | undefined {
    return this.#columns.valueOf(this.#read(row), column);
  }

  valuesOf(row: number): (string | undefined)[] {
    return this.#columns.valuesOf(this.#read(row));
  }

  refusedAt(row: number): string | undefined {
    return this.#read(row).refused;
  }

  close(): void {
    fs.closeSync(this.#index);
    fs.closeSync(this.#data);
  }

  #read(index: number): AnsweredRow {
    if (this.#last?.index === index) return this.#last.row;
    const record = this.#find(index);
    const at = record.start - this.#block.start;
    const answered = readStoredRow(this.#rows, this.#replies, at, record);
    this.#last = { index, row: answered };
    return answered;
  }

  #find(index: number): RowIndexEntry {
    const known = this.#block.records[index - this.#block.first];
    if (known) return known;
    const records = this.#recordsFrom(index);
    const first = records[0]!;
    const last = records.at(-1)!;
    const length = recordEnd(last) - first.start;
    const bytes = Buffer.alloc(length + 1);
    fs.readSync(this.#data, bytes, 0, length, first.start);
    this.#rows.setBytes(bytes, length);
    this.#block = { first: index, start: first.start, records };
    return first;
  }

  #recordsFrom(index: number): RowIndexEntry[] {
    const records = new RowIndex(Math.min(blockRows, this.length - index));
    fs.readSync(this.#index, records.bytes, { position: index * recordBytes });
    const first = records.get(0);
    const block = [first];
    for (let at = 1; at < records.length; at++) {
      const record = records.get(at);
      if (recordEnd(record) - first.start > blockBytes) break;
      block.push(record);
    }
    return block;
  }
}

function recordEnd({ start, rowLength, outcomeLength }: RowIndexEntry): number {
  return start + rowLength + outcomeLength;
}
