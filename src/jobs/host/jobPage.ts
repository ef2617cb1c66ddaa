import * as vscode from "vscode";
import { commands, panels } from "../../ids.ts";
import { AppError, isAppError } from "../../mindsdb/errors.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import { createJob, createJobStatement, readJobRuns, type JobRunRead } from "../../mindsdb/jobs.ts";
import type { ItemRef } from "../../mindsdb/references.ts";
import { attempt } from "../../shared/host/attempt.ts";
import { executeCommand } from "../../shared/host/commands.ts";
import { ItemPage, type ItemPageOptions } from "../../shared/host/itemPage.ts";
import { showStatus } from "../../shared/host/notifications.ts";
import { OpenItemPages } from "../../shared/host/openItemPages.ts";
import { showText } from "../../shared/host/showText.ts";
import type { Handlers } from "../../shared/pageProtocol.ts";
import { jobCalls, type JobContent } from "../jobPage.ts";
import { usesLast } from "../validation.ts";
import { describeOnce, describeRedacted, findJob, onceNameOf } from "./jobServer.ts";

export const createJobPages = (options: ItemPageOptions) =>
  new OpenItemPages({
    ...options,
    viewType: panels.job,
    page: "job",
    icon: "job",
    calls: jobCalls,
    create: (job) => new JobPage(job, options),
  });

/** How often the page looks whether its statements were run, and for how long, in ms. */
const lookEvery = 5_000;
const maxLooks = 24;

/** How many runs the page has at first, and how many times as many it has each time that earlier ones are asked for. */
const firstRuns = 100;
const moreRuns = 10;

export class JobPage extends ItemPage<JobContent, typeof jobCalls> {
  readonly handlers: Handlers<typeof jobCalls>;
  readonly #options: ItemPageOptions;
  #nextLook: NodeJS.Timeout | undefined;
  #looks = 0;
  #maxRuns = firstRuns;
  /** The errors of which the page has only the beginning, by the times their runs were planned for. */
  #errors: ReadonlyMap<string, string> = new Map();

  constructor(item: ItemRef, options: ItemPageOptions) {
    super({ item, list: "jobs" }, {}, options);
    this.#options = options;
    this.handlers = {
      ...this.itemHandlers,
      edit: async () => {
        if (!this.isGone) await executeCommand(commands.jobEdit, item);
      },
      runNow: () => this.#runNow(),
      copyStatement: () => this.#copyStatement(),
      showEarlier: () => {
        this.#maxRuns *= moreRuns;
        return this.load();
      },
      openError: (plannedAt) => this.#openError(plannedAt),
    };
    void this.load();
  }

  override onClosed(): void {
    clearTimeout(this.#nextLook);
    super.onClosed();
  }

  protected override async read(client: Client, signal: AbortSignal): Promise<JobContent> {
    const { project, name } = this.item;
    const once = { project, name: onceNameOf(name) };
    const maxRuns = this.#maxRuns;
    const read = async (place: { project: string; name: string }): Promise<JobRunRead[] | null> =>
      readJobRuns(client, place, maxRuns, { signal }).catch((error: unknown) => {
        if (signal.aborted || !isAppError(error, "sql", "notFound", "refused")) throw error;
        return null;
      });
    const [job, waiting, own, others] = await Promise.all([
      findJob(client, this.item, signal),
      findJob(client, once, signal),
      read(this.item),
      read(once),
    ]);
    const errors = new Map<string, string>();
    const runs =
      own &&
      [...own, ...(others ?? [])]
        .sort((a, b) => b.plannedAt.localeCompare(a.plannedAt))
        .slice(0, maxRuns)
        .map(({ wholeError, ...run }) => {
          if (wholeError !== undefined) errors.set(run.plannedAt, wholeError);
          return run;
        });
    this.#errors = errors;
    const hasEarlier = runs?.length === maxRuns;
    const onceName = waiting?.name;
    if (onceName !== undefined) this.#lookLater();
    if (!job) {
      // Of a job that has run once, the history is all there is.
      this.state.update({ runs, hasEarlier, onceName });
      throw new AppError("notFound", name);
    }
    return { job, runs, hasEarlier, onceName };
  }

  protected override explainGone(error: unknown): string | undefined {
    const { name, project } = this.item;
    if (!isAppError(error, "notFound") || error.message !== name) return undefined;
    return vscode.l10n.t(
      "{0} is no longer in {1}. It was deleted, or it was scheduled to run once and has run.",
      name,
      project,
    );
  }

  async #runNow(): Promise<void> {
    const { job } = this.state.current;
    if (!job || this.isGone) return;
    const { connectionId, project } = this.item;
    const { servers } = this.#options;
    const name = onceNameOf(job.name);
    await attempt(this.#options, "Running a job", connectionId, async () => {
      if (job.isRedacted) throw new AppError("refused", describeRedacted(job.name));
      const isAllowed = await servers.allowWrite(connectionId, {
        what: vscode.l10n.t("Run the job {0} in {1} now", job.name, project),
        button: vscode.l10n.t("Run Now"),
        isAlwaysAsked: true,
        detail: [
          describeOnce(),
          ...(usesLast(job.query)
            ? [vscode.l10n.t("It has no stored values for LAST, so it may find no new rows.")]
            : []),
        ],
      });
      if (!isAllowed) return;
      const client = await servers.client(connectionId);
      const { query, condition } = job;
      await createJob(client, project, {
        name,
        query,
        ...(condition === undefined ? {} : { condition }),
      });
      showStatus(vscode.l10n.t("Created {0}", name));
      this.#looks = 0;
      await this.load();
    });
  }

  /** Looks again while the server has not run the statements; a server without a scheduler never does. */
  #lookLater(): void {
    clearTimeout(this.#nextLook);
    if (this.#looks >= maxLooks) return;
    this.#looks += 1;
    this.#nextLook = setTimeout(() => void this.load(), lookEvery);
    this.#nextLook.unref();
  }

  async #openError(plannedAt: string): Promise<void> {
    const { connectionId, name } = this.item;
    const error = this.#errors.get(plannedAt);
    if (error === undefined) return;
    const { secrets } = await this.#options.servers.client(connectionId);
    await showText(`${name.slice(0, 40)} error.txt`, secrets.redact(error));
  }

  async #copyStatement(): Promise<void> {
    const { job } = this.state.current;
    if (!job) return;
    await vscode.env.clipboard.writeText(createJobStatement(this.item.project, job));
    showStatus(vscode.l10n.t("Copied {0}", job.name), 3_000);
  }
}
