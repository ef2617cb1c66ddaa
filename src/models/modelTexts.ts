import * as l10n from "@vscode/l10n";
import type { TrainingProgress } from "../mindsdb/training.ts";

export type ModelTexts = ReturnType<typeof createModelTexts>;

/** The page fills in `{0}`, `{1}` and `{2}`. */
export function createModelTexts() {
  return {
    place: l10n.t("Model in {0} on {1}"),
    version: l10n.t("Version"),
    versionChoice: l10n.t("version {0} · {1}"),
    versionChoiceActive: l10n.t("version {0} · {1} · active"),
    refresh: l10n.t("Refresh"),
    predict: l10n.t("Predict…"),
    whatIf: l10n.t("What If…"),
    asking: l10n.t("Asking the server about this model. Older servers take up to a minute."),

    status: l10n.t("Status"),
    target: l10n.t("Predicts"),
    accuracy: l10n.t("Accuracy"),
    engine: l10n.t("Engine"),

    trainingFailed: l10n.t("Training failed"),
    wholeError: l10n.t("Show the whole error"),
    training: l10n.t("Training in progress. This page updates when it finishes."),
    silence: {
      training: l10n.t("Figures and columns are known once the model is trained."),
      trainingFailed: l10n.t("A model that was not trained has no figures and no columns."),
      nothing: l10n.t("The engine of this model provides no figures and no columns."),
      failed: l10n.t("The engine could not describe the model: {0}"),
    },

    importances: l10n.t("Column importances"),
    importance: l10n.t("Importance"),
    importancesHint: l10n.t("How much each input column contributes to the prediction."),
    inputs: l10n.t("Inputs"),
    outputs: l10n.t("Outputs"),
    column: l10n.t("Column"),
    type: l10n.t("Type"),
    encoder: l10n.t("Encoder"),
    stages: l10n.t("Stages"),
    details: l10n.t("Training"),
    query: l10n.t("Training query"),
    queryHint: l10n.t("It runs on the data source that the model was trained from."),
    options: l10n.t("Training options"),
    created: l10n.t("Created"),
    trainedIn: l10n.t("Trained in"),
    seconds: l10n.t("{0} s"),
    update: l10n.t("Update"),
    serverVersion: l10n.t("Trained on MindsDB"),
    attribute: l10n.t("Engine details: {0}"),
    otherAttribute: l10n.t("Attribute"),
    otherAttributeHint: l10n.t("Some servers support more attributes than they list."),
    describe: l10n.t("Describe"),
    noRows: l10n.t("No data."),
    copy: l10n.t("Copy"),
    copyQuery: l10n.t("Copy Query"),
    copyOptions: l10n.t("Copy Options"),
    copyError: l10n.t("Copy Error"),
    openQuery: l10n.t("Open Query in Editor"),
  };
}

export function formatTrainingProgress({ version, seconds, stage }: TrainingProgress): string {
  if (!stage) return l10n.t("Version {0}: {1} s.", version, seconds);
  const { number, of, name } = stage;
  return l10n.t("Version {0}: stage {1} of {2} ({3}), {4} s.", version, number, of, name, seconds);
}
