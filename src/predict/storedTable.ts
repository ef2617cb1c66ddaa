// A run on disk as a table for sorting, searching and exporting: read in blocks, without waiting, so for a worker thread.
import fs from "node:fs";
import path from "node:path";
import type { ResultColumn } from "./messages.ts";
import { ResultColumns, type AnsweredRow, type ColumnsData } from "./resultColumns.ts";
import type { ResultTable } from "./resultTable.ts";
import { JsonScanner } from "./rows/json.ts";
import { ReplyRow } from "./rows/replies.ts";
import { dataFile, indexFile, recordBytes, RunRecords } from "./rows/runRecords.ts";
import type { RunRecord } from "./rows/runRecords.ts";

export interface StoredRun {
  folder: string;
  /** How many of its rows count: those that were there when the work was asked for. */
  length: number;
  columns: ColumnsData;
}

/** A block has so many rows, unless they are so long. */
const blockRows = 2_048;
const blockBytes = 8 * 1024 * 1024;

/** Rows are quick to come by one after the other, and slow in any other order. */
export class StoredTable implements ResultTable {
  readonly length: number;
  readonly #columns: ResultColumns;
  readonly #index: number;
  readonly #data: number;
  readonly #rows = new JsonScanner();
  readonly #replies = new JsonScanner();
  #block: { first: number; start: number; records: RunRecord[] } = {
    first: 0,
    start: 0,
    records: [],
  };
  #last: { index: number; row: AnsweredRow } | undefined;

  constructor({ folder, length, columns }: StoredRun) {
    this.length = length;
    this.#columns = new ResultColumns(columns);
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
    const row = this.#rows.row(at)!;
    const { bytes } = this.#rows;
    const outcome = at + record.rowLength;
    const end = outcome + record.outcomeLength;
    const answered = record.refused
      ? { row, refused: JSON.parse(bytes.toString("utf8", outcome, end)) as string }
      : { row, reply: new ReplyRow(bytes, outcome, end, this.#replies) };
    this.#last = { index, row: answered };
    return answered;
  }

  #find(index: number): RunRecord {
    const known = this.#block.records[index - this.#block.first];
    if (known) return known;
    const records = this.#recordsFrom(index);
    const first = records[0]!;
    const last = records.at(-1)!;
    const length = endOf(last) - first.start;
    const bytes = Buffer.alloc(length + 1);
    fs.readSync(this.#data, bytes, 0, length, first.start);
    this.#rows.setBytes(bytes, length);
    this.#block = { first: index, start: first.start, records };
    return first;
  }

  #recordsFrom(index: number): RunRecord[] {
    const records = new RunRecords(Math.min(blockRows, this.length - index));
    fs.readSync(this.#index, records.bytes, { position: index * recordBytes });
    const first = records.get(0);
    const block = [first];
    for (let at = 1; at < records.length; at++) {
      const record = records.get(at);
      if (endOf(record) - first.start > blockBytes) break;
      block.push(record);
    }
    return block;
  }
}

function endOf({ start, rowLength, outcomeLength }: RunRecord): number {
  return start + rowLength + outcomeLength;
}
