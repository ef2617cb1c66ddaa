// Messages between the host and the page of the form that trains a model.
import * as v from "valibot";
import type { ProjectItem } from "../mindsdb/listItems.ts";
import { formRequests, type FieldNotice, type FormMessage } from "../shared/formFields.ts";
import type { PreviewRows } from "../tables/previewRows.ts";
import { trainDraft, trainForm, type TrainForm } from "./trainDraft.ts";
import type { TrainTexts } from "./trainTexts.ts";
import type { TrainField } from "./trainValidation.ts";

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
  /** The project that `items` are in. */
  project: string;
  items: ProjectItem[];
  engines: string[];
}

export type ToPage =
  | { type: "begin"; form: TrainForm; connection: string; texts: TrainTexts; locale: string }
  | { type: "loaded"; choices: TrainChoices }
  /** The first rows of what the draft selects: being read, read, not known, not read unasked, or an error. */
  | {
      type: "rows";
      isReading: boolean;
      rows?: PreviewRows;
      mayCost?: boolean;
      notice?: FieldNotice<TrainField>;
    }
  | { type: "picked"; table: string }
  | { type: "started"; training: StartedTraining }
  | FormMessage<TrainField | "form">;

export const toHost = v.variant("type", [
  ...formRequests,
  v.object({ type: v.literal("changed"), draft: trainDraft }),
  v.object({ type: v.literal("pickTable") }),
  v.object({ type: v.literal("loadRows") }),
  v.object({ type: v.literal("send"), draft: trainDraft }),
  v.object({ type: v.literal("copySql"), draft: trainDraft }),
  v.object({ type: v.literal("showModel") }),
  v.object({ type: v.literal("another") }),
]);
export type ToHost = v.InferOutput<typeof toHost>;
