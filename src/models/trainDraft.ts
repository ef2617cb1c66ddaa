// The draft of a training: a new model, or a new version of one.
import * as v from "valibot";
import { formatEntry, splitEntry } from "../mindsdb/dataPatterns.ts";
import { omitTypedSecrets } from "../shared/typedSecrets.ts";
import { omitKeys } from "./optionLines.ts";

export const trainDraft = v.object({
  project: v.string(),
  name: v.string(),
  /** `same`: the query of the version before. */
  source: v.picklist(["table", "select", "same"]),
  /** As `formatEntry` writes it, with the data source. */
  table: v.string(),
  select: v.string(),
  target: v.string(),
  engine: v.string(),
  /** One `name = value` a line. */
  options: v.string(),
  /** Whether the new version is used when it is trained. */
  activates: v.boolean(),
});
export type TrainDraft = v.InferOutput<typeof trainDraft>;

/** A new model, a new version, or a new version that continues another one. */
const trainKind = v.picklist(["create", "retrain", "finetune"]);
export type TrainKind = v.InferOutput<typeof trainKind>;

/** The initial data of a form, which the page saves. */
export const trainForm = v.object({
  /** Unique for every form. */
  id: v.string(),
  connectionId: v.string(),
  kind: trainKind,
  /** The version that is retrained or trained further. */
  version: v.optional(v.number()),
  query: v.optional(v.string()),
  /** Options of that version are not shown, because they hold secrets. */
  hasHidden: v.optional(v.boolean()),
  draft: trainDraft,
  /** The draft before any change by the user. */
  initial: trainDraft,
});
export type TrainForm = v.InferOutput<typeof trainForm>;

/** The draft without API keys among its options and in its other texts: drafts are stored. */
export function omitTypedKeys(draft: TrainDraft, unchanged?: object): TrainDraft {
  const options = omitKeys(draft.options);
  return omitTypedSecrets(options === draft.options ? draft : { ...draft, options }, unchanged);
}

export function emptyTrainDraft(project: string): TrainDraft {
  return {
    project,
    name: "",
    source: "table",
    table: "",
    select: "",
    target: "",
    engine: "",
    options: "",
    activates: true,
  };
}

/** The name of a table below its data source, as references have it, with the data source. */
export function tableEntry({ project, name }: { project: string; name: string }): string {
  return formatEntry([project, ...splitEntry(name)]);
}
