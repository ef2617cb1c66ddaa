import { Worker } from "node:worker_threads";
import { abortable } from "../../mindsdb/http/abortable.ts";
import { ColumnFinder, type KnownColumns } from "./columnFinder.ts";
import type { ExportFormat } from "../../shared/exportFormat.ts";
import type { ResultColumn, ResultRow, ResultView } from "../messages.ts";
import { ColumnReader, type AnsweredRow } from "./columnReader.ts";
import type { ExportOptions, ResultTable } from "./resultTable.ts";
import { toResultRow, type RowOrder } from "./rowTable.ts";
import type { StoredRows } from "./resultMetadata.ts";
import { RowFile, type RowsToStore } from "./rowFile.ts";
import type { TableTask, TableTaskReply } from "./tableWorker.ts";

interface DiskTableOptions {
  /** For the files of the result. */
  folder: string;
  /** The script of the worker thread (tableWorker.ts). */
  worker: URL;
  /** The columns that the model of a prediction describes. */
  known?: KnownColumns;
  /** Finds the columns of the rows that are added. Default: those of a prediction. */
  columns?: GrowingColumns;
  /** The maximum size on disk; 4 GB by default. */
  capBytes?: number;
}

/** The columns of a result as its rows arrive. */
interface GrowingColumns {
  readonly columns: ColumnReader;
  /** Whether the predicted column is a number; undefined while unknown. */
  readonly targetIsNumber: boolean | undefined;
  add: (rows: readonly AnsweredRow[]) => void;
}

/** The result of a run on disk. A worker thread sorts, searches and exports it. */
export class DiskTable implements ResultTable {
  readonly #file: RowFile;
  readonly #worker: URL;
  readonly #columns: GrowingColumns;

  private constructor(file: RowFile, { worker, known, columns }: DiskTableOptions) {
    this.#file = file;
    this.#worker = worker;
    this.#columns = columns ?? new ColumnFinder(known);
  }

  static async create(options: DiskTableOptions): Promise<DiskTable> {
    const { folder, capBytes } = options;
    const file = await RowFile.create(folder, { capBytes });
    return new DiskTable(file, options);
  }

  /** Opens a stored result. Throws if its files are incomplete. */
  static async open(
    options: Pick<DiskTableOptions, "folder" | "worker">,
    { columns, ...counts }: StoredRows,
  ): Promise<DiskTable> {
    const file = await RowFile.open(options.folder, counts);
    const stored = { columns: new ColumnReader(columns), targetIsNumber: undefined };
    return new DiskTable(file, { ...options, columns: { ...stored, add: () => undefined } });
  }

  get length(): number {
    return this.#file.length;
  }

  get refused(): number {
    return this.#file.refused;
  }

  get columns(): readonly ResultColumn[] {
    return this.resultColumns.columns;
  }

  /** Finds the values of rows, for metrics. */
  get resultColumns(): ColumnReader {
    return this.#columns.columns;
  }

  /** Whether the target is a number; undefined while unknown. */
  get targetIsNumber(): boolean | undefined {
    return this.#columns.targetIsNumber;
  }

  /**
   * Adds rows and returns them. One call at a time. Throws AppError "tooLarge" if the result would exceed the
   * maximum size, or the disk is full.
   */
  async add(given: RowsToStore): Promise<AnsweredRow[]> {
    await this.#file.append(given);
    const { refused, replies } = given;
    const rows = given.rows.map((row, index): AnsweredRow => {
      if (refused !== undefined) return { row, refused };
      return replies ? { row, reply: replies[index]! } : { row };
    });
    this.#columns.add(rows);
    return rows;
  }

  /** Resolves when all rows are on disk. Throws the AppError that kept some from getting there. */
  written(): Promise<void> {
    return this.#file.written();
  }

  async window(from: number, count: number, order?: RowOrder): Promise<ResultRow[]> {
    const rows = await this.#file.read(from, count, order);
    return rows.map((row) =>
      toResultRow(row.number - 1, this.resultColumns.valuesOf(row), row.refused),
    );
  }

  async values(from: number, count: number, order?: RowOrder): Promise<(string | undefined)[][]> {
    const rows = await this.#file.read(from, count, order);
    return rows.map((row) => this.resultColumns.valuesOf(row));
  }

  async order(view: ResultView, signal?: AbortSignal): Promise<RowOrder> {
    return (await this.#work({ kind: "order", view }, signal)).order;
  }

  async export(
    format: ExportFormat,
    file: string,
    { order, signal }: ExportOptions = {},
  ): Promise<void> {
    await this.#work({ kind: "export", format, file, order }, signal);
  }

  async store(): Promise<StoredRows> {
    // Rows that did not fit on a full disk are missing, which is no error here.
    await this.#file.written().catch(() => undefined);
    const { length, refused } = this.#file;
    return { length, refused, columns: this.resultColumns.data };
  }

  dispose(): Promise<void> {
    return this.#file.dispose();
  }

  async #work(task: TableTask["task"], signal: AbortSignal | undefined): Promise<TableTaskReply> {
    // Rows that did not fit on a full disk are missing, which is no error here.
    await this.#file.written().catch(() => undefined);
    signal?.throwIfAborted();
    const { folder, length, refused } = this.#file;
    const run = { folder, length, refused, columns: this.resultColumns.data };
    const worker = new Worker(this.#worker, { workerData: { task, run } satisfies TableTask });
    const answer = new Promise<TableTaskReply>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", (code) => reject(new Error(`A run's worker ended with ${code}.`)));
    });
    try {
      return await abortable(answer, signal);
    } finally {
      await worker.terminate();
    }
  }
}
