// The result's words, in the user's language.
import * as vscode from "vscode";
import type { ResultTexts } from "../messages.ts";

/** Sent with each result: a renderer has no host to ask when a notebook is opened again. */
export function resultTexts(): ResultTexts {
  const { t } = vscode.l10n;
  return {
    rows: t("{0} rows"),
    row: t("1 row"),
    refusedRows: t("{0} refused"),
    perSecond: t("{0} rows/s"),
    timeLeft: t("{0} left"),
    running: t("Predicting"),
    done: t("Done"),
    stopped: t("Stopped"),
    notKept: t("These are the first rows of a run that is no longer kept."),
    run: t("Run"),
    runAgain: t("Run Again"),
    runAnyway: t("Run Anyway"),
    resume: t("Resume"),
    stop: t("Stop"),
    export: t("Export…"),
    find: t("Find in rows"),
    found: t("{0} of {1} rows"),
    foundAbout: t("{0} of about {1} rows"),
    searching: t("Searching…"),
    sorting: t("Sorting…"),
    refusedOnly: t("Refused only"),
    copied: t("Copied {0}"),
    copy: t("Copy as"),
    copyAs: t("Copy as {0}"),
    grid: t("Predictions"),
    gridHelp: t(
      "Arrow keys move, Shift selects, Ctrl+C copies. In the header Enter sorts, Alt+Left and Alt+Right resize.",
    ),
    cell: t("{0}, row {1}"),
    rowNumber: t("Row"),
    actual: t("actual"),
    predicted: t("predicted"),
    errorColumn: t("error"),
    numbersMetrics: t("Compared with actual values ({0}): MAE {1}, RMSE {2}, r² {3}"),
    classesMetrics: t("Compared with actual values ({0}): accuracy {1}"),
    confusion: t("Confusion table: actual down, predicted across"),
    note: t("1 warning"),
    notes: t("{0} warnings"),
  };
}
