// Sentences about a cell's run, in the user's language. Counts are numbers of rows.
import * as l10n from "@vscode/l10n";

export type RunTexts = ReturnType<typeof createRunTexts>;

/** `language` is that of numbers. */
export function createRunTexts(language: string) {
  return {
    /** Takes the place of a file name where the rows are written in the cell. */
    cellAsSource: l10n.t("the cell"),
    /** The same for the rows of a query. */
    queryAsSource: l10n.t("the query"),
    queryWithoutRows: l10n.t("The query returned no rows."),
    formatCount: (count: number) => count.toLocaleString(language),
    rowsNotChecked: (model: string) =>
      l10n.t("The server doesn't list the inputs of {0}, so the rows were not checked.", model),
    readingColumns: (seconds: number) => l10n.t("Reading the model's inputs… {0} s", seconds),
    noFirstResponse: (seconds: number) =>
      l10n.t(
        "No answer for {0} s. The first one takes longer while the server starts the model.",
        seconds,
      ),
    noResponse: (seconds: number) => l10n.t("No answer for {0} s.", seconds),
    statementRunning: (seconds: number) => l10n.t("Running statement… {0} s", seconds),
    statusUnknown: (count: number) =>
      count === 1
        ? l10n.t("The status of 1 sent row is unknown: Resume sends it again.")
        : l10n.t("The status of {0} sent rows is unknown: Resume sends them again.", count),
    blankRowsSkipped: (count: number) =>
      count === 1
        ? l10n.t("Skipped 1 row without any value.")
        : l10n.t("Skipped {0} rows without any value.", count.toLocaleString(language)),
    sentTwice: (count: number) =>
      count === 1
        ? l10n.t("1 row was sent a second time because the status of the first request is unknown.")
        : l10n.t(
            "{0} rows were sent a second time because the status of the first request is unknown.",
            count,
          ),
  };
}
