// One run of a cell: rows from their file through the checks and the server into a table, with all that is said meanwhile.
import { randomUUID } from "node:crypto";
import path from "node:path";
import * as vscode from "vscode";
import { responseLimits } from "../../mindsdb/http/responseBody.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import { isCancelled } from "../../mindsdb/errors.ts";
import { isUntrained, predict, whyUntrained } from "../../mindsdb/predict.ts";
import { redactResult } from "../../mindsdb/redact/redactResult.ts";
import { runSql } from "../../mindsdb/sql/runSql.ts";
import {
  readModelColumns,
  type DescribedColumns,
  type DescribedServer,
} from "../../models/modelColumns.ts";
import type { ErrorAction, ErrorExplanation } from "../../shared/host/errorMessages.ts";
import { AdaptiveConcurrency } from "../run/adaptiveConcurrency.ts";
import {
  BatchSender,
  type BatchResponse,
  type Pause,
  type SenderState,
} from "../run/batchSender.ts";
import { describeFinding, RowChecker, type Finding } from "../run/rowChecker.ts";
import type { KnownColumns } from "../result/columnFinder.ts";
import type { RunProgress, RunState } from "../messages.ts";
import { MetricsCollector } from "../run/metrics.ts";
import { formatModelName } from "../notebook/modelName.ts";
import type { Recipe } from "../notebook/recipe.ts";
import type { ResultOrigin } from "../result/resultMetadata.ts";
import { ResultInMemory, type ResultWindows } from "../result/resultWindows.ts";
import { SqlTable } from "../result/resultTable.ts";
import { readRows } from "../rows/readRows.ts";
import { describeRowsError, RowsError, type Row } from "../rows/row.ts";
import { RowTotal } from "../rows/rowTotal.ts";
import { checkedRows, inBatches } from "../run/rowBatches.ts";
import type { ResultOnDisk } from "../result/resultOnDisk.ts";
import { EventLoopYielder } from "../result/yieldToEventLoop.ts";
import { findRowsFile, readFile, type AllowFile } from "./findRowsFile.ts";
import type { ResultAccess } from "./resultAccess.ts";

export interface CellRunOptions {
  /** Where the notebook is: rows files are looked for beside it. */
  notebook: vscode.Uri;
  allowFile: AllowFile;
  client: () => Promise<Client>;
  /** Whose models are described. */
  described: Omit<DescribedServer, "client">;
  explain: (error: unknown) => ErrorExplanation;
  logError: (what: string, error: unknown) => void;
  batchRows: number;
  /** How many requests may be in flight, at most. */
  concurrency: number;
  timeLimitMs: number;
  /** For a statement of a SQL cell; 0 is no limit. */
  sqlTimeLimitMs: number;
  /** Makes the table that a run's rows are kept in. */
  createTable: (runId: string, known: KnownColumns) => Promise<ResultOnDisk>;
  /** Called whenever the progress is another one. */
  changed: () => void;
}

/** A server is quiet after so many ms without an answer: the first one may take longer, and then it is said why. */
const quietMs = 10_000;
const quietFirstMs = 3_000;

/** Hides from the user that a run was stopped on purpose. */
function wasStopped(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted || isCancelled(error);
}

export class CellRun implements ResultAccess {
  readonly id = randomUUID();
  table: ResultWindows = new ResultInMemory(new SqlTable({ columns: [], rows: [] }));
  readonly #options: CellRunOptions;
  readonly #stop = new AbortController();
  #state: RunState = { kind: "running" };
  #action: ErrorAction | undefined;
  #error: unknown;
  #resume: (() => void) | undefined;
  #unsureRows = 0;
  #rows: ResultOnDisk | undefined;
  #sender: BatchSender | undefined;
  #total: RowTotal | undefined;
  #startedAt = Date.now();
  /** Since when the run waits for the user, and how long it has waited before, in ms. */
  #pausedAt: number | undefined;
  #pausedMs = 0;
  /** Since when a statement runs. */
  #statementSince: number | undefined;
  #hasNoTable = false;
  /** Since when the server is asked which columns the model takes. */
  #describingSince: number | undefined;
  /** When the server was last heard of, since rows are sent. */
  #heardAt: number | undefined;
  #checker: RowChecker | undefined;
  #metrics: MetricsCollector | undefined;
  readonly #notes: string[] = [];
  #source = "";
  /** What the rows that come back are made of, as far as it is known. */
  readonly #madeOf: Pick<ResultOrigin, "model" | "training" | "rowsFile"> = {};
  /** Settles with the run; absent before it has begun. */
  #over: Promise<void> | undefined;

  constructor(options: CellRunOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return ["running", "waiting", "paused"].includes(this.#state.kind);
  }

  get progress(): RunProgress {
    const { length } = this.table;
    const now = Date.now();
    const pausedMs = this.#pausedMs + (this.#pausedAt === undefined ? 0 : now - this.#pausedAt);
    const seconds = (now - this.#startedAt - pausedMs) / 1_000;
    const metrics = this.#metrics?.metrics;
    const expected = this.#total?.expected;
    return {
      state:
        this.#state.kind === "running"
          ? { ...this.#state, ...this.#quiet(), ...this.#activity() }
          : this.#state,
      count: length,
      refused: this.#rows?.refused ?? 0,
      ...(expected ? { expected } : {}),
      ...(length > 0 && this.isRunning ? { rowsPerSecond: length / seconds } : {}),
      notes: [...this.#findings(), ...this.#notes, ...this.#sentTwice()],
      ...(metrics ? { metrics } : {}),
      ...(this.#hasNoTable ? { hasNoTable: true } : {}),
    };
  }

  /** What the button of a state does. */
  get action(): ErrorAction | undefined {
    return this.#action;
  }

  /** What it failed with, if it did. */
  get error(): unknown {
    return this.#error;
  }

  get madeOf(): Pick<ResultOrigin, "model" | "training" | "rowsFile"> {
    return this.#madeOf;
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Goes on where it paused. */
  resume(): void {
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.();
  }

  /** Goes on by itself, unless that would send rows again whose status is unknown. */
  resumeIfSure(): void {
    const { kind } = this.#state;
    const needsUser = this.#unsureRows > 0 || (kind === "paused" && this.#state.lacksInputs);
    if (kind === "paused" && !needsUser) this.resume();
  }

  /** Sends the rows; resolves when nothing more happens. `anyway` sends rows that lack columns, too. */
  async predict(recipe: Recipe, anyway: boolean): Promise<void> {
    await this.#end(async () => {
      const client = await this.#options.client();
      const { limit, batchRows = this.#options.batchRows } = recipe;
      const [columns, source] = await Promise.all([
        this.#modelColumns(client, recipe),
        this.#open(recipe),
      ]);
      const { inputs, target } = columns;
      if (inputs) this.#checker = new RowChecker(inputs, target?.name);
      const rows = checkedRows(source, {
        checker: this.#checker,
        limit,
        onMissing: anyway ? undefined : (missing) => this.#pauseForMissing(missing),
      });
      const first = await rows.next();
      const missing = this.#checker?.findings.filter(({ kind }) => kind === "missing") ?? [];
      if (missing.length > 0 && !anyway) {
        await rows.return(undefined);
        this.#setState({ kind: "blocked", message: this.#describe(missing) });
        return;
      }
      if (first.done) return;
      const table = await this.#options.createTable(this.id, {
        inputs: inputs?.map(({ name }) => name) ?? [],
        target,
      });
      this.table = this.#rows = table;
      await this.#send(table, recipe, inBatches(withFirst(first.value, rows), batchRows));
    });
  }

  /** Fails without a request: `message` says what is wrong with the cell. */
  async refuse(message: string): Promise<void> {
    await this.#end(() => {
      this.#setState({ kind: "failed", message });
      return Promise.resolve();
    });
  }

  async sql(statement: string): Promise<void> {
    await this.#end(async () => {
      const client = await this.#options.client();
      this.#statementSince = Date.now();
      const result = await runSql(client, statement, {
        signal: this.#stop.signal,
        timeoutMs: this.#options.sqlTimeLimitMs,
        limits: responseLimits.rows,
      });
      this.#hasNoTable = result.columns.length === 0;
      // Before anything is made of it: grid, text, copies and exports all show this table.
      this.table = new ResultInMemory(
        new SqlTable(redactResult(result, statement, client.secrets)),
      );
    });
  }

  /** Stops, and closes the files. */
  async dispose(): Promise<void> {
    this.stop();
    await this.#over;
    await this.table.dispose();
  }

  #end(work: () => Promise<void>): Promise<void> {
    return (this.#over = this.#settle(work));
  }

  async #settle(work: () => Promise<void>): Promise<void> {
    this.#startedAt = Date.now();
    const clock = setInterval(() => this.#options.changed(), 1_000);
    try {
      await work();
      if (this.isRunning) this.#setState({ kind: "done" });
    } catch (error) {
      this.#setState(this.#failure(error));
    } finally {
      clearInterval(clock);
    }
  }

  #failure(error: unknown): RunState {
    if (wasStopped(error, this.#stop.signal)) return { kind: "stopped" };
    if (error instanceof RowsError) {
      return { kind: "failed", message: describeRowsError(error, this.#source) };
    }
    this.#error = error;
    this.#options.logError("A prediction failed.", error);
    const { message, action } = this.#options.explain(error);
    this.#action = action;
    return { kind: "failed", message, ...(action ? { action: action.title } : {}) };
  }

  #setState(state: RunState): void {
    if (this.#pausedAt !== undefined) this.#pausedMs += Date.now() - this.#pausedAt;
    this.#pausedAt = state.kind === "paused" ? Date.now() : undefined;
    this.#state = state;
    this.#options.changed();
  }

  /** Waits until the user wants to go on; rejects when the run is stopped. */
  #untilResumed(): Promise<void> {
    const { signal } = this.#stop;
    return new Promise<void>((resolve, reject) => {
      // The server may have failed while rows without inputs wait for an answer: one Resume is for both.
      const others = this.#resume;
      this.#resume = () => {
        others?.();
        resolve();
      };
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
  }

  /** Rows far down lack inputs that all rows before them had: the user says whether they are sent. */
  async #pauseForMissing(missing: Finding[]): Promise<void> {
    this.#setState({ kind: "paused", message: this.#describe(missing), lacksInputs: true });
    await this.#untilResumed();
    this.#setState({ kind: "running" });
  }

  #describe(findings: Finding[]): string {
    return findings.map((finding) => describeFinding(finding, this.#source)).join(" ");
  }

  /** A model that does not say what it takes is asked all the same. */
  async #modelColumns(client: Client, { model }: Recipe): Promise<DescribedColumns> {
    this.#describingSince = Date.now();
    const server = { client, ...this.#options.described };
    const columns = await readModelColumns(server, model, { signal: this.#stop.signal });
    this.#describingSince = undefined;
    this.#madeOf.model = model;
    if (columns.trained) {
      const { version, createdAt } = columns.trained;
      this.#madeOf.training = { version, ...(createdAt === undefined ? {} : { createdAt }) };
    }
    if (!columns.inputs) {
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
      this.#total = new RowTotal(0, limit);
      this.#total.add(rows.length, 0);
      this.#total.end();
      return asGenerator(rows);
    }
    const file = await findRowsFile(this.#options.notebook, rows.file, this.#options.allowFile);
    this.#source = path.posix.basename(file.uri.path);
    const { uri, bytes, modified } = file;
    this.#madeOf.rowsFile = { address: uri.toString(), bytes, modified };
    const total = (this.#total = new RowTotal(file.bytes, limit));
    let bytesRead = 0;
    const source = readRows(readFile(file, this.#stop.signal), rows.format, (soFar) => {
      bytesRead = soFar;
    });
    return counted(source, total, () => bytesRead);
  }

  async #send(table: ResultOnDisk, recipe: Recipe, rows: AsyncGenerator<Row[]>): Promise<void> {
    const { model, params } = recipe;
    const { client, concurrency, timeLimitMs } = this.#options;
    const { signal } = this.#stop;
    this.#startedAt = this.#heardAt = Date.now();
    this.#sender = new BatchSender({
      transport: {
        send: async (body, signal) => {
          try {
            return await predict(await client(), model, body, { signal, timeLimitMs });
          } finally {
            this.#heardAt = Date.now();
          }
        },
      },
      params,
      concurrency: new AdaptiveConcurrency(concurrency),
      signal,
      onPause: () => this.#untilResumed(),
      onState: (state) => this.#senderState(state),
    });
    const turn = new EventLoopYielder();
    try {
      for await (const answer of this.#sender.send(rows)) {
        await this.#take(table, answer);
        await turn.next();
      }
    } catch (error) {
      if (!isUntrained(error)) throw error;
      throw await whyUntrained(await client(), model, { signal });
    }
    await table.written();
  }

  async #take(table: ResultOnDisk, answer: BatchResponse): Promise<void> {
    const rows = await table.add(answer);
    const { resultColumns, targetIsNumber } = table;
    if (targetIsNumber !== undefined) this.#metrics ??= new MetricsCollector(targetIsNumber);
    for (const row of rows) {
      const actual = resultColumns.actual(row);
      if (actual !== undefined) this.#metrics?.add(actual, resultColumns.predicted(row));
    }
    this.#options.changed();
  }

  /** That nothing has come back for a while, and what for. */
  #quiet(): { message?: string } {
    if (this.#describingSince !== undefined) {
      const seconds = Math.floor((Date.now() - this.#describingSince) / 1_000);
      if (seconds === 0) return {};
      return { message: vscode.l10n.t("Asking which columns the model takes… {0} s", seconds) };
    }
    if (this.#heardAt === undefined) return {};
    const ms = Date.now() - this.#heardAt;
    const seconds = Math.floor(ms / 1_000);
    if (this.table.length === 0 && ms > quietFirstMs) {
      return {
        message: vscode.l10n.t(
          "No answer for {0} s. The first one takes longer while the server starts the model.",
          seconds,
        ),
      };
    }
    return ms > quietMs ? { message: vscode.l10n.t("No answer for {0} s.", seconds) } : {};
  }

  #activity(): { activity?: string } {
    if (this.#statementSince === undefined) return {};
    const seconds = Math.floor((Date.now() - this.#statementSince) / 1_000);
    return { activity: vscode.l10n.t("Running statement… {0} s", seconds) };
  }

  #senderState(state: SenderState): void {
    const { explain } = this.#options;
    switch (state.kind) {
      case "sending":
        this.#heardAt = Date.now();
        this.#action = undefined;
        this.#setState({ kind: "running" });
        break;
      case "waiting":
        this.#setState({ kind: "waiting", message: explain(state.error).message });
        break;
      case "paused": {
        const { action } = explain(state.pause.error);
        this.#action = action;
        this.#unsureRows = state.pause.unsureRows;
        const message = this.#pauseMessage(state.pause);
        this.#setState({ kind: "paused", message, ...(action ? { action: action.title } : {}) });
      }
    }
  }

  #pauseMessage({ error, unsureRows }: Pause): string {
    const { message } = this.#options.explain(error);
    if (unsureRows === 0) return message;
    const unsure =
      unsureRows === 1
        ? vscode.l10n.t("The status of 1 sent row is unknown: Resume sends it again.")
        : vscode.l10n.t(
            "The status of {0} sent rows is unknown: Resume sends them again.",
            unsureRows,
          );
    return `${message} ${unsure}`;
  }

  #findings(): string[] {
    const findings = this.#checker?.findings ?? [];
    return findings
      .filter(({ kind }) => kind !== "missing" || !this.#isAboutMissing)
      .map((finding) => describeFinding(finding, this.#source));
  }

  /** Whether the state's own message names the missing inputs. */
  get #isAboutMissing(): boolean {
    const { kind } = this.#state;
    return kind === "blocked" || (kind === "paused" && this.#state.lacksInputs === true);
  }

  #sentTwice(): string[] {
    const { splitRows = 0, sentAgain = 0 } = this.#sender ?? {};
    const split = vscode.l10n.t(
      "{0} rows were resent in smaller batches after the server rejected theirs.",
      splitRows,
    );
    const again =
      sentAgain === 1
        ? vscode.l10n.t(
            "1 row was sent a second time because the status of the first request is unknown.",
          )
        : vscode.l10n.t(
            "{0} rows were sent a second time because the status of the first request is unknown.",
            sentAgain,
          );
    return [...(splitRows > 0 ? [split] : []), ...(sentAgain > 0 ? [again] : [])];
  }
}

// eslint-disable-next-line @typescript-eslint/require-await -- What reads from a file gives its rows over time.
async function* asGenerator(rows: Row[]): AsyncGenerator<Row[]> {
  yield rows;
}

/** Tells the total of what is read. */
async function* counted(
  source: AsyncGenerator<Row[]>,
  total: RowTotal,
  bytesRead: () => number,
): AsyncGenerator<Row[]> {
  for await (const rows of source) {
    total.add(rows.length, bytesRead());
    yield rows;
  }
  total.end();
}

async function* withFirst(first: Row[], rest: AsyncGenerator<Row[]>): AsyncGenerator<Row[]> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}
