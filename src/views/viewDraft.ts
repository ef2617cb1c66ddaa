// The draft of a view. Its query is sent as it was typed.
import * as v from "valibot";

export const viewDraft = v.object({ project: v.string(), name: v.string(), query: v.string() });
export type ViewDraft = v.InferOutput<typeof viewDraft>;

export type ViewField = keyof ViewDraft;
