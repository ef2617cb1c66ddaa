// A run's result on disk: windows of it are read as they are asked for, everything that takes long is a worker's.
import { Worker } from "node:worker_threads";
import type { Answer } from "./batches.ts";
import type { ExportFormat } from "./exportLines.ts";
import type { ResultColumn, ResultRow, ResultView } from "./messages.ts";
import { ResultColumns, type AnsweredRow } from "./resultColumns.ts";
import type { ResultOrder, ResultSource } from "./resultSource.ts";
import { AnsweredTable, toResultRow } from "./resultTable.ts";
import { RunFile } from "./runFile.ts";
import type { RunTask, RunTaskResult } from "./runWorker.ts";
import type { ColumnsSpec } from "./storedTable.ts";

export interface RunTableOptions {
  /** Where the run is kept: made for it, and deleted with it. */
  folder: string;
  /** The worker thread's script: runWorker.ts, as it was built. */
  worker: URL;
  /** What the model says of its columns. */
  inputs?: readonly string[];
  target?: string | undefined;
  /** How large it may get on disk; 4 GB unless given. */
  capBytes?: number;
}

export class RunTable implements ResultSource {
  readonly #file: RunFile;
  readonly #options: RunTableOptions;
  #found: { columns: ResultColumns; spec: ColumnsSpec; haveReplies: boolean } | undefined;

  private constructor(file: RunFile, options: RunTableOptions) {
    this.#file = file;
    this.#options = options;
  }

  static async create(options: RunTableOptions): Promise<RunTable> {
    const { folder, capBytes } = options;
    const file = await RunFile.create(folder, capBytes === undefined ? {} : { capBytes });
    return new RunTable(file, options);
  }

  get length(): number {
    return this.#file.length;
  }

  get refused(): number {
    return this.#file.refused;
  }

  get columns(): readonly ResultColumn[] {
    return this.#found?.columns.columns ?? [];
  }

  /** How a row's values are found, once rows have come: what metrics are made with. */
  get resultColumns(): ResultColumns | undefined {
    return this.#found?.columns;
  }

  /**
   * Adds what came of the next rows, and gives them one by one. One call at a time. Throws AppError "tooLarge" rather
   * than pass the cap.
   */
  async add(answer: Answer): Promise<AnsweredRow[]> {
    const from = this.length;
    await this.#file.append(answer);
    const rows = answer.rows.map((row, index): AnsweredRow => {
      if ("refused" in answer) return { row, refused: answer.refused };
      return { row, reply: answer.replies[index]! };
    });
    // The columns are those of the first rows that have replies; until then, of the first rows.
    const haveReplies = "replies" in answer;
    if (!this.#found || (haveReplies && !this.#found.haveReplies)) {
      const { inputs = [], target } = this.#options;
      const columns = new ResultColumns(rows, inputs, target);
      this.#found = { columns, spec: { from, count: rows.length, inputs, target }, haveReplies };
    }
    return rows;
  }

  async window(from: number, count: number, order?: ResultOrder): Promise<ResultRow[]> {
    const rows = await this.#file.read(from, count, order);
    const table = new AnsweredTable();
    if (this.#found) table.setColumns(this.#found.columns);
    table.add(rows);
    return rows.map(({ number }, index) => ({ ...toResultRow(table, index), number }));
  }

  async values(
    from: number,
    count: number,
    order?: ResultOrder,
  ): Promise<(string | undefined)[][]> {
    const rows = await this.#file.read(from, count, order);
    return rows.map((row) => this.#found?.columns.valuesOf(row) ?? []);
  }

  async order(view: ResultView, signal?: AbortSignal): Promise<ResultOrder> {
    if (!view.sort && !view.find && !view.refusedOnly) return undefined;
    return (await this.#work({ kind: "order", view, run: this.#stored() }, signal)).order;
  }

  async export(format: ExportFormat, file: string, signal?: AbortSignal): Promise<void> {
    await this.#work({ kind: "export", format, file, run: this.#stored() }, signal);
  }

  /** Deletes what is on disk. */
  dispose(): Promise<void> {
    return this.#file.dispose();
  }

  #stored(): RunTask["run"] {
    const columns = this.#found?.spec ?? { from: 0, count: 0, inputs: [] };
    return { folder: this.#file.folder, length: this.length, columns };
  }

  async #work(task: RunTask, signal: AbortSignal | undefined): Promise<RunTaskResult> {
    signal?.throwIfAborted();
    const worker = new Worker(this.#options.worker, { workerData: task });
    let stop = (): void => undefined;
    try {
      return await new Promise<RunTaskResult>((resolve, reject) => {
        stop = () => reject(signal?.reason as Error);
        signal?.addEventListener("abort", stop, { once: true });
        worker.once("message", resolve);
        worker.once("error", reject);
        worker.once("exit", (code) => reject(new Error(`A run's worker ended with ${code}.`)));
      });
    } finally {
      signal?.removeEventListener("abort", stop);
      await worker.terminate();
    }
  }
}
