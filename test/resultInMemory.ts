// Results in memory, which tests compare those on disk with.
import fs from "node:fs";
import { pipeline } from "node:stream/promises";
import type { ResultColumn, ResultRow, ResultView } from "../src/predict/messages.ts";
import { exportLines } from "../src/predict/result/exportLines.ts";
import { toResultRow, type RowOrder, type RowTable } from "../src/predict/result/rowTable.ts";
import type { ExportOptions, ResultTable } from "../src/predict/result/resultTable.ts";
import { sortAndFilter } from "../src/predict/result/sortAndFilter.ts";
import type { ExportFormat } from "../src/shared/exportFormat.ts";
import { temporaryFile } from "../src/shared/files/replaceFile.ts";

/** Columns and rows. */
export class SqlTable implements RowTable {
  readonly columns: readonly ResultColumn[];
  readonly refused = 0;
  readonly #rows: readonly unknown[][];

  constructor({ columns, rows }: { columns: readonly string[]; rows: readonly unknown[][] }) {
    this.#rows = rows;
    this.columns = columns.map((name, index) => {
      const values = rows
        .slice(0, 200)
        .map((row) => row[index])
        .filter((value) => value !== null);
      const isNumber = values.length > 0 && values.every((value) => typeof value === "number");
      return { name, part: "input", kind: isNumber ? "number" : "text" };
    });
  }

  get length(): number {
    return this.#rows.length;
  }

  valueOf(row: number, column: number): string | undefined {
    const value = this.#rows[row]?.[column];
    return value === undefined ? undefined : JSON.stringify(value);
  }

  valuesOf(row: number): (string | undefined)[] {
    return this.columns.map((_, column) => this.valueOf(row, column));
  }

  refusedAt(): undefined {
    return undefined;
  }
}

export class ResultInMemory implements ResultTable {
  readonly #table: RowTable;

  constructor(table: RowTable) {
    this.#table = table;
  }

  get columns(): readonly ResultColumn[] {
    return this.#table.columns;
  }

  get length(): number {
    return this.#table.length;
  }

  window(from: number, count: number, order?: RowOrder): Promise<ResultRow[]> {
    const rows = this.#indices(from, count, order).map((index) =>
      toResultRow(index, this.#table.valuesOf(index), this.#table.refusedAt(index)),
    );
    return Promise.resolve(rows);
  }

  values(from: number, count: number, order?: RowOrder): Promise<(string | undefined)[][]> {
    const indices = this.#indices(from, count, order);
    return Promise.resolve(indices.map((index) => this.#table.valuesOf(index)));
  }

  order(view: ResultView): Promise<RowOrder> {
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

  store(): Promise<never> {
    return Promise.reject(new Error("Only tests have results in memory."));
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }

  #indices(from: number, count: number, order: RowOrder): number[] {
    const end = Math.min(from + count, order?.length ?? this.length);
    const length = Math.max(0, end - from);
    return Array.from({ length }, (_, at) => order?.[from + at] ?? from + at);
  }
}
