// The state of the form that creates or changes a job, and its calls to its host.
import * as l10n from "@vscode/l10n";
import * as v from "valibot";
import { formCalls, type FormState } from "../shared/formPage.ts";
import { jobDraft, type JobField } from "./jobDraft.ts";

export const jobForm = v.object({
  id: v.string(),
  connectionId: v.string(),
  /** The job before the change; absent for a new one. */
  before: v.optional(jobDraft),
  draft: jobDraft,
  initial: jobDraft,
});
export type JobForm = v.InferOutput<typeof jobForm>;

export interface JobChoices {
  projects: string[];
  jobs: { project: string; name: string }[];
  /** By how many ms the server's clock is ahead of UTC here; absent if it does not tell. */
  aheadMs?: number | undefined;
  /** A job that should have run: the scheduler may be off. */
  overdue?: { project: string; name: string; since: string } | undefined;
}

export interface JobContent {
  choices?: JobChoices | undefined;
}

export type JobFormState = FormState<JobForm, JobField> & JobContent;

export const jobFormCalls = formCalls(jobDraft);

export function jobFormTitle({ before }: Pick<JobForm, "before">): string {
  return before ? l10n.t("Edit {0}", before.name) : l10n.t("Create Job");
}
