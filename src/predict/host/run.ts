// One run of a cell: rows from their file through the checks and the server into a table, with all that is said meanwhile.
import { randomUUID } from "node:crypto";
import path from "node:path";
import * as vscode from "vscode";
import type { Client } from "../../mindsdb/client.ts";
import { isCancelled } from "../../mindsdb/errors.ts";
import { modelColumns, predict, type ModelColumns } from "../../mindsdb/predict.ts";
import { runSql } from "../../mindsdb/sql.ts";
import type { ErrorAction, Explanation } from "../../shared/host/explain.ts";
import { BatchSender, type Answer, type Pause, type SenderState } from "../batches.ts";
import { describeFinding, RowChecker } from "../check.ts";
import { ResultColumns, type AnsweredRow } from "../resultColumns.ts";
import type { RunProgress, RunState } from "../messages.ts";
import { MetricsCollector } from "../metrics.ts";
import { formatModelName } from "../modelName.ts";
import type { Recipe } from "../recipe.ts";
import { AnsweredTable, SqlTable, type ResultTable } from "../resultTable.ts";
import { readRows } from "../rows/read.ts";
import { describeRowsError, RowsError, type Row } from "../rows/row.ts";
import { findRowsFile, readFile } from "./rowsFile.ts";

export interface RunOptions {
  /** Where the notebook is: rows files are looked for beside it. */
  notebook: vscode.Uri;
  client: () => Promise<Client>;
  explain: (error: unknown) => Explanation;
  logError: (what: string, error: unknown) => void;
  batchRows: number;
  concurrency: number;
  /** Called whenever the progress is another one. */
  changed: () => void;
}

/** So many rows are checked before the first is sent. */
const checkedFirst = 1_000;

/** Hides from the user that a run was stopped on purpose. */
function wasStopped(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted || isCancelled(error);
}

export class Run {
  readonly id = randomUUID();
  table: ResultTable = new AnsweredTable();
  readonly #options: RunOptions;
  readonly #stop = new AbortController();
  #state: RunState = { kind: "running" };
  #action: ErrorAction | undefined;
  #resume: (() => void) | undefined;
  #refused = 0;
  #expected: number | undefined;
  #startedAt = Date.now();
  #sentAgain = 0;
  #checker: RowChecker | undefined;
  #metrics: MetricsCollector | undefined;
  readonly #notes: string[] = [];
  #source = "";

  constructor(options: RunOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return ["running", "waiting", "paused"].includes(this.#state.kind);
  }

  get progress(): RunProgress {
    const { length } = this.table;
    const seconds = (Date.now() - this.#startedAt) / 1_000;
    const metrics = this.#metrics?.metrics;
    return {
      state: this.#state,
      count: length,
      refused: this.#refused,
      ...(this.#expected === undefined ? {} : { expected: Math.max(this.#expected, length) }),
      ...(length > 0 && this.isRunning ? { rowsPerSecond: length / seconds } : {}),
      notes: [...this.#findings(), ...this.#notes, ...this.#sentTwice()],
      ...(metrics ? { metrics } : {}),
    };
  }

  /** What the button of a paused state does. */
  get action(): ErrorAction | undefined {
    return this.#action;
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Goes on where it paused. */
  resume(): void {
    this.#resume?.();
  }

  /** Sends the rows; resolves when nothing more happens. `anyway` sends rows that lack columns, too. */
  async predict(recipe: Recipe, anyway: boolean): Promise<void> {
    await this.#end(async () => {
      const table = new AnsweredTable();
      this.table = table;
      const client = await this.#options.client();
      const columns = await this.#modelColumns(client, recipe);
      const rows = this.#checked(await this.#open(recipe), columns, recipe.limit);
      const first = await rows.next();
      const missing = this.#checker?.findings.filter(({ kind }) => kind === "missing") ?? [];
      if (missing.length > 0 && !anyway) {
        await rows.return(undefined);
        const texts = missing.map((finding) => describeFinding(finding, this.#source));
        this.#setState({ kind: "blocked", message: texts.join(" ") });
        return;
      }
      if (first.done) return;
      await this.#send(table, recipe, columns, batches(first.value, rows, this.#batchRows(recipe)));
    });
  }

  async sql(statement: string): Promise<void> {
    await this.#end(async () => {
      const client = await this.#options.client();
      this.table = new SqlTable(await runSql(client, statement, { signal: this.#stop.signal }));
    });
  }

  #batchRows(recipe: Recipe): number {
    return recipe.batchRows ?? this.#options.batchRows;
  }

  async #end(work: () => Promise<void>): Promise<void> {
    this.#startedAt = Date.now();
    try {
      await work();
      if (this.isRunning) this.#setState({ kind: "done" });
    } catch (error) {
      this.#setState(this.#failure(error));
    }
  }

  #failure(error: unknown): RunState {
    if (wasStopped(error, this.#stop.signal)) return { kind: "stopped" };
    if (error instanceof RowsError) {
      return { kind: "failed", message: describeRowsError(error, this.#source) };
    }
    this.#options.logError("A prediction failed.", error);
    return { kind: "failed", message: this.#options.explain(error).message };
  }

  #setState(state: RunState): void {
    this.#state = state;
    this.#options.changed();
  }

  /** A model that does not say what it takes is asked all the same. */
  async #modelColumns(client: Client, { model }: Recipe): Promise<ModelColumns | undefined> {
    const columns = await modelColumns(client, model, { signal: this.#stop.signal });
    if (!columns) {
      this.#notes.push(
        vscode.l10n.t(
          "{0} does not say which columns it takes: the rows were not checked.",
          formatModelName(model),
        ),
      );
    }
    return columns;
  }

  async #open({ rows, limit }: Recipe): Promise<AsyncGenerator<Row[]>> {
    if (Array.isArray(rows)) {
      this.#source = vscode.l10n.t("the cell");
      this.#expected = Math.min(rows.length, limit ?? Infinity);
      return asGenerator(rows);
    }
    const file = await findRowsFile(this.#options.notebook, rows.file);
    this.#source = path.posix.basename(file.uri.path);
    return this.#counted(file.bytes, limit, (onRead) =>
      readRows(readFile(file, this.#stop.signal, onRead), rows.format),
    );
  }

  /** Guesses from what has been read how many rows there will be. */
  async *#counted(
    bytes: number,
    limit = Infinity,
    read: (onRead: (bytes: number) => void) => AsyncGenerator<Row[]>,
  ): AsyncGenerator<Row[]> {
    let bytesRead = bytes;
    let count = 0;
    for await (const rows of read((soFar) => (bytesRead = soFar))) {
      count += rows.length;
      this.#expected = Math.min(Math.round((count * bytes) / Math.max(bytesRead, 1)), limit);
      yield rows;
    }
    this.#expected = Math.min(count, limit);
  }

  /** The rows up to the limit, each checked before it is given; the first ones together. */
  async *#checked(
    source: AsyncGenerator<Row[]>,
    columns: ModelColumns | undefined,
    limit = Infinity,
  ): AsyncGenerator<Row[]> {
    if (columns) this.#checker = new RowChecker(columns.inputs, columns.target?.name);
    let first: Row[] | undefined = [];
    let left = limit;
    let failure: { error: unknown } | undefined;
    try {
      for await (const read of source) {
        const rows = read.slice(0, left);
        left -= rows.length;
        this.#checker?.check(rows);
        if (first) first.push(...rows);
        if (first && first.length < checkedFirst && left > 0) continue;
        yield first ?? rows;
        first = undefined;
        if (left === 0) return;
      }
    } catch (error) {
      // The rows before what is wrong are sent.
      failure = { error };
    }
    if (first && first.length > 0) yield first;
    if (failure) throw failure.error;
  }

  async #send(
    table: AnsweredTable,
    recipe: Recipe,
    columns: ModelColumns | undefined,
    rows: AsyncGenerator<Row[]>,
  ): Promise<void> {
    this.#startedAt = Date.now();
    const sender = new BatchSender({
      transport: {
        send: async (body, signal) =>
          predict(await this.#options.client(), recipe.model, body, { signal }),
      },
      params: recipe.params,
      concurrency: this.#options.concurrency,
      signal: this.#stop.signal,
      onPause: () => new Promise<void>((resolve) => (this.#resume = resolve)),
      onState: (state) => this.#senderState(state),
    });
    try {
      for await (const answer of sender.send(rows)) {
        this.#sentAgain = sender.sentAgain;
        this.#take(table, answer, columns);
      }
    } finally {
      this.#sentAgain = sender.sentAgain;
    }
  }

  #take(table: AnsweredTable, answer: Answer, columns: ModelColumns | undefined): void {
    const answered = answer.rows.map((row, index): AnsweredRow => {
      if ("refused" in answer) return { row, refused: answer.refused };
      const reply = answer.replies[index];
      return reply ? { row, reply } : { row };
    });
    if ("refused" in answer) this.#refused += answered.length;
    if (table.columns.length === 0 || (!this.#metrics && "replies" in answer)) {
      const inputs = columns?.inputs.map(({ name }) => name) ?? [];
      this.#setColumns(table, new ResultColumns(answered, inputs, columns?.target?.name));
    }
    for (const row of answered) {
      this.#metrics?.add(this.#columns?.actual(row), this.#columns?.predicted(row));
    }
    table.add(answered);
    this.#options.changed();
  }

  #columns: ResultColumns | undefined;

  #setColumns(table: AnsweredTable, columns: ResultColumns): void {
    this.#columns = columns;
    table.setColumns(columns);
    const hasReplies = columns.columns.some(({ part }) => part === "predicted");
    if (hasReplies) this.#metrics = new MetricsCollector(columns.targetIsNumber);
  }

  #senderState(state: SenderState): void {
    const { explain } = this.#options;
    switch (state.kind) {
      case "sending":
        this.#action = undefined;
        this.#setState({ kind: "running" });
        break;
      case "waiting":
        this.#setState({ kind: "waiting", message: explain(state.error).message });
        break;
      case "paused": {
        const { action } = explain(state.pause.error);
        this.#action = action;
        const message = this.#pauseMessage(state.pause);
        this.#setState({ kind: "paused", message, ...(action ? { action: action.title } : {}) });
      }
    }
  }

  #pauseMessage({ error, unsureRows }: Pause): string {
    const { message } = this.#options.explain(error);
    if (unsureRows === 0) return message;
    const unsure = vscode.l10n.t(
      "{0} rows were sent and nobody knows what became of them: Resume sends them again.",
      unsureRows,
    );
    return `${message} ${unsure}`;
  }

  #findings(): string[] {
    const findings = this.#checker?.findings ?? [];
    return findings
      .filter(({ kind }) => kind !== "missing" || this.#state.kind !== "blocked")
      .map((finding) => describeFinding(finding, this.#source));
  }

  #sentTwice(): string[] {
    if (this.#sentAgain === 0) return [];
    return [vscode.l10n.t("{0} rows were sent a second time.", this.#sentAgain)];
  }
}

// eslint-disable-next-line @typescript-eslint/require-await -- What reads from a file gives its rows over time.
async function* asGenerator(rows: Row[]): AsyncGenerator<Row[]> {
  yield rows;
}

/** Rows in groups of the size that is sent; the last one may be smaller. */
async function* batches(
  first: Row[],
  rest: AsyncGenerator<Row[]>,
  size: number,
): AsyncGenerator<Row[]> {
  let waiting = first;
  try {
    for (;;) {
      let at = 0;
      for (; waiting.length - at >= size; at += size) yield waiting.slice(at, at + size);
      waiting = waiting.slice(at);
      const next = await rest.next();
      if (next.done) break;
      waiting = waiting.concat(next.value);
    }
  } catch (error) {
    // What was read before the problem is sent.
    if (waiting.length > 0) yield waiting;
    throw error;
  }
  if (waiting.length > 0) yield waiting;
}
