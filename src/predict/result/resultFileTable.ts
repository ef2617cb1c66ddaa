// A run on disk as a table for sorting, searching and exporting: read in blocks, without waiting, so for a worker thread.
import fs from "node:fs";
import path from "node:path";
import type { ResultColumn } from "../messages.ts";
import { ResultColumns } from "./resultColumns.ts";
import type { AnsweredRow, ColumnsData, ColumnSource } from "./resultColumns.ts";
import { valueContains, type ResultTable } from "./resultTable.ts";
import { JsonScanner } from "../rows/jsonScanner.ts";
import { ResponseRow } from "../run/responseRows.ts";
import { dataFile, indexFile, recordBytes, RowIndex } from "./rowIndex.ts";
import type { RowIndexEntry } from "./rowIndex.ts";
import { SearchPrefilter } from "./searchPrefilter.ts";

export interface ResultFiles {
  folder: string;
  /** How many of its rows count: those that were there when the work was asked for. */
  length: number;
  /** How many of these were refused. */
  refused: number;
  columns: ColumnsData;
}

/** A block has so many rows, unless they are so long. */
const blockRows = 2_048;
const blockBytes = 8 * 1024 * 1024;

/** Rows are quick to come by one after the other, and slow in any other order. */
export class ResultFileTable implements ResultTable {
  readonly length: number;
  readonly refused: number;
  readonly #columns: ResultColumns;
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
  #sieve: { wanted: string; sieve: SearchPrefilter } | undefined;
  /** Which columns' values come from where. */
  readonly #places: Record<ColumnSource["from"], number[]>;

  constructor({ folder, length, refused, columns }: ResultFiles) {
    this.length = length;
    this.refused = refused;
    this.#columns = new ResultColumns(columns);
    const findColumns = (from: ColumnSource["from"]): number[] =>
      [...columns.sources.keys()].filter((column) => columns.sources[column]?.from === from);
    this.#places = {
      row: findColumns("row"),
      reply: findColumns("reply"),
      explanation: findColumns("explanation"),
      interval: findColumns("interval"),
      error: findColumns("error"),
    };
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

  holds(index: number, wanted: string): boolean {
    const record = this.#find(index);
    const sieve = this.#sieveFor(wanted);
    const start = record.start - this.#block.start;
    const outcome = start + record.rowLength;
    const inRow = sieve.mayContain(start, outcome);
    const inOutcome = sieve.mayContain(outcome, outcome + record.outcomeLength);
    const { row, reply, explanation, interval, error } = this.#places;
    const has = (column: number): boolean => valueContains(this.valueOf(index, column), wanted);
    if (inRow && row.some(has)) return true;
    if (sieve.isOfNumbers && error.some(has)) return true;
    if (!inOutcome) return false;
    if (record.refused) return valueContains(this.refusedAt(index), wanted);
    if (reply.some(has)) return true;
    const explained = this.#columns.explanationSpan(this.#read(index));
    if (!explained || !sieve.mayContain(explained.start, explained.end)) return false;
    return explanation.some(has) || interval.some(has);
  }

  close(): void {
    fs.closeSync(this.#index);
    fs.closeSync(this.#data);
  }

  #sieveFor(wanted: string): SearchPrefilter {
    if (this.#sieve?.wanted === wanted) return this.#sieve.sieve;
    const sieve = new SearchPrefilter(wanted);
    sieve.setBlock(this.#rows.bytes);
    this.#sieve = { wanted, sieve };
    return sieve;
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
      : { row, reply: new ResponseRow(bytes, outcome, end, this.#replies) };
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
    this.#sieve?.sieve.setBlock(bytes);
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
