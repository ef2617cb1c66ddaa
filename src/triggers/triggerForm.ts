// State and calls of the form that creates a trigger.
import * as l10n from "@vscode/l10n";
import * as v from "valibot";
import { formCalls, type FormState } from "../shared/formPage.ts";
import { triggerDraft, type TriggerField } from "./triggerDraft.ts";

export const triggerForm = v.object({
  id: v.string(),
  connectionId: v.string(),
  draft: triggerDraft,
  initial: triggerDraft,
});
export type TriggerForm = v.InferOutput<typeof triggerForm>;

export interface TriggerChoices {
  projects: string[];
  /** The triggers of all projects; `table` is an entry. */
  triggers: { project: string; name: string; table: string }[];
  sources: { name: string; engine: string }[];
}

export interface TriggerContent {
  choices?: TriggerChoices | undefined;
}

export type TriggerFormState = FormState<TriggerForm, TriggerField> & TriggerContent;

export const triggerFormCalls = {
  ...formCalls(triggerDraft),
  /** Returns the entry of the table that the user picks. */
  pickTable: [],
} as const;

export function triggerFormTitle(): string {
  return l10n.t("Create Trigger");
}
