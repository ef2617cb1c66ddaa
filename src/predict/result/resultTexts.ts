import * as l10n from "@vscode/l10n";

export type ResultTexts = ReturnType<typeof createResultTexts>;

/**
 * Returns the page's texts, sent with each result: a renderer may have no host to ask when a notebook is opened again.
 * `{0}` and so on are filled in by the page.
 */
export function createResultTexts() {
  return {
    rows: l10n.t("{0} rows"),
    row: l10n.t("1 row"),
    refusedRows: l10n.t("{0} refused"),
    perSecond: l10n.t("{0} rows/s"),
    timeLeft: l10n.t("{0} left"),
    running: l10n.t("Predicting"),
    done: l10n.t("Done"),
    stopped: l10n.t("Stopped"),
    notKept: l10n.t("The full result of this run is no longer stored. These are its first rows."),
    run: l10n.t("Run"),
    runAgain: l10n.t("Run Again"),
    runAnyway: l10n.t("Run Anyway"),
    resume: l10n.t("Resume"),
    stop: l10n.t("Stop"),
    export: l10n.t("Export…"),
    compareRuns: l10n.t("Compare Runs…"),
    previewTable: l10n.t("Preview Table"),
    showSql: l10n.t("Show SQL"),
    whatIf: l10n.t("What If…"),
    whatIfHelp: l10n.t("Predict the current row with other values"),
    find: l10n.t("Find in rows"),
    found: l10n.t("{0} of {1} rows"),
    foundAbout: l10n.t("{0} of about {1} rows"),
    searching: l10n.t("Searching…"),
    sorting: l10n.t("Sorting…"),
    refusedOnly: l10n.t("Refused only"),
    copied: l10n.t("Copied {0}"),
    copy: l10n.t("Copy as"),
    copyAs: l10n.t("Copy as {0}"),
    grid: l10n.t("Predictions"),
    gridHelp: l10n.t(
      "Arrow keys move, Shift selects, Ctrl+C copies. In the header Enter sorts, Alt+Left and Alt+Right resize.",
    ),
    cell: l10n.t("{0}, row {1}"),
    rowNumber: l10n.t("Row"),
    actual: l10n.t("actual"),
    predicted: l10n.t("predicted"),
    errorColumn: l10n.t("error"),
    numbersMetrics: l10n.t("Compared with actual values ({0}): MAE {1}, RMSE {2}, r² {3}"),
    classesMetrics: l10n.t("Compared with actual values ({0}): accuracy {1}"),
    confusion: l10n.t("Confusion table: actual down, predicted across"),
    note: l10n.t("1 warning"),
    notes: l10n.t("{0} warnings"),
  };
}
