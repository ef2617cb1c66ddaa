// State and calls of the form that trains a model.
import * as l10n from "@vscode/l10n";
import * as v from "valibot";
import type { ProjectItem } from "../mindsdb/listItems.ts";
import { formCalls, type FormState, type Problem } from "../shared/formPage.ts";
import type { PreviewRows } from "../tables/previewRows.ts";
import { trainDraft, type TrainForm } from "./trainDraft.ts";
import type { TrainField } from "./trainValidation.ts";

export const startedTraining = v.object({
  project: v.string(),
  name: v.string(),
  version: v.number(),
});
export type StartedTraining = v.InferOutput<typeof startedTraining>;

export interface TrainChoices {
  projects: string[];
  /** The project that `items` are in. */
  project: string;
  items: ProjectItem[];
  engines: string[];
}

/** The first rows of what the draft selects. */
interface TrainingRows {
  isReading?: boolean;
  read?: PreviewRows | undefined;
  /** The rows are read only when the user asks for them. */
  mayCost?: boolean;
  problem?: Problem<TrainField>;
}

export interface TrainContent {
  choices?: TrainChoices | undefined;
  rows?: TrainingRows | undefined;
  started?: StartedTraining | undefined;
}

export type TrainState = FormState<TrainForm, TrainField> & TrainContent;

export const trainCalls = {
  ...formCalls(trainDraft),
  /** Returns the table that the user has picked. */
  pickTable: [],
  loadRows: [],
  /** Returns a status. */
  copySql: [trainDraft],
  showModel: [],
  another: [],
} as const;

export function trainTitle({ kind, draft }: Pick<TrainForm, "kind" | "draft">): string {
  switch (kind) {
    case "create":
      return l10n.t("Train Model");
    case "retrain":
      return l10n.t("Retrain {0}", draft.name);
    case "finetune":
      return l10n.t("Fine-Tune {0}", draft.name);
  }
}
