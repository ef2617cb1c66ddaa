// All open forms that create or change a job. Imported with the first one.
import { panels } from "../../ids.ts";
import {
  FormPages,
  newItemForm,
  savedForm,
  storedItemForm,
  targetOfItem,
  type FormPagesOptions,
} from "../../shared/host/formPages.ts";
import { emptyJobDraft, type JobDraft, type JobField } from "../jobDraft.ts";
import { jobForm, jobFormCalls, type JobContent, type JobForm } from "../jobForm.ts";
import { JobFormPage, type JobFormOptions } from "./jobFormPage.ts";

type JobFormsOptions = FormPagesOptions & JobFormOptions;

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
        create: (opened) => new JobFormPage(opened, options),
      },
      options,
    );
  }

  /** Opens a form for a new job in this project. */
  create(connectionId: string, project: string): void {
    const draft = emptyJobDraft(project);
    this.show(newItemForm(connectionId, draft), {});
  }

  /** Opens the form of a job. */
  edit(connectionId: string, draft: JobDraft): void {
    this.show(storedItemForm(connectionId, draft), {});
  }
}
