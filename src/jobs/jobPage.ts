// The page of a job: its state, and its calls.
import * as v from "valibot";
import type { JobRun } from "../mindsdb/jobs.ts";
import type { Job } from "../mindsdb/listItems.ts";
import { itemCalls } from "../shared/itemPage.ts";

export interface JobContent {
  job?: Job;
  /** The last runs, the newest first; null if the server has no history. */
  runs?: JobRun[] | null;
  /** There may be runs before these. */
  hasEarlier?: boolean;
  /** The job that was created to run its statements once; it is there until it has run. */
  onceName?: string | undefined;
}

export const jobCalls = {
  ...itemCalls,
  edit: [],
  runNow: [],
  copyStatement: [],
  showEarlier: [],
  /** Opens the error of the run that was planned for a time. */
  openError: [v.string()],
} as const;
