// Jobs of the sample server. Due jobs run with the next request that shows jobs or their history.
import { formatTimestamp, type Job, type Relation, type State } from "../server/state.ts";
import { resolveName, type NameScope } from "../server/lookup.ts";
import { checkSyntax } from "../sql/checkSyntax.ts";
import { SqlError, tokenize } from "../sql/tokens.ts";
import type { NewJob } from "../sql/statements.ts";

/** Runs that the history keeps. */
const maxRuns = 200;

const unitMs = new Map([
  ["minute", 60_000],
  ["hour", 3_600_000],
  ["day", 86_400_000],
  ["week", 604_800_000],
  ["month", 2_592_000_000],
]);

function findJob(scope: NameScope, path: string[]) {
  const { name, owner, project } = resolveName(scope, path);
  if (!project) throw new SqlError(`Project not found: ${owner}`);
  const known = scope.state.jobs.find((job) => job.name === name && job.project === project.name);
  return { name, project: project.name, known };
}

/** Throws SqlError if there is no such job. */
export function dropJob(scope: NameScope, path: string[]): undefined {
  const { name, known } = findJob(scope, path);
  if (!known) throw new SqlError(`Job not exists: ${name}`);
  scope.state.jobs = scope.state.jobs.filter((job) => job !== known);
}

/** Throws SqlError if the job is there already or will not do. */
export function createJob(scope: NameScope, statement: NewJob): undefined {
  const { state } = scope;
  const { name, project, known } = findJob(scope, statement.path);
  if (known) throw new SqlError(`Job already exists: ${name}`);
  const { query, end = null, schedule = null, condition = null } = statement;
  const { start = formatTimestamp() } = statement;
  if (schedule !== null && readPeriod(schedule) === undefined) {
    throw new SqlError(`Unknown period: ${schedule}`);
  }
  for (const sql of [query, condition ?? ""].flatMap(splitStatements)) checkSyntax(sql);
  const wrong = [start, end ?? start].find((time) => Number.isNaN(Date.parse(`${time}Z`)));
  if (wrong !== undefined) throw new SqlError(`Wrong date format: ${wrong}`);
  if (end !== null && end < start) throw new SqlError(`Wrong end date ${start} > ${end}`);
  state.jobs.push({
    id: Math.max(0, ...state.jobs.map(({ id }) => id)) + 1,
    name,
    project,
    query,
    if_query: condition,
    start_at: start,
    end_at: end,
    next_run_at: start,
    schedule_str: schedule,
    variables: [],
  });
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
    else job.next_run_at = formatTimestamp(now + period - ((now - planned) % period));
    let error: string | null = null;
    try {
      for (const sql of splitStatements(job.query)) run(job, sql);
    } catch (thrown) {
      error = (thrown as Error).message;
    }
    const { name, project, query } = job;
    state.jobRuns.push({
      name,
      project,
      run_start: runStart,
      run_end: formatTimestamp(now),
      error,
      query,
    });
  }
  state.jobRuns = state.jobRuns.slice(-maxRuns);
}

/** `log.jobs_history`. */
export function listRuns({ jobRuns }: State): Relation {
  const columns = ["name", "project", "run_start", "run_end", "error", "query"] as const;
  return { columns: [...columns], rows: jobRuns.map((run) => columns.map((name) => run[name])) };
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
