// The requests of a job's form and page.
import * as vscode from "vscode";
import type { ServerAccess } from "../../shared/connection.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import { inParallel } from "../../mindsdb/http/inParallel.ts";
import { createJob, deleteJob, listJobs, readClock } from "../../mindsdb/jobs.ts";
import type { Job } from "../../mindsdb/listItems.ts";
import { isSameName } from "../../mindsdb/nameOrder.ts";
import { listProjects } from "../../mindsdb/projects.ts";
import type { ItemPlace } from "../../mindsdb/references.ts";
import { wholeSeconds } from "../../mindsdb/wholeSeconds.ts";
import { draftOfJob, type JobDraft } from "../jobDraft.ts";
import type { JobChoices } from "../jobForm.ts";

/** How late a job can be on a server whose scheduler runs, in ms: it looks every 40 s, and one job after the other. */
const maxDelayMs = 5 * 60_000;

/** The projects and their jobs, and the server's clock. Throws AppError. */
export async function loadJobChoices(
  servers: ServerAccess,
  connectionId: string,
  signal?: AbortSignal,
): Promise<JobChoices> {
  const client = await servers.client(connectionId);
  const projects = await listProjects(client, { signal });
  const [lists, aheadMs] = await Promise.all([
    inParallel(projects, async ({ name: project }) => {
      const jobs = await listJobs(client, project, { signal }).catch((): Job[] => []);
      return jobs.map((job) => ({ ...job, project }));
    }),
    readClock(client, { signal }),
  ]);
  const jobs = lists.flat();
  const late = jobs.find(({ nextRunMs = Infinity }) => nextRunMs < Date.now() - maxDelayMs);
  return {
    projects: projects.map(({ name }) => name),
    jobs: jobs.map(({ project, name }) => ({ project, name })),
    aheadMs,
    overdue: late && {
      project: late.project,
      name: late.name,
      since: wholeSeconds(late.nextRunAt ?? ""),
    },
  };
}

/** A job as the server has it now; undefined if there is none. The name is case-insensitive. */
export async function findJob(
  client: Client,
  { project, name }: ItemPlace,
  signal?: AbortSignal,
): Promise<Job | undefined> {
  const jobs = await listJobs(client, project, { signal });
  return jobs.find((job) => job.name === name) ?? jobs.find((job) => isSameName(job.name, name));
}

/** Why a job could not be replaced, and whether the old one is there. */
export class ReplaceJobError extends Error {
  readonly isRestored: boolean;

  constructor(cause: unknown, isRestored: boolean) {
    super("The job could not be replaced", { cause });
    this.isRestored = isRestored;
  }
}

/** Replaces a job, which servers cannot change. If they refuse the new one, the old one is created again. */
export async function replaceJob(
  client: Client,
  project: string,
  { old, job }: { old: Job; job: Job },
): Promise<void> {
  await deleteJob(client, { project, name: old.name });
  try {
    await createJob(client, project, job);
  } catch (error) {
    // Without an answer, the new job may have been created.
    if (await findJob(client, { project, name: job.name }).catch(() => undefined)) return;
    const isRestored = await createJob(client, project, asRestored(old)).then(
      () => true,
      () => false,
    );
    throw new ReplaceJobError(error, isRestored);
  }
}

/** The old job with its next run as start: another time would run it at once. */
function asRestored(old: Job): Job {
  const { startAt } = old;
  const nextRunAt = old.nextRunAt ?? startAt;
  return { ...old, ...(nextRunAt === undefined ? {} : { startAt: nextRunAt }) };
}

/** Compares the job on the server with the one that the form was opened with. */
export function compareWithStored(
  before: JobDraft,
  stored: Job | undefined,
): "same" | "changed" | "gone" {
  if (!stored) return "gone";
  const now = draftOfJob(before.project, stored);
  const isSame =
    now.query === before.query &&
    now.condition === before.condition &&
    now.repeat === before.repeat &&
    now.interval === before.interval &&
    now.end === before.end;
  return isSame ? "same" : "changed";
}

/** The name of the job that runs another one's statements once. */
export function onceNameOf(name: string): string {
  return `${name}_run_now`;
}

/** Says why a job cannot be created from what was read of it. */
export function describeRedacted(name: string): string {
  return vscode.l10n.t(
    "The statements of {0} contain a secret that is hidden here, so it can't be created from them. Delete the job and create it again with the secret.",
    name,
  );
}

export function describeOnce(): string {
  return vscode.l10n.t(
    "MindsDB has no command to run a job. A second job without a schedule is created, which the server runs at its next check, within a minute, and then deletes.",
  );
}
