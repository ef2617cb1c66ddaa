// State and calls of the form that creates or changes a knowledge base.
import * as l10n from "@vscode/l10n";
import * as v from "valibot";
import { formCalls, type FormState } from "../../shared/formPage.ts";
import { knowledgeBaseDraft } from "./knowledgeBaseDraft.ts";
import type { Field, LoadedData } from "./validation.ts";
import { recordOf } from "../../mindsdb/recordOf.ts";

/** Which keys were typed, by the kind of their model. */
const hadKeys = recordOf(v.boolean());

export const knowledgeBaseForm = v.object({
  id: v.string(),
  connectionId: v.string(),
  before: v.optional(knowledgeBaseDraft),
  draft: knowledgeBaseDraft,
  initial: knowledgeBaseDraft,
  hadKeys: v.optional(hadKeys),
});
export type KnowledgeBaseForm = v.InferOutput<typeof knowledgeBaseForm>;

export interface FormContent {
  loaded?: LoadedData | undefined;
}

export type KnowledgeBaseFormState = FormState<KnowledgeBaseForm, Field> & FormContent;

export const knowledgeBaseFormCalls = {
  ...formCalls(knowledgeBaseDraft),
  /** Returns a status. */
  copySql: [knowledgeBaseDraft, hadKeys],
} as const;

export function formTitle({ before }: Pick<KnowledgeBaseForm, "before">): string {
  return before ? l10n.t("Edit {0}", before.name) : l10n.t("Create Knowledge Base");
}
