import { Worker } from "node:worker_threads";
import { abortable } from "../../mindsdb/http/abortable.ts";
import type { BatchResponse } from "../run/batchSender.ts";
import { ColumnFinder, type KnownColumns } from "./columnFinder.ts";
import type { ExportFormat } from "../../shared/exportFormat.ts";
import type { ResultColumn, ResultRow, ResultView } from "../messages.ts";
import { ResultColumns, type AnsweredRow } from "./resultColumns.ts";
import type { ExportOptions, ResultWindows } from "./resultWindows.ts";
import { toResultRow, type ResultOrder } from "./resultTable.ts";
import type { StoredRows } from "./resultMetadata.ts";
import { ResultFile } from "./resultFile.ts";
import type { ResultTask, ResultTaskResult } from "./resultWorker.ts";

interface ResultOnDiskOptions {
  /** For the files of the result. */
  folder: string;
  /** The script of the worker thread (resultWorker.ts). */
  worker: URL;
  /** The columns that the model describes. */
  known?: KnownColumns;
  /** The maximum size on disk; 4 GB by default. */
  capBytes?: number;
}

/** The result of a prediction run on disk. A worker thread sorts, searches and exports it. */
export class ResultOnDisk implements ResultWindows {
  readonly #file: ResultFile;
  readonly #worker: URL;
  readonly #finder: ColumnFinder;
  /** Of a stored result; those of a growing one are in the finder. */
  readonly #columns: ResultColumns | undefined;

  private constructor(
    file: ResultFile,
    { worker, known }: ResultOnDiskOptions,
    columns?: ResultColumns,
  ) {
    this.#file = file;
    this.#worker = worker;
    this.#finder = new ColumnFinder(known);
    this.#columns = columns;
  }

  static async create(options: ResultOnDiskOptions): Promise<ResultOnDisk> {
    const { folder, capBytes } = options;
    const file = await ResultFile.create(folder, { capBytes });
    return new ResultOnDisk(file, options);
  }

  /** Opens a stored result. Throws if its files are incomplete. */
  static async open(
    options: Pick<ResultOnDiskOptions, "folder" | "worker">,
    { columns, ...counts }: Extract<StoredRows, { kind: "run" }>,
  ): Promise<ResultOnDisk> {
    const file = await ResultFile.open(options.folder, counts);
    return new ResultOnDisk(file, options, new ResultColumns(columns));
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
  get resultColumns(): ResultColumns {
    return this.#columns ?? this.#finder.columns;
  }

  /** Whether the target is a number; undefined while unknown. */
  get targetIsNumber(): boolean | undefined {
    return this.#finder.targetIsNumber;
  }

  /**
   * Adds a response and returns its rows. One call at a time. Throws AppError "tooLarge" if the result would exceed the
   * maximum size, or the disk is full.
   */
  async add(answer: BatchResponse): Promise<AnsweredRow[]> {
    await this.#file.append(answer);
    const rows = answer.rows.map((row, index): AnsweredRow => {
      if ("refused" in answer) return { row, refused: answer.refused };
      return { row, reply: answer.replies[index]! };
    });
    this.#finder.add(rows);
    return rows;
  }

  /** Resolves when all rows are on disk. Throws the AppError that kept some from getting there. */
  written(): Promise<void> {
    return this.#file.written();
  }

  async window(from: number, count: number, order?: ResultOrder): Promise<ResultRow[]> {
    const rows = await this.#file.read(from, count, order);
    return rows.map((row) =>
      toResultRow(row.number - 1, this.resultColumns.valuesOf(row), row.refused),
    );
  }

  async values(
    from: number,
    count: number,
    order?: ResultOrder,
  ): Promise<(string | undefined)[][]> {
    const rows = await this.#file.read(from, count, order);
    return rows.map((row) => this.resultColumns.valuesOf(row));
  }

  async order(view: ResultView, signal?: AbortSignal): Promise<ResultOrder> {
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
    return { kind: "run", length, refused, columns: this.resultColumns.data };
  }

  dispose(): Promise<void> {
    return this.#file.dispose();
  }

  async #work(
    task: ResultTask["task"],
    signal: AbortSignal | undefined,
  ): Promise<ResultTaskResult> {
    // Rows that did not fit on a full disk are missing, which is no error here.
    await this.#file.written().catch(() => undefined);
    signal?.throwIfAborted();
    const { folder, length, refused } = this.#file;
    const run = { folder, length, refused, columns: this.resultColumns.data };
    const worker = new Worker(this.#worker, { workerData: { task, run } satisfies ResultTask });
    const answer = new Promise<ResultTaskResult>((resolve, reject) => {
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
