// The state of the view with the results of SQL files, and its calls to its host.
import * as v from "valibot";
import { toHost, type ResultHeader } from "../messages.ts";

export interface SqlResultTab {
  runId: string;
  /** The statement in one line. */
  title: string;
  isRunning: boolean;
  /** A pinned result stays until it is closed. */
  isPinned?: boolean;
  hasFailed: boolean;
}

/** The result whose tab is selected. */
export interface ShownResult extends ResultHeader {
  statement: string;
  /** The file, the connection and the default project, if there is one. */
  place: string;
}

/** What the page of a result in an editor saves, because the result may no longer be stored after a reload of the window. */
export const savedSqlResult = v.object({
  runId: v.string(),
  connectionId: v.string(),
  /** Without secrets; empty for one that is too long. */
  statement: v.string(),
  /** Whether the statement can run again as it is. */
  canRun: v.boolean(),
  place: v.string(),
  database: v.optional(v.string()),
});
export type SavedSqlResult = v.InferOutput<typeof savedSqlResult>;

export interface SqlResultsState {
  /** The newest first. None of a result in an editor. */
  tabs: SqlResultTab[];
  shown?: ShownResult | undefined;
  /** Of the page of one result in an editor. */
  editor?: SavedSqlResult;
  /** Whether the result of the editor is no longer stored. */
  isGone?: boolean;
}

const runId = v.string();

export const sqlResultsCalls = {
  select: [runId],
  close: [runId],
  pin: [runId, v.boolean()],
  openInEditor: [runId],
  /** Returns the rows for a request of them, as `ToPage`. */
  send: [toHost],
} as const;
