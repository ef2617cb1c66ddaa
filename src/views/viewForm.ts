// State and calls of the form that creates or changes a view.
import * as l10n from "@vscode/l10n";
import * as v from "valibot";
import type { ProjectItem } from "../mindsdb/listItems.ts";
import { formCalls, type FormState } from "../shared/formPage.ts";
import type { PreviewRows } from "../tables/previewRows.ts";
import { viewDraft, type ViewField } from "./viewDraft.ts";

export const viewForm = v.object({
  id: v.string(),
  connectionId: v.string(),
  /** The view before the change; absent for a new one. */
  before: v.optional(viewDraft),
  draft: viewDraft,
  initial: viewDraft,
});
export type ViewForm = v.InferOutput<typeof viewForm>;

export interface ViewChoices {
  projects: string[];
  /** The items of all projects. */
  items: (ProjectItem & { project: string })[];
}

export interface ViewContent {
  choices?: ViewChoices | undefined;
  /** The first rows of the query `of`. */
  preview?: { of: string; rows: PreviewRows } | undefined;
  /** The request that runs only reads rows. */
  isPreviewing?: boolean;
}

export type ViewFormState = FormState<ViewForm, ViewField> & ViewContent;

export const viewFormCalls = {
  ...formCalls(viewDraft),
  preview: [viewDraft],
} as const;

export function viewFormTitle({ before }: Pick<ViewForm, "before">): string {
  return before ? l10n.t("Edit {0}", before.name) : l10n.t("Create View");
}
