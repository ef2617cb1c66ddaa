import type { Client } from "../../mindsdb/http/client.ts";
import { isAppError } from "../../mindsdb/errors.ts";
import { abortable } from "../../mindsdb/http/abortable.ts";
import { isUntrained, predict, whyUntrained } from "../../mindsdb/predict.ts";
import type { RunProgress, RunState } from "../messages.ts";
import { formatModelName, type ModelName } from "../notebook/modelName.ts";
import type { Recipe } from "../notebook/recipe.ts";
import type { ServerSource } from "../notebook/serverSource.ts";
import type { KnownColumns } from "../result/columnFinder.ts";
import type { ErrorAction } from "../../shared/errorExplanation.ts";
import type { DiskTable } from "../result/diskTable.ts";
import { EventLoopYielder } from "../../mindsdb/yieldToEventLoop.ts";
import { readRows } from "../rows/readRows.ts";
import { describeReading } from "../rows/rowNotes.ts";
import { describeRowsError, RowsError, type Row } from "../rows/row.ts";
import { RowTotal } from "../rows/rowTotal.ts";
import { readServerRows } from "../rows/serverRows.ts";
import { AdaptiveConcurrency } from "./adaptiveConcurrency.ts";
import { BatchSender, type BatchResponse, type Pause, type SenderState } from "./batchSender.ts";
import { CellRun, type RecipeRunOptions } from "./cellRun.ts";
import { MetricsCollector } from "./metrics.ts";
import { describePatiently, findClosestModel, type DescribedModels } from "./describeModels.ts";
import { nameModel, type ModelComparison } from "./modelComparison.ts";
import { ResponseDelay } from "./responseDelay.ts";
import { ReadRetry } from "./readRetry.ts";
import { checkedRows, inBatches } from "./rowBatches.ts";
import {
  describeFindings,
  MissingInputsError,
  RowChecker,
  throwIfMissing,
  type Finding,
  type InputColumn,
  type RowsOrigin,
} from "./rowChecker.ts";
import { RunClock } from "./runClock.ts";

/** A rows file that was found and may be read. */
export interface SourceFile {
  /** As a URI. */
  address: string;
  name: string;
  bytes: number;
  /** When it was changed last, in ms since 1970. */
  modified: number;
  read: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
}

export interface PredictionRunOptions extends RecipeRunOptions {
  /** Finds a file by its name in the recipe. */
  openFile: (name: string) => Promise<SourceFile>;
  /** Rows in a request, unless the recipe says otherwise. */
  batchRows: number;
  /** Requests in flight, at most. */
  concurrency: number;
  /** Creates the folder of the result and returns its path. */
  createFolder: (runId: string) => Promise<string>;
  createTable: (folder: string, known: KnownColumns) => Promise<DiskTable>;
  /** Offers a model in place of the recipe's, which does not exist. */
  offerModel: (name: string) => ErrorAction;
}

/** Reads the rows of a recipe, checks them, sends them in batches, and keeps rows and predictions on disk. */
export class PredictionRun extends CellRun<PredictionRunOptions> {
  readonly #clock = new RunClock();
  readonly #delay = new ResponseDelay(this.options.texts);
  readonly #notes: string[] = [];
  #resume: (() => void) | undefined;
  /** Rows that were sent and whose status is unknown. */
  #unsureRows = 0;
  /** The action offered if the model does not exist. */
  #offer: ErrorAction | undefined;
  #rows: DiskTable | undefined;
  #sender: BatchSender | undefined;
  #sending: SenderState = { kind: "sending" };
  /** Whether pages of a table or query of the server can be read. */
  #reading: SenderState = { kind: "sending" };
  #total: RowTotal | undefined;
  #checker: RowChecker | undefined;
  #metrics: MetricsCollector | undefined;
  /** Set if the rows go to two models. */
  #comparison: ModelComparison | undefined;
  /** The columns that rows must have; undefined if they are not known or may be missing. */
  #inputs: readonly InputColumn[] | undefined;
  #source: RowsOrigin = { name: "", hasLines: true };

  override get progress(): RunProgress {
    const { length } = this.table;
    return {
      state: this.#shownState(),
      count: length,
      refused: this.#rows?.refused ?? 0,
      expected: this.#total?.expected,
      rowsPerSecond: length > 0 && this.isRunning ? length / this.#clock.seconds : undefined,
      notes: [
        ...this.#findingNotes(),
        ...this.#notes,
        ...this.#fileNotes(),
        ...this.#resentNotes(),
      ],
      metrics: this.#metrics?.metrics,
      comparedMetrics: this.#comparison?.metrics,
    };
  }

  override resume(): void {
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.();
  }

  /** Resumes a paused run, unless that would send rows again whose status is unknown. */
  override resumeIfSafe(): void {
    const { state } = this;
    if (state.kind === "paused" && this.#unsureRows === 0 && !state.lacksInputs) this.resume();
  }

  /** `sendIncomplete` sends rows that lack columns, too. */
  predict(recipe: Recipe, sendIncomplete: boolean): Promise<void> {
    return this.execute(async () => {
      this.#clock.start();
      const client = await this.options.client();
      const [{ inputs, targets, known }, source, folder] = await Promise.all([
        this.#readColumns(client, recipe),
        this.#openRows(client, recipe),
        this.options.createFolder(this.id),
      ]);
      if (inputs) this.#checker = new RowChecker(inputs, ...targets);
      if (!sendIncomplete) this.#inputs = inputs;
      const rows = checkedRows(source, {
        checker: this.#checker,
        limit: recipe.limit,
        onFirst: async () => {
          if (!sendIncomplete) this.#blockIfMissing();
          this.table = this.#rows = await this.options.createTable(folder, known);
          this.#clock.start();
          this.#delay.restart();
        },
        onMissing: sendIncomplete ? undefined : (missing) => this.#pauseForMissing(missing),
      });
      await this.#send(recipe, inBatches(rows, recipe.batchRows ?? this.options.batchRows));
    });
  }

  protected override setState(state: RunState): void {
    this.#clock.setPaused(state.kind === "paused");
    super.setState(state);
  }

  protected override explainFailure(error: unknown): RunState {
    if (error instanceof RowsError && !this.signal.aborted) {
      const { queryAsSource, queryWithoutRows } = this.options.texts;
      const { name } = this.#source;
      const isEmptyQuery = name === queryAsSource && error.problem === "empty";
      const message = isEmptyQuery ? queryWithoutRows : describeRowsError(error, name);
      return { kind: "failed", message };
    }
    const state = super.explainFailure(error);
    if (state.kind !== "failed" || !this.#offer) return state;
    this.action = this.#offer;
    return { ...state, action: this.action.title };
  }

  async #readColumns(client: Client, recipe: Recipe): Promise<DescribedModels> {
    this.#delay.setReadingColumns(true);
    const server = { client, ...this.options.described };
    const options = { signal: this.signal };
    const described = await describePatiently(server, recipe, options, this.#createRetry()).catch(
      async (error: unknown) => {
        if (isAppError(error, "notFound") && !recipe.comparedWith) {
          const closest = await findClosestModel(client, recipe.model, options);
          if (closest !== undefined) this.#offer = this.options.offerModel(closest);
        }
        throw error;
      },
    );
    this.#delay.setReadingColumns(false);
    Object.assign(this.madeOf, described.origin);
    this.#comparison = described.comparison;
    this.#notes.push(...described.undescribed.map(this.options.texts.rowsNotChecked));
    return described;
  }

  /** For requests that read and change nothing. */
  #createRetry(): ReadRetry {
    return new ReadRetry({
      signal: this.signal,
      onState: (state) => this.#showStates({ reading: state }),
      onPause: () => this.#untilResumed(),
    });
  }

  async #openRows(client: Client, recipe: Recipe): Promise<AsyncIterable<Row[]> | Iterable<Row[]>> {
    const { rows, limit } = recipe;
    if (Array.isArray(rows)) {
      this.#source = { name: this.options.texts.cellAsSource, hasLines: true };
      this.#setTotal(rows.length, limit);
      return [rows];
    }
    if ("source" in rows) return this.#openServerRows(client, rows, limit);
    const { name, address, bytes, modified, read } = await this.options.openFile(rows.file);
    this.#source = { name, hasLines: true };
    this.madeOf.rowsFile = { address, bytes, modified };
    this.#total = new RowTotal(bytes, limit);
    return readRows(read(this.signal), rows.format, this.#total);
  }

  #openServerRows(client: Client, rows: ServerSource, limit?: number): AsyncIterable<Row[]> {
    const { table } = rows;
    this.#source = { name: table ?? this.options.texts.queryAsSource, hasLines: false };
    this.madeOf.serverRows = table === undefined ? {} : { table };
    const retry = this.#createRetry();
    return readServerRows(client, rows, {
      signal: this.signal,
      timeoutMs: this.options.sqlTimeLimitMs,
      cost: this.options.cost,
      maxRows: limit,
      onColumns: (columns) => throwIfMissing(this.#inputs, columns, this.#source.name),
      onCount: (count) => {
        retry.succeeded();
        this.#setTotal(count);
      },
      onFailure: (error) => retry.waitAfter(error),
      onPage: () => retry.succeeded(),
    });
  }

  /** Sets the number of rows where it is known from the start. */
  #setTotal(rows: number, limit?: number): void {
    this.#total = new RowTotal(0, limit);
    this.#total.add(rows, 0);
    this.#total.end();
  }

  async #send({ model, params }: Recipe, batches: AsyncIterable<Row[]>): Promise<void> {
    const { client, concurrency, timeLimitMs } = this.options;
    this.#sender = new BatchSender({
      transport: {
        send: (body, signal, rows) => {
          const ask = async (one: ModelName): Promise<Buffer> => {
            try {
              return await predict(await client(), this.#withVersion(one), body, {
                signal,
                timeLimitMs,
              });
            } finally {
              this.#delay.restart();
            }
          };
          return this.#comparison?.send(body, rows, ask) ?? ask(model);
        },
      },
      params,
      concurrency: new AdaptiveConcurrency(concurrency),
      signal: this.signal,
      onPause: () => this.#untilResumed(),
      onState: (state) => this.#showStates({ sending: state }),
    });
    const yielder = new EventLoopYielder();
    try {
      for await (const response of this.#sender.send(batches)) {
        await this.#add(response);
        await yielder.yieldIfDue();
      }
    } catch (error) {
      if (!isUntrained(error)) throw error;
      const untrained = this.#comparison?.failed ?? model;
      const reason = await whyUntrained(await client(), untrained, { signal: this.signal });
      throw this.#comparison ? nameModel(reason, formatModelName(untrained)) : reason;
    }
    await this.#rows?.written();
  }

  /**
   * The model with the version that was described, if it is known: another one may become active while rows are sent, and
   * all numbers of a result are of one version.
   */
  #withVersion(model: ModelName): ModelName {
    const { training, comparedWith } = this.madeOf;
    const trained = model === comparedWith?.model ? comparedWith.training : training;
    return trained ? { ...model, version: trained.version } : model;
  }

  async #add(response: BatchResponse): Promise<void> {
    const table = this.#rows!;
    const rows = await table.add(response);
    const { resultColumns, targetIsNumber } = table;
    if (this.#comparison) this.#comparison.addMetrics(rows);
    else if (targetIsNumber !== undefined) this.#metrics ??= new MetricsCollector(targetIsNumber);
    for (const row of rows) {
      const actual = resultColumns.actual(row);
      if (actual !== undefined) this.#metrics?.add(actual, resultColumns.predicted(row));
    }
    this.options.onProgress();
  }

  #blockIfMissing(): void {
    const missing = this.#findings().filter(({ kind }) => kind === "missing");
    if (missing.length > 0) throw new MissingInputsError(this.#describe(missing));
  }

  /** Asks the user whether to send rows far down that lack inputs which all rows before them had. */
  async #pauseForMissing(missing: Finding[]): Promise<void> {
    this.setState({ kind: "paused", message: this.#describe(missing), lacksInputs: true });
    await this.#untilResumed();
    this.setState({ kind: "running" });
  }

  /** Resolves when the user resumes; rejects when the run is stopped. */
  #untilResumed(): Promise<void> {
    const resumed = new Promise<void>((resolve) => {
      // The server may fail while the run already waits because of missing inputs: one Resume ends both pauses.
      const others = this.#resume;
      this.#resume = () => {
        others?.();
        resolve();
      };
    });
    return abortable(resumed, this.signal);
  }

  /** Shows what the user can do something about first: a pause before a wait, and requests to the model before reads. */
  #showStates({ sending = this.#sending, reading = this.#reading }): void {
    this.#sending = sending;
    this.#reading = reading;
    const both = [sending, reading];
    const state =
      both.find(({ kind }) => kind === "paused") ??
      both.find(({ kind }) => kind === "waiting") ??
      sending;
    const { explain } = this.options;
    switch (state.kind) {
      case "sending":
        this.#delay.restart();
        this.action = undefined;
        this.setState({ kind: "running" });
        break;
      case "waiting":
        this.setState({ kind: "waiting", message: explain(state.error).message });
        break;
      case "paused": {
        this.action = explain(state.pause.error).action;
        this.#unsureRows = state.pause.unsureRows;
        const message = this.#describePause(state.pause);
        this.setState({ kind: "paused", message, action: this.action?.title });
      }
    }
  }

  #shownState(): RunState {
    const { state } = this;
    if (state.kind !== "running") return state;
    return { ...state, message: this.#delay.describe(this.table.length > 0) };
  }

  #describePause({ error, unsureRows }: Pause): string {
    const { message } = this.options.explain(error);
    return unsureRows === 0
      ? message
      : `${message} ${this.options.texts.statusUnknown(unsureRows)}`;
  }

  #findings(): Finding[] {
    return this.#checker?.findings ?? [];
  }

  #describe(findings: readonly Finding[]): string {
    return this.#sentences(findings).join(" ");
  }

  #sentences(findings: readonly Finding[]): string[] {
    return describeFindings(findings, this.#source, this.#checker?.count ?? 0);
  }

  #findingNotes(): string[] {
    const { state } = this;
    // The message of these states names the missing columns already.
    const isAboutMissing =
      state.kind === "blocked" || (state.kind === "paused" && state.lacksInputs === true);
    return this.#sentences(
      this.#findings().filter(({ kind }) => kind !== "missing" || !isAboutMissing),
    );
  }

  #fileNotes(): string[] {
    if (!this.#total) return [];
    const { blankRows } = this.#total;
    const { blankRowsSkipped, formatCount } = this.options.texts;
    return [
      ...describeReading(this.#total, formatCount),
      ...(blankRows > 0 ? [blankRowsSkipped(blankRows)] : []),
    ];
  }

  #resentNotes(): string[] {
    const sentAgain = this.#sender?.sentAgain ?? 0;
    return sentAgain > 0 ? [this.options.texts.sentTwice(sentAgain)] : [];
  }
}
