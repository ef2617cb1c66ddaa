import fs from "node:fs";
import { pipeline } from "node:stream/promises";
import { exportLines } from "./exportLines.ts";
import type { ExportFormat } from "../../shared/exportFormat.ts";
import type { ResultColumn, ResultRow, ResultView } from "../messages.ts";
import { sortAndFilter } from "./sortAndFilter.ts";
import type { StoredRows } from "./resultMetadata.ts";
import { temporaryFile } from "../../shared/files/replaceFile.ts";
import { writeTable } from "./sqlTableFile.ts";
import { toResultRow, type ResultOrder, type ResultTable } from "./resultTable.ts";

export interface ExportOptions {
  /** Default: all rows in their own order. */
  order?: ResultOrder;
  signal?: AbortSignal;
}

/** A result of any size that is read in windows. */
export interface ResultWindows {
  readonly columns: readonly ResultColumn[];
  readonly length: number;
  /** At most `count` rows from position `from` (from 0) of the order, with long values truncated. */
  window(from: number, count: number, order?: ResultOrder): Promise<ResultRow[]>;
  /** The complete values of these rows, in the order of the columns. */
  values(from: number, count: number, order?: ResultOrder): Promise<(string | undefined)[][]>;
  /** The order of a view of the present rows. Rejects with the signal's reason. */
  order(view: ResultView, signal?: AbortSignal): Promise<ResultOrder>;
  /** Writes rows to a new file on this machine, which only this user can read. Rejects with the signal's reason. */
  export(format: ExportFormat, file: string, options?: ExportOptions): Promise<void>;
  /** Stores all rows in the result's folder; resolves with what openResultTable needs to read them again. */
  store(folder: string): Promise<StoredRows>;
  /** Frees memory and closes files. Files on disk stay. */
  dispose(): Promise<void>;
}

/** Rows that the memory of all rows is estimated from. */
const measuredRows = 500;
/** Memory of a value besides its text. */
const valueBytes = 40;

export class ResultInMemory implements ResultWindows {
  readonly #table: ResultTable;
  #bytes: number | undefined;

  constructor(table: ResultTable) {
    this.#table = table;
  }

  get columns(): readonly ResultColumn[] {
    return this.#table.columns;
  }

  get length(): number {
    return this.#table.length;
  }

  /** About what the rows take in memory. */
  get bytes(): number {
    return (this.#bytes ??= this.#measure());
  }

  window(from: number, count: number, order?: ResultOrder): Promise<ResultRow[]> {
    const rows = this.#indices(from, count, order).map((index) =>
      toResultRow(index, this.#table.valuesOf(index), this.#table.refusedAt(index)),
    );
    return Promise.resolve(rows);
  }

  values(from: number, count: number, order?: ResultOrder): Promise<(string | undefined)[][]> {
    const indices = this.#indices(from, count, order);
    return Promise.resolve(indices.map((index) => this.#table.valuesOf(index)));
  }

  order(view: ResultView): Promise<ResultOrder> {
    return sortAndFilter(this.#table, view);
  }

  async export(
    format: ExportFormat,
    file: string,
    { order, signal }: ExportOptions = {},
  ): Promise<void> {
    const output = fs.createWriteStream(file, {
      flags: temporaryFile.flag,
      mode: temporaryFile.mode,
    });
    await pipeline(exportLines(this.#table, format, order), output, { signal });
  }

  async store(folder: string): Promise<StoredRows> {
    await writeTable(folder, this.#table);
    return { kind: "table", length: this.length };
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }

  #measure(): number {
    const { length } = this;
    const measured = Math.min(length, measuredRows);
    let bytes = 0;
    for (let at = 0; at < measured; at++) {
      for (const value of this.#table.valuesOf(Math.floor((at * length) / measured))) {
        bytes += valueBytes + (value?.length ?? 0);
      }
    }
    return measured === 0 ? 0 : Math.round((bytes / measured) * length);
  }

  #indices(from: number, count: number, order: ResultOrder): number[] {
    const end = Math.min(from + count, order?.length ?? this.length);
    const length = Math.max(0, end - from);
    return Array.from({ length }, (_, at) => order?.[from + at] ?? from + at);
  }
}
