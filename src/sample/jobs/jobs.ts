// Jobs of the sample server. Due jobs run with the next request that shows jobs or their history.
import { formatTimestamp, type Relation, type State } from "../server/state.ts";
import { SqlError, tokenize } from "../sql/tokens.ts";
import type { JobStatement } from "../sql/statements.ts";
import type { Job } from "./job.ts";

/** Runs that the history keeps. */
const maxRuns = 200;

const unitMs = new Map([
  ["minute", 60_000],
  ["hour", 3_600_000],
  ["day", 86_400_000],
  ["week", 604_800_000],
  ["month", 2_592_000_000],
]);

/** Creates or drops a job; `database` is the project of a name without one. Throws SqlError. */
export function runJobStatement(state: State, database: string, statement: JobStatement): void {
  const { path, isTolerant } = statement;
  const name = path.at(-1) ?? "";
  const project = (path.length > 1 ? path[0]! : database).toLowerCase();
  const known = state.jobs.find((job) => job.name === name && job.project === project);
  if (statement.kind === "dropJob") {
    if (!known && !isTolerant) throw new SqlError(`Job not exists: ${name}`);
    state.jobs = state.jobs.filter((job) => job !== known);
    return;
  }
  if (!state.projects.some((one) => one.name === project)) {
    throw new SqlError(`Project not found: ${project}`);
  }
  const job = createJob(state, { name, project }, statement);
  if (known && !isTolerant) throw new SqlError(`Job already exists: ${name}`);
  if (!known) state.jobs.push(job);
}

/** Runs the jobs that are due; `run` runs one statement. */
export function runDueJobs(state: State, run: (job: Job, sql: string) => void): void {
  const now = Date.now();
  for (const job of state.jobs) {
    const planned = Date.parse(`${job.next_run_at}Z`);
    if (planned > now) continue;
    const runStart = job.next_run_at;
    const period = readPeriod(job.schedule_str);
    const isOver = period === undefined || (job.end_at !== null && job.next_run_at >= job.end_at);
    // Before it runs, so that its own statements do not start it again.
    if (isOver) state.jobs = state.jobs.filter((one) => one !== job);
    else job.next_run_at = toTime(now + period - ((now - planned) % period));
    const error = findError(() => {
      for (const sql of splitStatements(job.query)) run(job, sql);
    });
    const { name, project, query } = job;
    state.jobRuns.push({ name, project, run_start: runStart, run_end: toTime(now), error, query });
  }
  state.jobRuns = state.jobRuns.slice(-maxRuns);
}

/** `log.jobs_history`. */
export function listRuns({ jobRuns }: State): Relation {
  const columns = ["name", "project", "run_start", "run_end", "error", "query"] as const;
  return {
    columns: [...columns],
    rows: jobRuns.map((run) => columns.map((column) => run[column])),
  };
}

function createJob(
  { jobs }: State,
  names: { name: string; project: string },
  statement: Extract<JobStatement, { kind: "createJob" }>,
): Job {
  const {
    query,
    start = toTime(Date.now()),
    end = null,
    schedule = null,
    condition = null,
  } = statement;
  if (schedule !== null && readPeriod(schedule) === undefined) {
    throw new SqlError(`Unknown period: ${schedule}`);
  }
  const wrong = [start, end ?? start].find((time) => Number.isNaN(Date.parse(`${time}Z`)));
  if (wrong !== undefined) throw new SqlError(`Wrong date format: ${wrong}`);
  return {
    id: Math.max(0, ...jobs.map(({ id }) => id)) + 1,
    ...names,
    query,
    if_query: condition,
    start_at: start,
    end_at: end,
    next_run_at: start,
    schedule_str: schedule,
    variables: [],
  };
}

/** Milliseconds between two runs; undefined for a job that runs once. */
function readPeriod(schedule: string | null): number | undefined {
  const [, count = "1", unit = ""] =
    /^every (?:(\d{1,4}) )?([a-z]+?)s?$/i.exec(schedule ?? "") ?? [];
  const length = unitMs.get(unit.toLowerCase());
  return length === undefined ? undefined : Math.max(1, Number(count)) * length;
}

function splitStatements(sql: string): string[] {
  const ends = tokenize(sql).filter(({ text, kind }) => text === ";" || kind === "end");
  const statements = ends.map(({ at }, i) => sql.slice(i === 0 ? 0 : ends[i - 1]!.at + 1, at));
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== "");
}

function findError(run: () => void): string | null {
  try {
    run();
    return null;
  } catch (error) {
    if (error instanceof SqlError) return error.message;
    throw error;
  }
}

function toTime(ms: number): string {
  return formatTimestamp(new Date(ms));
}
