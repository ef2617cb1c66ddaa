import { randomUUID } from "node:crypto";
import type { Client } from "../../mindsdb/http/client.ts";
import type { Cost } from "../../mindsdb/http/costConsent.ts";
import { isCancelled, type AppError } from "../../mindsdb/errors.ts";
import type { DescribedServer } from "../../models/modelColumns.ts";
import type { RunProgress, RunState } from "../messages.ts";
import type { ErrorAction, ErrorExplanation } from "../../shared/errorExplanation.ts";
import type { OpenResult } from "../result/openResult.ts";
import type { RunOrigin } from "../result/resultMetadata.ts";
import { EmptyResultTable, type ResultTable } from "../result/resultTable.ts";
import { MissingInputsError } from "./rowChecker.ts";
import type { RunTexts } from "./runTexts.ts";

export interface CellRunOptions {
  client: () => Promise<Client>;
  /** The sentence for an error, and the command that helps. */
  explain: (error: unknown) => ErrorExplanation;
  logError: (what: string, error: unknown) => void;
  texts: RunTexts;
  /** Called when the progress changes, and every second while the run lasts. */
  onProgress: () => void;
}

/** Options of a recipe run. */
export interface RecipeRunOptions extends CellRunOptions {
  /** The connection whose models are described. */
  described: Omit<DescribedServer, "client">;
  /** For each predict request. */
  timeLimitMs: number;
  /** The consent to what reading the rows may cost. */
  cost: Cost;
  /** For each SQL query; 0 is no limit. */
  sqlTimeLimitMs: number;
}

/** One execution of a cell. Ends in exactly one state: done, stopped, failed or blocked. */
export class CellRun<Options extends CellRunOptions = CellRunOptions> implements OpenResult {
  readonly id = randomUUID();
  table: ResultTable = new EmptyResultTable();
  action: ErrorAction | undefined;
  /** The error that the run failed with. */
  error: unknown;
  /** In ms since 1970; undefined until the run ends. */
  endedAt: number | undefined;
  /** The known part of the result's origin. */
  readonly madeOf: Pick<
    RunOrigin,
    "model" | "training" | "comparedWith" | "rowsFile" | "serverRows" | "into"
  > = {};
  protected readonly options: Options;
  protected state: RunState = { kind: "running" };
  readonly #stop = new AbortController();
  /** Resolves when the run has ended; undefined before it has begun. */
  #ended: Promise<void> | undefined;

  constructor(options: Options) {
    this.options = options;
  }

  get isRunning(): boolean {
    return ["running", "waiting", "paused"].includes(this.state.kind);
  }

  get progress(): RunProgress {
    return { state: this.state, count: this.table.length, refused: 0, notes: [] };
  }

  /** Ends the run without a request; the message says what is wrong with the cell. */
  fail(message: string): Promise<void> {
    return this.execute(() => {
      this.setState({ kind: "failed", message });
      return Promise.resolve();
    });
  }

  /** Ends the run without a request, as one would end that the connection or the user does not allow. */
  refuse(error: AppError | DOMException): Promise<void> {
    return this.execute(() => Promise.reject(error));
  }

  stop(): void {
    this.#stop.abort();
  }

  resume(): void {
    // Only prediction runs pause.
  }

  /** Called when the server is back or the user has signed in. */
  resumeIfSafe(): void {
    // Only prediction runs pause.
  }

  async dispose(): Promise<void> {
    this.stop();
    await this.#ended;
    await this.table.dispose();
  }

  /** Aborted when the user stops the run. */
  protected get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Does the work of the run and sets the state it ends in. Never rejects. */
  protected execute(work: () => Promise<void>): Promise<void> {
    return (this.#ended = this.#execute(work));
  }

  protected setState(state: RunState): void {
    this.state = state;
    this.options.onProgress();
  }

  /** The state for an error that ended the run. */
  protected explainFailure(error: unknown): RunState {
    if (error instanceof MissingInputsError) return { kind: "blocked", message: error.message };
    if (this.signal.aborted || isCancelled(error)) return { kind: "stopped" };
    this.error = error;
    this.options.logError("A prediction failed.", error);
    const { message, action } = this.options.explain(error);
    this.action = action;
    return { kind: "failed", message, action: action?.title };
  }

  async #execute(work: () => Promise<void>): Promise<void> {
    const timer = setInterval(() => this.options.onProgress(), 1_000);
    try {
      await work();
      if (this.isRunning) this.setState({ kind: "done" });
    } catch (error) {
      this.setState(this.explainFailure(error));
    } finally {
      clearInterval(timer);
      this.endedAt = Date.now();
    }
  }
}
