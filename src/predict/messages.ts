// What a result in a notebook is to its renderer, and what the renderer and the host say to each other.
import * as v from "valibot";
import type { ExpectedRows } from "./rows/rowTotal.ts";

/** A column as it is shown; values are found by its index. */
export interface ResultColumn {
  name: string;
  /** What the model gave, what the rows say of the same, how far they are apart, or what was sent. */
  part: "predicted" | "actual" | "error" | "input";
  /** An interval's values are `[lower, predicted, upper]`. */
  kind: "text" | "number" | "interval";
}

export interface ResultRow {
  /** Counted from 1, in the file's order. */
  number: number;
  /** Each value as JSON writes it, cut if it is very long; null where the row has none. */
  values: (string | null)[];
  /** Why the server refused the row. */
  refused?: string;
}

export type RunState =
  /** `message` says what is unusual: that nothing has come back for a while; `activity` what runs, if not a prediction. */
  | { kind: "running"; message?: string; activity?: string }
  | { kind: "waiting"; message: string }
  /** `lacksInputs`: going on sends rows that lack columns. */
  | { kind: "paused"; message: string; action?: string; lacksInputs?: boolean }
  /** Nothing was sent, since rows lack columns; `message` says which. */
  | { kind: "blocked"; message: string }
  | { kind: "stopped" }
  | { kind: "failed"; message: string; action?: string }
  | { kind: "done" };

/** How far off the model is, where the rows hold the target. */
export type Metrics =
  | { kind: "numbers"; count: number; mae: number; rmse: number; r2: number | null }
  | {
      kind: "classes";
      count: number;
      accuracy: number;
      classes: string[];
      /** `confusion[actual][predicted]`, in the order of `classes`. */
      confusion: number[][];
    };

/** What changes while a run goes on. */
export interface RunProgress {
  state: RunState;
  /** Rows with an answer or a refusal. */
  count: number;
  refused: number;
  /** How many rows there will be, where that can be told. */
  expected?: ExpectedRows;
  rowsPerSecond?: number;
  /** One sentence each. */
  notes: string[];
  metrics?: Metrics;
  /** True for a statement that was run and gives no table. */
  hasNoTable?: boolean;
  /** "From 14:02, model version 2": for a result that was there before, or that its cell would not give any more. */
  origin?: string;
  /** What has changed since, one sentence each. */
  changes?: string[];
}

/** The output item: small, whatever the run's size. Rows beyond the first come in windows. */
export interface ResultHeader extends RunProgress {
  runId: string;
  columns: ResultColumn[];
  first: ResultRow[];
  locale: string;
  texts: ResultTexts;
}

/** The output item of a cell whose result was stored before: the renderer asks for the header once it is shown. */
export interface StoredResultItem {
  /** The cell's key (cellKeys.ts). */
  storedFor: string;
}

export type ResultItem = ResultHeader | StoredResultItem;

/** Which rows are shown, and in which order. */
export type ResultView = v.InferOutput<typeof resultView>;

const resultView = v.object({
  sort: v.optional(v.object({ column: v.number(), descending: v.boolean() })),
  find: v.optional(v.string()),
  refusedOnly: v.optional(v.boolean()),
});

const copyFormat = v.picklist(["tsv", "json", "markdown"]);
export type CopyFormat = v.InferOutput<typeof copyFormat>;

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The shape of everything a renderer may send. */
export const toHost = v.variant("type", [
  v.object({ type: v.literal("hello"), runId: v.string() }),
  /** Asks for the stored result of a cell. */
  v.object({ type: v.literal("stored"), instance: v.string(), cell: v.string() }),
  v.object({
    type: v.literal("window"),
    runId: v.string(),
    /** Which renderer asks, and which of its questions this is: a split editor has two of them. */
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
  v.object({ type: v.literal("export"), runId: v.string() }),
  v.object({ type: v.literal("resume"), runId: v.string() }),
  /** The button of a paused state: Sign In, Show Log. */
  v.object({ type: v.literal("accept"), runId: v.string() }),
  v.object({ type: v.literal("stop"), runId: v.string() }),
  v.object({ type: v.literal("run"), runId: v.string(), anyway: v.boolean() }),
]);
export type ToHost = v.InferOutput<typeof toHost>;

export type ToPage =
  /** The host has begun, maybe anew after a crash: results that are there say hello again. */
  | { type: "began" }
  /** `columns` once they are known. */
  | { type: "progress"; runId: string; progress: RunProgress; columns: ResultColumn[] }
  /** The stored result of a cell; without a header there is none. */
  | { type: "stored"; instance: string; cell: string; header?: ResultHeader }
  /** Nothing is kept of the run any more. */
  | { type: "gone"; runId: string }
  | {
      type: "window";
      runId: string;
      instance: string;
      request: number;
      /** How many rows the view has in all. */
      total: number;
      from: number;
      rows: ResultRow[];
    };

/** The renderer's words, translated by the host; `{0}` and so on are filled in by the page. */
export interface ResultTexts {
  rows: string;
  row: string;
  refusedRows: string;
  perSecond: string;
  timeLeft: string;
  running: string;
  /** A statement without rows has run. */
  done: string;
  stopped: string;
  notKept: string;
  run: string;
  runAgain: string;
  runAnyway: string;
  resume: string;
  stop: string;
  export: string;
  find: string;
  found: string;
  foundAbout: string;
  searching: string;
  sorting: string;
  refusedOnly: string;
  /** `{0}` is what `row` or `rows` says. */
  copied: string;
  copy: string;
  copyAs: string;
  grid: string;
  gridHelp: string;
  /** `{0}` is the column, `{1}` the row's number. */
  cell: string;
  rowNumber: string;
  actual: string;
  predicted: string;
  errorColumn: string;
  /** `{0}` is what `row` or `rows` says. */
  numbersMetrics: string;
  classesMetrics: string;
  confusion: string;
  note: string;
  notes: string;
}
