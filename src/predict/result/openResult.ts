import type { ErrorAction } from "../../shared/errorExplanation.ts";
import type { RunProgress, RunState } from "../messages.ts";
import type { ResultMetadata } from "./resultMetadata.ts";
import type { ResultTable } from "./resultTable.ts";

/** A result that a page shows: of a run in this window, or one that was stored before. */
export interface OpenResult {
  readonly id: string;
  readonly table: ResultTable;
  readonly progress: RunProgress;
  readonly isRunning: boolean;
  /** The action of the button in the state's message. */
  readonly action: ErrorAction | undefined;
  stop(): void;
  resume(): void;
  /** Stops, and closes the files. */
  dispose(): Promise<void>;
}

/** A result that was stored before. It never changes. */
export function createStoredResult(
  id: string,
  { outcome }: ResultMetadata,
  table: ResultTable,
): OpenResult {
  return {
    id,
    table,
    progress: outcome,
    isRunning: false,
    action: undefined,
    stop: () => undefined,
    resume: () => undefined,
    dispose: () => table.dispose(),
  };
}

/**
 * How a run ended; undefined if it has no result to show again: one that failed before its first row has none, unless it
 * `hasHistory`, which is stored with it. One that wrote a table on the server has one.
 */
export function readOutcome(
  { progress, table }: Pick<OpenResult, "progress" | "table">,
  hasHistory: boolean,
): ResultMetadata["outcome"] | undefined {
  const { count, refused, notes, metrics, comparedMetrics, into } = progress;
  const { hasNoTable, changedRows, seconds } = progress;
  const state = readEndState(progress.state);
  const hasResult = table.columns.length > 0 || into?.isWritten === true;
  const isShown = state?.kind === "done" || hasResult || hasHistory;
  if (!state || !isShown) return undefined;
  const counts = { count, refused, changedRows };
  return { state, ...counts, notes, metrics, comparedMetrics, hasNoTable, seconds, into };
}

/** The state of a run that has ended, without its button; undefined for other states. */
function readEndState(state: RunState): ResultMetadata["outcome"]["state"] | undefined {
  if (state.kind === "done" || state.kind === "stopped") return state;
  const isFailed = state.kind === "failed" || state.kind === "blocked";
  return isFailed ? { kind: "failed", message: state.message } : undefined;
}
