// Messages between the host and the page of the form that trains a model.
import * as v from "valibot";
import {
  formRequests,
  type FieldNotice,
  type FormFrameTexts,
  type FormMessage,
} from "../shared/formFields.ts";
import type { PreviewRows } from "../tables/previewRows.ts";
import type { TrainDraft } from "./trainDraft.ts";
import type { TrainField, TrainProblemKind } from "./trainValidation.ts";

const trainDraft: v.GenericSchema<TrainDraft> = v.object({
  project: v.string(),
  name: v.string(),
  source: v.picklist(["table", "select", "same"]),
  table: v.string(),
  select: v.string(),
  target: v.string(),
  engine: v.string(),
  options: v.string(),
  activates: v.boolean(),
});

export const trainForm = v.object({
  /** Unique for every form. */
  id: v.string(),
  connectionId: v.string(),
  kind: v.picklist(["create", "retrain", "finetune"]),
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

const startedTraining = v.object({
  project: v.string(),
  name: v.string(),
  version: v.number(),
});
export type StartedTraining = v.InferOutput<typeof startedTraining>;

export const trainState = v.object({
  form: trainForm,
  started: v.nullish(startedTraining),
  /** Pixels from the top. */
  scroll: v.number(),
});
export type TrainState = v.InferOutput<typeof trainState>;

export interface TrainChoices {
  projects: string[];
  /** The project that `models` is of. */
  project: string;
  models: string[];
  engines: string[];
}

export type ToPage =
  | { type: "begin"; form: TrainForm; connection: string; texts: TrainTexts; locale: string }
  | { type: "loaded"; choices: TrainChoices }
  /** The first rows of what the draft selects: being read, read, not known, or an error. */
  | { type: "rows"; isReading: boolean; rows?: PreviewRows; notice?: FieldNotice<TrainField> }
  | { type: "picked"; table: string }
  | { type: "started"; training: StartedTraining }
  | FormMessage<TrainField | "form">;

export const toHost = v.variant("type", [
  ...formRequests,
  v.object({ type: v.literal("changed"), draft: trainDraft }),
  v.object({ type: v.literal("pickTable") }),
  v.object({ type: v.literal("send"), draft: trainDraft }),
  v.object({ type: v.literal("copySql"), draft: trainDraft }),
  v.object({ type: v.literal("showModel") }),
  v.object({ type: v.literal("another") }),
]);
export type ToHost = v.InferOutput<typeof toHost>;

/** The page's texts, translated by the host. `{0}` and `{1}` are filled in by the page. */
export interface TrainTexts extends FormFrameTexts<TrainField, TrainProblemKind> {
  sources: Record<TrainDraft["source"], string>;
  chooseTable: string;
  noTable: string;
  query: string;
  uses: { yes: string; no: string };
  rows: string;
  readingRows: string;
  noRows: string;
  firstRows: string;
  chooseColumn: string;
  /** `{0}` is the model, `{1}` the version. */
  started: string;
  startedNote: string;
  showModel: string;
  another: string;
}
