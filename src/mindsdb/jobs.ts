// Jobs of a project: listing, creating and deleting, and their history. Seen on 26.1.0 and 25.14.1.
import * as v from "valibot";
import { cutOff } from "./cutText.ts";
import { decodeList, itemName, optionalText, readText } from "./decode.ts";
import { apiPath, type CallOptions, type Client } from "./http/client.ts";
import { responseLimits } from "./http/responseBody.ts";
import { omitUndefined } from "./json.ts";
import type { Job } from "./listItems.ts";
import { compareNames } from "./nameOrder.ts";
import type { ItemPlace } from "./references.ts";
import { enclosedSql } from "./sql/enclosedSql.ts";
import { quoteName, runSql } from "./sql/runSql.ts";
import { wholeSeconds } from "./wholeSeconds.ts";
import { readInSlices } from "./readInSlices.ts";

interface LastRun {
  lastRunAt: string;
  lastError?: string;
}

/** Runs of a project's jobs that are read to find the last one of each. */
const maxRuns = 1_000;
/** Characters of a run's error. */
const maxError = 2_000;

const jobRow = v.looseObject({
  name: itemName,
  query: v.fallback(v.string(), ""),
  if_query: optionalText,
  schedule_str: optionalText,
  start_at: optionalText,
  end_at: optionalText,
  next_run_at: optionalText,
});

/**
 * The jobs of a project, by name, with their last runs. One request if there are no jobs, otherwise two, and at times a
 * third for the server's clock.
 */
export async function listJobs(
  client: Client,
  project: string,
  options: CallOptions = {},
): Promise<Job[]> {
  const answer = await client.get(apiPath`/api/projects/${project}/jobs`, {
    limits: responseLimits.listing,
    ...options,
  });
  const rows = decodeList(jobRow, answer, client.secrets);
  const [runs, aheadMs] =
    rows.length > 0
      ? await Promise.all([readLastRuns(client, project, options), readClock(client, options)])
      : [];
  const jobs = await readInSlices(rows, (row): Job => {
    const { name, query, if_query: condition } = row;
    const [shown, shownCondition] = [query, condition ?? ""].map((sql) =>
      client.secrets.redact(sql),
    ) as [string, string];
    const isRedacted = shown !== query || shownCondition !== (condition ?? "");
    return omitUndefined({
      name,
      query: shown,
      condition: shownCondition || undefined,
      isRedacted: isRedacted || undefined,
      schedule: row.schedule_str || undefined,
      startAt: row.start_at || undefined,
      endAt: row.end_at || undefined,
      nextRunAt: row.next_run_at || undefined,
      ...locateRun(row.next_run_at, aheadMs),
      ...runs?.get(name),
    });
  });
  return jobs.sort((a, b) => compareNames(a.name, b.name));
}

/** Creates a job. Servers check its statements' syntax only, and run it at once if it has no start or one that has passed. */
export async function createJob(
  client: Client,
  project: string,
  job: Pick<Job, "name" | "query" | "schedule" | "startAt" | "endAt" | "condition">,
): Promise<void> {
  const { name, query, schedule, startAt, endAt, condition } = job;
  // The keys of both times must be there, and no others than these.
  const fields = {
    name,
    query,
    start_at: startAt === undefined ? null : wholeSeconds(startAt),
    end_at: endAt === undefined ? null : wholeSeconds(endAt),
    schedule_str: schedule ?? null,
    if_query: condition ?? null,
  };
  await client.post(apiPath`/api/projects/${project}/jobs`, { job: fields });
}

/** One run of a job. `plannedAt` is when it should have run. */
export interface JobRun {
  plannedAt: string;
  endedAt?: string;
  /** At most the first 2,000 characters. */
  error?: string;
  /** Of the whole error, if it has more. */
  errorLength?: number;
}

/** A run with its whole error, if it has a longer one. That may have secrets. */
export interface JobRunRead extends JobRun {
  wholeError?: string;
}

/** The last runs of a job, the newest first; also of one that was deleted. */
export async function readJobRuns(
  client: Client,
  { project, name }: ItemPlace,
  limit: number,
  options: CallOptions = {},
): Promise<JobRunRead[]> {
  const sql = `SELECT run_start, run_end, error FROM log.jobs_history WHERE project = :project AND name = :name ORDER BY run_start DESC LIMIT ${limit}`;
  const { rows } = await runSql(client, sql, {
    limits: responseLimits.listing,
    ...options,
    params: { project, name },
  });
  const runs = await readInSlices(rows, ([start, end, error]): JobRunRead[] => {
    const plannedAt = readText(start);
    if (plannedAt === undefined) return [];
    const whole = readText(error) ?? "";
    const run = {
      plannedAt,
      endedAt: readText(end),
      error: whole ? client.secrets.redact(cutOff(whole, maxError)) : undefined,
      ...(whole.length > maxError && { errorLength: whole.length, wholeError: whole }),
    };
    return [omitUndefined(run)];
  });
  return runs.flat();
}

/** Deletes a job. Throws AppError "sql" if there is none of this name. */
export async function deleteJob(client: Client, { project, name }: ItemPlace): Promise<void> {
  await runSql(client, `DROP JOB ${quoteName(project)}.${quoteName(name)}`);
}

/**
 * Statements stay as written: indenting their lines would change texts in quotes. What would end the brackets or quotes
 * around it is left out, with a placeholder for it.
 */
export function createJobStatement(project: string, job: Job): string {
  const { name, query, condition, schedule, startAt, endAt } = job;
  return [
    `CREATE JOB ${quoteName(project)}.${quoteName(name)} AS (\n${enclosedSql(query)}\n)`,
    ...(startAt === undefined ? [] : [`START '${formatTime(startAt)}'`]),
    ...(endAt === undefined ? [] : [`END '${formatTime(endAt)}'`]),
    ...(schedule === undefined ? [] : [formatSchedule(schedule)]),
    ...(condition === undefined ? [] : [`IF (\n${enclosedSql(condition)}\n)`]),
  ].join("\n");
}

function formatSchedule(schedule: string): string {
  const isPlain = /^every (?:[\w ]{1,64}|'[\w ]{1,64}')$/i.test(schedule);
  return isPlain ? schedule.replace(/^every\b/i, "EVERY") : "EVERY <interval>";
}

function formatTime(time: string): string {
  return /^[\d :.TZ+-]+$/.test(time) ? wholeSeconds(time) : "<time>";
}

/** By how many ms the servers' clocks are ahead of UTC here, and when that was read. */
const clocks = new WeakMap<Client, { aheadMs: number; readAt: number }>();
const maxClockAgeMs = 600_000;

/**
 * By how many ms the clock of the server, which writes the times of jobs without a zone, is ahead of this machine's time in
 * UTC; undefined if it does not tell. `localtimestamp` is its clock in its own time zone (seen on 26.1.0 and 25.14.1).
 */
export async function readClock(client: Client, options: CallOptions): Promise<number | undefined> {
  const known = clocks.get(client);
  if (known && Date.now() - known.readAt < maxClockAgeMs) return known.aheadMs;
  const answer = await runSql(client, "SELECT localtimestamp AS now", options).catch(
    () => undefined,
  );
  const readAt = Date.now();
  const aheadMs = parseTime(readText(answer?.rows[0]?.[0])) - readAt;
  if (!Number.isFinite(aheadMs)) return undefined;
  clocks.set(client, { aheadMs, readAt });
  return aheadMs;
}

/** When a job runs next by this machine's clock, and whether that time has passed. */
function locateRun(
  nextRunAt: string | undefined,
  aheadMs: number | undefined,
): Pick<Job, "nextRunMs" | "isDue"> {
  const nextRunMs = parseTime(nextRunAt) - (aheadMs ?? Number.NaN);
  if (!Number.isFinite(nextRunMs)) return {};
  return { nextRunMs, ...(nextRunMs < Date.now() ? { isDue: true } : {}) };
}

/** A time of the server as if it were UTC, in ms since 1970. */
function parseTime(text: string | undefined): number {
  return Date.parse(`${(text ?? "").replace(" ", "T").slice(0, 23)}Z`);
}

/**
 * The last run of each job. Errors stand in the history only, and `run_start` is the planned time. A server without a
 * history gives none.
 */
async function readLastRuns(
  client: Client,
  project: string,
  options: CallOptions,
): Promise<Map<string, LastRun>> {
  const sql = `SELECT name, run_start, error FROM log.jobs_history WHERE project = :project ORDER BY run_start DESC LIMIT ${maxRuns}`;
  const history = await runSql(client, sql, {
    limits: responseLimits.listing,
    ...options,
    params: { project },
  }).catch(() => undefined);
  const runs = new Map<string, LastRun>();
  // A server may ignore the limit.
  for (const [name, start, error] of history?.rows.slice(0, maxRuns) ?? []) {
    const [job, lastRunAt, lastError] = [readText(name), readText(start), readText(error)];
    if (job === undefined || lastRunAt === undefined || runs.has(job)) continue;
    runs.set(job, {
      lastRunAt,
      lastError: lastError ? client.secrets.redact(cutOff(lastError, maxError)) : undefined,
    });
  }
  return runs;
}
