// What may be wrong with the draft of a training, before it is sent and as a server reports it.
import * as l10n from "@vscode/l10n";
import { createNameProblemTexts } from "../shared/formTexts.ts";

export type TrainProblemKind = keyof ReturnType<typeof createTrainProblemTexts>;

/** Returns the sentences; `{0}` and `{1}` are a problem's values. */
export function createTrainProblemTexts() {
  return {
    nameMissing: l10n.t("Enter a name."),
    nameNotPlain: l10n.t("Use a name like {0}, which SQL finds too."),
    ...createNameProblemTexts(),
    projectGone: l10n.t("The project {0} no longer exists."),
    modelGone: l10n.t("{0} is no longer in {1}. It was deleted."),
    nothingTrained: l10n.t("{0} has no trained version to start from. Retrain it instead."),
    tableMissing: l10n.t("Choose a table."),
    selectMissing: l10n.t("Enter a SELECT statement."),
    selectNotOne: l10n.t("This is not exactly one SELECT statement."),
    selectWrites: l10n.t(
      "This statement may change data. Its rows are not shown before the training.",
    ),
    selectCosts: l10n.t(
      "This statement may cost money. Its rows are not shown before the training.",
    ),
    targetMissing: l10n.t("Choose the column to predict."),
    targetNotInData: l10n.t("The training rows have no column {0}."),
    engineMissing: l10n.t("Choose an engine."),
    engineUnknown: l10n.t("The server has no engine called {0}."),
    optionNotRead: l10n.t("Expected name = value: {0}"),
    optionNotSayable: l10n.t(
      "MindsDB's SQL cannot express this value (a negative number, or quotes and backslashes): {0}",
    ),
    optionIsField: l10n.t("{0} is a field of this form."),
    serverSays: l10n.t("The server says: {0}"),
  };
}
