import * as vscode from "vscode";
import type { ResultTexts } from "../messages.ts";
import type { RunTexts } from "../run/runTexts.ts";

/** Texts of the page, sent with each result: a renderer may have no host to ask when a notebook is opened again. */
export function resultTexts(): ResultTexts {
  return {
    rows: vscode.l10n.t("{0} rows"),
    row: vscode.l10n.t("1 row"),
    refusedRows: vscode.l10n.t("{0} refused"),
    perSecond: vscode.l10n.t("{0} rows/s"),
    timeLeft: vscode.l10n.t("{0} left"),
    running: vscode.l10n.t("Predicting"),
    done: vscode.l10n.t("Done"),
    stopped: vscode.l10n.t("Stopped"),
    notKept: vscode.l10n.t("These are the first rows of a run that is no longer kept."),
    run: vscode.l10n.t("Run"),
    runAgain: vscode.l10n.t("Run Again"),
    runAnyway: vscode.l10n.t("Run Anyway"),
    resume: vscode.l10n.t("Resume"),
    stop: vscode.l10n.t("Stop"),
    export: vscode.l10n.t("Export…"),
    compareRuns: vscode.l10n.t("Compare Runs…"),
    previewTable: vscode.l10n.t("Preview Table"),
    showSql: vscode.l10n.t("Show SQL"),
    whatIf: vscode.l10n.t("What If…"),
    whatIfHelp: vscode.l10n.t("Predict the current row with other values"),
    find: vscode.l10n.t("Find in rows"),
    found: vscode.l10n.t("{0} of {1} rows"),
    foundAbout: vscode.l10n.t("{0} of about {1} rows"),
    searching: vscode.l10n.t("Searching…"),
    sorting: vscode.l10n.t("Sorting…"),
    refusedOnly: vscode.l10n.t("Refused only"),
    copied: vscode.l10n.t("Copied {0}"),
    copy: vscode.l10n.t("Copy as"),
    copyAs: vscode.l10n.t("Copy as {0}"),
    grid: vscode.l10n.t("Predictions"),
    gridHelp: vscode.l10n.t(
      "Arrow keys move, Shift selects, Ctrl+C copies. In the header Enter sorts, Alt+Left and Alt+Right resize.",
    ),
    cell: vscode.l10n.t("{0}, row {1}"),
    rowNumber: vscode.l10n.t("Row"),
    actual: vscode.l10n.t("actual"),
    predicted: vscode.l10n.t("predicted"),
    errorColumn: vscode.l10n.t("error"),
    numbersMetrics: vscode.l10n.t("Compared with actual values ({0}): MAE {1}, RMSE {2}, r² {3}"),
    classesMetrics: vscode.l10n.t("Compared with actual values ({0}): accuracy {1}"),
    confusion: vscode.l10n.t("Confusion table: actual down, predicted across"),
    note: vscode.l10n.t("1 warning"),
    notes: vscode.l10n.t("{0} warnings"),
  };
}

export function runTexts(): RunTexts {
  return {
    cellAsSource: vscode.l10n.t("the cell"),
    queryAsSource: vscode.l10n.t("the query"),
    queryWithoutRows: vscode.l10n.t("The query returns no rows."),
    rowsNotChecked: (model) =>
      vscode.l10n.t("{0} does not say which columns it takes: the rows were not checked.", model),
    readingColumns: (seconds) =>
      vscode.l10n.t("Asking which columns the model takes… {0} s", seconds),
    noFirstResponse: (seconds) =>
      vscode.l10n.t(
        "No answer for {0} s. The first one takes longer while the server starts the model.",
        seconds,
      ),
    noResponse: (seconds) => vscode.l10n.t("No answer for {0} s.", seconds),
    statementRunning: (seconds) => vscode.l10n.t("Running statement… {0} s", seconds),
    statusUnknown: (count) =>
      count === 1
        ? vscode.l10n.t("The status of 1 sent row is unknown: Resume sends it again.")
        : vscode.l10n.t("The status of {0} sent rows is unknown: Resume sends them again.", count),
    resentInSmallerBatches: (count) =>
      vscode.l10n.t(
        "{0} rows were resent in smaller batches after the server rejected theirs.",
        count,
      ),
    sentTwice: (count) =>
      count === 1
        ? vscode.l10n.t(
            "1 row was sent a second time because the status of the first request is unknown.",
          )
        : vscode.l10n.t(
            "{0} rows were sent a second time because the status of the first request is unknown.",
            count,
          ),
  };
}
