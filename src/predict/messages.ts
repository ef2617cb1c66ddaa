// The result in a cell's output, and the messages between its renderer and the host.
import * as v from "valibot";
import type { PageLanguage } from "../shared/pageLanguage.ts";
import type { ExpectedRows } from "./rows/rowTotal.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

export const resultColumn = v.object({
  name: v.string(),
  /**
   * predicted: from the model; difference: of the predictions of two models; actual: the target in the rows; error: how far
   * the prediction is from it; input: other values in the rows.
   */
  part: v.picklist(["predicted", "difference", "actual", "error", "input"]),
  /** An interval's values are `[lower, predicted, upper]`. */
  kind: v.picklist(["text", "number", "interval"]),
});
/** A column of the grid. Rows hold its values at the same index. */
export type ResultColumn = v.InferOutput<typeof resultColumn>;

export interface ResultRow {
  /** Counted from 1, in the file's order. */
  number: number;
  /** Each value as JSON, truncated if it is very long; null if the row has none. */
  values: (string | null)[];
  /** Why the server refused the row. */
  refused?: string;
}

export type RunState =
  /** `message`: that the server has not responded for a while. `activity`: what runs, if not a prediction. */
  | { kind: "running"; message?: string; activity?: string }
  | { kind: "waiting"; message: string }
  /** `lacksInputs`: Resume sends rows that lack columns. */
  | { kind: "paused"; message: string; action?: string; lacksInputs?: boolean }
  /** Nothing was sent, because rows lack the columns in `message`. */
  | { kind: "blocked"; message: string }
  /** `message`: what a server goes on with, or what is left undone. */
  | { kind: "stopped"; message?: string }
  | { kind: "failed"; message: string; action?: string }
  | { kind: "done"; message?: string };

const metrics = v.variant("kind", [
  v.object({
    kind: v.literal("numbers"),
    count,
    mae: v.number(),
    rmse: v.number(),
    r2: v.nullable(v.number()),
  }),
  v.object({
    kind: v.literal("classes"),
    count,
    accuracy: v.number(),
    classes: v.array(v.string()),
    /** `confusion[actual][predicted]`, in the order of `classes`. */
    confusion: v.array(v.array(v.number())),
  }),
]);
/** The accuracy of the predictions, if the rows hold the target. */
export type Metrics = v.InferOutput<typeof metrics>;

const comparedMetrics = v.object({
  /** As in the names of its columns. */
  model: v.string(),
  metrics,
});
/** The accuracy of one of two models. */
export type ComparedMetrics = v.InferOutput<typeof comparedMetrics>;

/** The progress of a run. It is shown while the run lasts and stored with its result. */
export const storedProgress = v.object({
  /** Rows that were predicted or refused. */
  count,
  refused: count,
  /** One sentence each. */
  notes: v.array(v.string()),
  metrics: v.optional(metrics),
  /** Instead of `metrics`, of a run with two models. */
  comparedMetrics: v.optional(v.array(comparedMetrics)),
  /** True for a statement that succeeded without a table. */
  hasNoTable: v.optional(v.boolean()),
  /** Of a statement that succeeded without a table: the number of rows it has changed, if the server says so. */
  changedRows: v.optional(count),
  /** Of a statement that has ended: the time from sending it until the last row has arrived. */
  seconds: v.optional(v.number()),
  /** Of a run that predicts into a table of the server, once its statement is known. */
  into: v.optional(
    v.object({
      /** Whether the table holds the predictions, right or wrong. */
      isWritten: v.boolean(),
    }),
  ),
});

/** The state of a run, and what changes while it lasts. */
export interface RunProgress extends v.InferOutput<typeof storedProgress> {
  state: RunState;
  /** The total number of rows, if it is known or can be estimated. */
  expected?: ExpectedRows;
  rowsPerSecond?: number;
  /** The number of runs of the cell that can be compared, with this one. */
  pastRuns?: number;
  /** "From 14:02, model version 2": for a stored or outdated result. */
  origin?: string;
  /** Changes since then, one sentence each. */
  changes?: string[];
}

/**
 * The output item. It holds the first rows only; the renderer requests the others in windows. Any notebook may hold such
 * an item, so nothing acts on what it contains: the renderer has buttons only with the header that the host sends.
 */
export interface ResultHeader extends RunProgress, PageLanguage {
  runId: string;
  columns: ResultColumn[];
  first: ResultRow[];
}

/** The output item of a cell with a stored result: the renderer requests the header when it is shown. */
export interface StoredResultItem {
  /** The cell's key (cellKeys.ts). */
  storedFor: string;
}

export type ResultItem = ResultHeader | StoredResultItem;

const resultView = v.object({
  sort: v.optional(v.object({ column: v.number(), descending: v.boolean() })),
  find: v.optional(v.string()),
  refusedOnly: v.optional(v.boolean()),
});
/** Which rows the grid shows, and in which order. */
export type ResultView = v.InferOutput<typeof resultView>;

const copyFormat = v.picklist(["tsv", "csv", "json", "markdown", "insert", "inList"]);
export type CopyFormat = v.InferOutput<typeof copyFormat>;

/** The messages of a renderer. */
export const toHost = v.variant("type", [
  v.object({
    /**
     * previewTable, showSql: the table that was predicted into, and the statement that wrote it; runAction: the button
     * of a paused or failed state (Sign In, Show Log).
     */
    type: v.picklist(["compareRuns", "previewTable", "showSql", "resume", "runAction", "stop"]),
    runId: v.string(),
  }),
  /** Asks whether the result in an output is one that the host knows. Until it is answered, only the data is shown. */
  v.object({ type: v.literal("hello"), instance: v.string(), runId: v.string() }),
  /** Requests the stored result of a cell. */
  v.object({ type: v.literal("stored"), instance: v.string(), cell: v.string() }),
  v.object({
    type: v.literal("window"),
    runId: v.string(),
    /** The renderer (a split editor has two) and the number of its request. */
    instance: v.string(),
    request: v.number(),
    view: resultView,
    from: count,
    count: v.pipe(count, v.maxValue(1_000)),
  }),
  v.object({
    type: v.literal("copy"),
    runId: v.string(),
    view: resultView,
    format: copyFormat,
    rows: v.object({ from: count, to: count }),
    columns: v.object({ from: count, to: count }),
  }),
  v.object({ type: v.literal("export"), runId: v.string(), view: resultView }),
  /** Predicts the row at this position of the view with other values. */
  v.object({ type: v.literal("whatIf"), runId: v.string(), view: resultView, row: count }),
  v.object({ type: v.literal("run"), runId: v.string(), anyway: v.boolean() }),
]);
export type ToHost = v.InferOutput<typeof toHost>;

export type ToPage =
  /** The host has started, perhaps after a crash: renderers send "hello" again. */
  | { type: "began" }
  /** The answer to "hello": the result as the host knows it. */
  | { type: "result"; instance: string; header: ResultHeader }
  /** `columns` once they are known. */
  | { type: "progress"; runId: string; progress: RunProgress; columns: ResultColumn[] }
  /** The stored result of a cell; the header is absent if there is none. */
  | { type: "stored"; instance: string; cell: string; header?: ResultHeader }
  /** The host has no rows of the run (any more). `canRun`: it knows the cell that made them. */
  | { type: "gone"; runId: string; canRun: boolean }
  /** So many rows are in the clipboard. */
  | { type: "copied"; runId: string; count: number }
  | {
      type: "window";
      runId: string;
      instance: string;
      request: number;
      /** The number of rows in the view. */
      total: number;
      from: number;
      rows: ResultRow[];
    };
