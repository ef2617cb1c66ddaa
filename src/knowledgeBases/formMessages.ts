// Messages between the host and the page of the form that creates or changes a knowledge base.
import * as v from "valibot";
import { formRequests, type FormMessage } from "../shared/formFields.ts";
import type { FormTexts } from "./form/formTexts.ts";
import { knowledgeBaseDraft } from "./form/knowledgeBaseDraft.ts";
import type { Field, LoadedData } from "./form/validation.ts";

/** Keys that were typed for a draft; they are not stored. */
const typedKeys = v.object({ embedding: v.boolean(), reranking: v.boolean() });
export type TypedKeys = v.InferOutput<typeof typedKeys>;

/** The initial data of a form, which the page saves. */
export const knowledgeBaseForm = v.object({
  /** Unique for every form, so that saved state is not applied to another one. */
  id: v.string(),
  connectionId: v.string(),
  /** The knowledge base before the change; absent for a new one. */
  before: v.optional(knowledgeBaseDraft),
  draft: knowledgeBaseDraft,
  /** The draft before any change by the user. */
  initial: knowledgeBaseDraft,
  hadKeys: v.optional(typedKeys),
});
export type KnowledgeBaseForm = v.InferOutput<typeof knowledgeBaseForm>;

/** The page's saved state, which survives hiding and a reload of the window. Never contains a key. */
export const pageState = v.object({
  form: knowledgeBaseForm,
  hadKeys: typedKeys,
  /** Pixels from the top. */
  scroll: v.number(),
});
export type PageState = v.InferOutput<typeof pageState>;

export type ToPage =
  | {
      type: "begin";
      form: KnowledgeBaseForm;
      connection: string;
      texts: FormTexts;
      locale: string;
    }
  | { type: "loaded"; data: LoadedData }
  | FormMessage<Field>;

export const toHost = v.variant("type", [
  ...formRequests,
  v.object({ type: v.literal("changed"), draft: knowledgeBaseDraft, hasKeys: typedKeys }),
  /** The only message that contains keys. */
  v.object({
    type: v.literal("send"),
    draft: knowledgeBaseDraft,
    keys: v.object({ embedding: v.string(), reranking: v.string() }),
  }),
  v.object({ type: v.literal("copy"), draft: knowledgeBaseDraft, hasKeys: typedKeys }),
]);
export type ToHost = v.InferOutput<typeof toHost>;
