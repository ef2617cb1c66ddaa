// Jobs of a project: listing and deleting. Seen on 26.1.0 and 25.14.1.
import * as v from "valibot";
import { decodeList, optionalText, readText } from "./decode.ts";
import { apiPath, type CallOptions, type Client } from "./http/client.ts";
import { omitUndefined } from "./json.ts";
import type { Job } from "./listItems.ts";
import { compareNames } from "./nameOrder.ts";
import type { ItemPlace } from "./references.ts";
import { quoteName, runSql } from "./sql/runSql.ts";

interface LastRun {
  lastRunAt: string;
  lastError?: string;
}

/** Runs of a project's jobs that are read to find the last one of each. */
const maxRuns = 1_000;

const jobRow = v.looseObject({
  name: v.string(),
  query: v.fallback(v.string(), ""),
  if_query: optionalText,
  schedule_str: optionalText,
  start_at: optionalText,
  end_at: optionalText,
  next_run_at: optionalText,
});

/** The jobs of a project, by name, with their last runs. Two requests, one if there are no jobs. */
export async function listJobs(
  client: Client,
  project: string,
  options: CallOptions = {},
): Promise<Job[]> {
  const answer = await client.get(apiPath`/api/projects/${project}/jobs`, options);
  const rows = decodeList(jobRow, answer, client.secrets);
  const runs = rows.length > 0 ? await readLastRuns(client, project, options) : undefined;
  return rows
    .map((row): Job => {
      const { name, query, if_query: condition } = row;
      return omitUndefined({
        name,
        query: client.secrets.redact(query),
        condition: condition ? client.secrets.redact(condition) : undefined,
        schedule: row.schedule_str || undefined,
        startAt: row.start_at || undefined,
        endAt: row.end_at || undefined,
        nextRunAt: row.next_run_at || undefined,
        ...runs?.get(name),
      });
    })
    .sort((a, b) => compareNames(a.name, b.name));
}

/** Deletes a job. Throws AppError "sql" if there is none of this name. */
export async function deleteJob(client: Client, { project, name }: ItemPlace): Promise<void> {
  await runSql(client, `DROP JOB ${quoteName(project)}.${quoteName(name)}`);
}

/** Statements stay as written: indenting their lines would change texts in quotes. */
export function createJobStatement(project: string, job: Job): string {
  const { name, query, condition, schedule, startAt, endAt } = job;
  return [
    `CREATE JOB ${quoteName(project)}.${quoteName(name)} AS (\n${query.trim()}\n)`,
    ...(startAt === undefined ? [] : [`START '${wholeSeconds(startAt)}'`]),
    ...(endAt === undefined ? [] : [`END '${wholeSeconds(endAt)}'`]),
    ...(schedule === undefined ? [] : [schedule.replace(/^every\b/i, "EVERY")]),
    ...(condition === undefined ? [] : [`IF (\n${condition.trim()}\n)`]),
  ].join("\n");
}

/** A time of the server without its fraction. */
export function wholeSeconds(time: string): string {
  return time.replace(/\.\d+$/, "");
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
  const params = { project };
  const history = await runSql(client, sql, { ...options, params }).catch(() => undefined);
  const runs = new Map<string, LastRun>();
  for (const [name, start, error] of history?.rows ?? []) {
    const [job, lastRunAt, lastError] = [readText(name), readText(start), readText(error)];
    if (job === undefined || lastRunAt === undefined || runs.has(job)) continue;
    runs.set(job, {
      lastRunAt,
      lastError: lastError ? client.secrets.redact(lastError) : undefined,
    });
  }
  return runs;
}
