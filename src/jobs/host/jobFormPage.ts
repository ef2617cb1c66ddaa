import * as vscode from "vscode";
import { commands } from "../../ids.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import { createJob } from "../../mindsdb/jobs.ts";
import type { Job } from "../../mindsdb/listItems.ts";
import type { ItemRef } from "../../mindsdb/references.ts";
import { bindCommand } from "../../shared/host/commands.ts";
import {
  FormPage,
  ProblemError,
  type FormPageOptions,
  type OpenedForm,
} from "../../shared/host/formPage.ts";
import type { Problem } from "../../shared/formPage.ts";
import { describeGone } from "../../shared/itemGone.ts";
import { jobOfDraft, type JobDraft, type JobField } from "../jobDraft.ts";
import { jobFormTitle, type JobContent, type JobForm } from "../jobForm.ts";
import { findJobProblem, validateJob } from "../validation.ts";
import {
  compareWithStored,
  describeRedacted,
  findJob,
  loadJobChoices,
  replaceJob,
  ReplaceJobError,
} from "./jobServer.ts";

export interface JobFormOptions extends FormPageOptions {
  /** The job was created or changed. */
  onSaved: (job: ItemRef) => void;
}

type NoMore = Record<never, never>;

export class JobFormPage extends FormPage<JobForm, JobField, JobContent, NoMore> {
  readonly handlers = this.formHandlers as JobFormPageHandlers;
  readonly #options: JobFormOptions;
  /** The old job, if it may have been deleted and nothing has taken its place. */
  #lost: Job | undefined;

  constructor(opened: OpenedForm<JobForm, JobContent>, options: JobFormOptions) {
    super(opened, options);
    this.#options = options;
    if (!opened.content.choices) void this.load();
  }

  get title(): string {
    return jobFormTitle(this.form);
  }

  protected override async send(
    draft: JobDraft,
    _: unknown,
    signal: AbortSignal,
  ): Promise<undefined> {
    const { servers, onSaved } = this.#options;
    const { connectionId } = this;
    const { before } = this.form;
    const { project, name } = draft;
    const client = await servers.client(connectionId);
    await (before
      ? this.#replace(client, before, draft, signal)
      : this.#create(client, draft, signal));
    this.closeSaved(name);
    onSaved({ connectionId, project, name });
  }

  protected override findProblem(error: unknown, draft: JobDraft): Problem<JobField> | undefined {
    return findJobProblem(error, draft);
  }

  async #create(client: Client, draft: JobDraft, signal: AbortSignal): Promise<void> {
    const { servers } = this.#options;
    const { project, name } = draft;
    // The form's choices may be old.
    const choices = await loadJobChoices(servers, this.connectionId, signal);
    const now = Date.now() + (choices.aheadMs ?? 0);
    const taken = validateJob(draft, { choices, before: undefined, now }).find(
      ({ field }) => field === "name",
    );
    if (taken) throw new ProblemError<JobField>(taken);
    await this.allowWrite(
      {
        what: vscode.l10n.t("Create the job {0} in {1}", name, project),
        button: vscode.l10n.t("Create"),
        detail: vscode.l10n.t(
          "The server runs its statements automatically, even when you are away.",
        ),
      },
      signal,
    );
    await createJob(client, project, jobOfDraft(draft));
  }

  async #replace(
    client: Client,
    before: JobDraft,
    draft: JobDraft,
    signal: AbortSignal,
  ): Promise<void> {
    const { project, name } = before;
    const stored = await findJob(client, before, signal);
    const news = compareWithStored(before, stored);
    const job = { ...jobOfDraft(draft), name: stored?.name ?? name };
    if (!stored && !this.#lost) {
      throw new ProblemError<JobField>({ field: "form", text: describeGone(before) });
    }
    if (stored?.isRedacted) {
      throw new ProblemError<JobField>({ field: "form", text: describeRedacted(stored.name) });
    }
    await this.allowWrite(
      {
        what: vscode.l10n.t("Change the job {0} in {1}", name, project),
        button: vscode.l10n.t("Save"),
        isAlwaysAsked: news === "changed",
        detail: [
          vscode.l10n.t(
            "The server can't change a job, so it is deleted and created again. Its history stays.",
          ),
          ...(news === "changed"
            ? [
                vscode.l10n.t(
                  "The job was changed on the server while this form was open. Saving overwrites that change.",
                ),
              ]
            : []),
        ],
      },
      signal,
    );
    // From here on it is not canceled half way. The answer to the deletion may not arrive.
    this.#lost = stored ?? this.#lost;
    if (!stored) await createJob(client, project, job);
    else await this.#replaceStored(client, project, { old: stored, job }, draft);
    this.#lost = undefined;
  }

  async #replaceStored(
    client: Client,
    project: string,
    jobs: { old: Job; job: Job },
    draft: JobDraft,
  ): Promise<void> {
    try {
      await replaceJob(client, project, jobs);
    } catch (error) {
      if (!(error instanceof ReplaceJobError)) throw error;
      const problem =
        findJobProblem(error.cause, draft) ?? this.explain(error.cause, "form", "Saving a job");
      if (error.isRestored) {
        this.#lost = undefined;
        const text = vscode.l10n.t("{0} The previous job was restored.", problem.text);
        throw new ProblemError<JobField>({ ...problem, text });
      }
      const { old } = jobs;
      const text = vscode.l10n.t(
        "The old job was deleted, and the new one could not be created: {0} Save again, or create the old one from its statement.",
        problem.text,
      );
      const action = this.offer(
        bindCommand(commands.explorerShowStatement, vscode.l10n.t("Show Statement"), {
          connectionId: this.connectionId,
          inProject: { project, group: "jobs" },
          job: old,
        }),
      );
      throw new ProblemError<JobField>({ field: "form", text, action });
    }
  }

  protected override load(): Promise<void> {
    const { servers } = this.#options;
    return this.loadContent(async (signal) => ({
      choices: await loadJobChoices(servers, this.connectionId, signal),
    }));
  }
}

type JobFormPageHandlers = FormPage<JobForm, JobField, JobContent, NoMore>["handlers"];
