// All open forms that create or change a job. Imported with the first one.
import * as vscode from "vscode";
import { panels } from "../../ids.ts";
import type { ItemRef } from "../../mindsdb/references.ts";
import {
  FormPages,
  savedForm,
  targetOfItem,
  type FormPagesOptions,
} from "../../shared/host/formPages.ts";
import { emptyJobDraft, type JobDraft, type JobField } from "../jobDraft.ts";
import { jobForm, jobFormCalls, type JobContent, type JobForm } from "../jobForm.ts";
import { JobFormPage } from "./jobFormPage.ts";

interface JobFormsOptions extends FormPagesOptions {
  onSaved: (job: ItemRef) => void;
}

export class JobForms extends FormPages<
  JobForm,
  JobField,
  JobContent,
  Record<never, never>,
  JobFormPage
> {
  constructor(options: JobFormsOptions) {
    super(
      {
        viewType: panels.jobForm,
        page: "jobForm",
        icon: "job",
        calls: jobFormCalls,
        form: jobForm,
        pageState: savedForm(jobForm),
        targetOf: (form) => targetOfItem("job", form),
        changedSince: () => vscode.l10n.t("The job has been changed on the server since then."),
        create: (opened) =>
          new JobFormPage(opened, {
            ...options,
            onSaved: (page, job) => {
              options.onSaved(job);
              this.close(page);
            },
          }),
      },
      options,
    );
  }

  /** Opens a form for a new job in this project. */
  create(connectionId: string, project: string): void {
    const draft = emptyJobDraft(project);
    this.show({ id: crypto.randomUUID(), connectionId, draft, initial: draft }, {});
  }

  /** Opens the form of a job. */
  edit(connectionId: string, draft: JobDraft): void {
    const form = { id: crypto.randomUUID(), connectionId, before: draft, draft, initial: draft };
    this.show(form, {});
  }
}
