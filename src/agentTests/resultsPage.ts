// The page that compares agents, or shows what a search found: its state, and its calls.
import * as v from "valibot";
import type { TextTable } from "../shared/textTable.ts";

/** The subject of a comparison, saved by its page for a reload of the window. Its answers are in the ComparisonStore. */
export const savedComparison = v.object({
  id: v.string(),
  agents: v.array(
    v.object({
      connectionId: v.string(),
      project: v.string(),
      name: v.string(),
      label: v.string(),
    }),
  ),
  /** The address of a test file with the questions. */
  file: v.optional(v.string()),
  /** Questions that were typed. */
  questions: v.optional(v.array(v.string())),
});
export type SavedComparison = v.InferOutput<typeof savedComparison>;

/** "" for an answer that is not there yet. */
export type ShownVerdict = "passed" | "failed" | "error" | "";

/** How an agent has done. */
export interface AgentSummary {
  label: string;
  passed: number;
  /** Its answers so far. */
  of: number;
  meanMs: number;
  meanSteps: number;
}

export interface ResultsState {
  title: string;
  /** Below the title. */
  place: string;
  /** The columns stay the same. */
  table: TextTable;
  /** Above the table, and for screen readers. */
  status: string;
  isLoading: boolean;
  /** Whether something can be run again. */
  hasOpen: boolean;
  /** By question and agent; the verdict of an agent is in the table's column `1 + 2 * agent`. */
  verdicts: ShownVerdict[][];
  summary: AgentSummary[];
  /** Whether something is expected of the answers. */
  isJudged: boolean;
  /** Absent for what a search found. */
  comparison?: SavedComparison;
}

const index = v.pipe(v.number(), v.integer(), v.minValue(0));

export const resultsCalls = {
  cancel: [],
  runOpen: [],
  /** By row and column of the table. */
  runCell: [index, index],
  openRun: [index, index],
  exportTable: [],
  copyText: [v.string()],
} as const;
