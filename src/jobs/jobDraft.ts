// The draft of a job. Times are the server's, without a zone.
import * as v from "valibot";
import { wholeSeconds } from "../mindsdb/wholeSeconds.ts";
import type { Job } from "../mindsdb/listItems.ts";
import { omitUndefined } from "../mindsdb/json.ts";
import { formatJobTime, parseJobTime } from "./jobTimes.ts";

export const repeats = ["once", "hour", "day", "week", "month", "other"] as const;

export const jobDraft = v.object({
  project: v.string(),
  name: v.string(),
  query: v.string(),
  repeat: v.picklist(repeats),
  /** Like `30 minutes`, for the repeat `other`. */
  interval: v.string(),
  start: v.string(),
  end: v.string(),
  condition: v.string(),
});
export type JobDraft = v.InferOutput<typeof jobDraft>;

export type JobField = keyof JobDraft;

export function emptyJobDraft(project: string): JobDraft {
  const texts = { name: "", query: "", interval: "", start: "", end: "", condition: "" };
  return { project, ...texts, repeat: "day" };
}

/** The draft of a job that the server has. It starts at its next run, so that a change does not run it at once. */
export function draftOfJob(project: string, job: Job): JobDraft {
  const { name, query, condition = "", schedule, nextRunAt, startAt, endAt = "" } = job;
  const interval = schedule?.trim().replace(/^every\s+/i, "") ?? "";
  const unit = /^(?:1\s+)?(hour|day|week|month)s?$/i.exec(interval)?.[1]?.toLowerCase();
  const known = repeats.find((repeat) => repeat === unit);
  return {
    project,
    name,
    query,
    repeat: schedule === undefined ? "once" : (known ?? "other"),
    interval: schedule === undefined || known ? "" : interval,
    start: wholeSeconds(nextRunAt ?? startAt ?? ""),
    end: wholeSeconds(endAt),
    condition,
  };
}

/** The schedule as servers read it; undefined for a job that runs once. */
export function scheduleOf({ repeat, interval }: Pick<JobDraft, "repeat" | "interval">) {
  if (repeat === "once") return undefined;
  return `every ${repeat === "other" ? interval.trim().toLowerCase() : `1 ${repeat}`}`;
}

/** A time as servers take it; undefined for an empty field. */
function wholeTime(text: string): string | undefined {
  const ms = parseJobTime(text);
  return ms === undefined ? text.trim() || undefined : formatJobTime(ms);
}

/** The job of a draft. */
export function jobOfDraft(draft: JobDraft): Job {
  const { name, query, start, end, condition } = draft;
  const schedule = scheduleOf(draft);
  return omitUndefined({
    name,
    query: query.trim(),
    schedule,
    startAt: wholeTime(start),
    // A job that runs once has no end.
    endAt: schedule === undefined ? undefined : wholeTime(end),
    condition: condition.trim() || undefined,
  });
}
