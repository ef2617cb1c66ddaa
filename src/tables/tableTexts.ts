import * as l10n from "@vscode/l10n";

export type TableTexts = ReturnType<typeof createTableTexts>;

/** The page fills in `{0}`, `{1}` and `{2}`. */
export function createTableTexts() {
  return {
    place: l10n.t("Table in {0} on {1}"),
    useInAgent: l10n.t("Use in Agent…"),
    copySelect: l10n.t("Copy SELECT"),
    refresh: l10n.t("Refresh"),
    asking: l10n.t("Loading the rows"),
    grid: l10n.t("First rows of the table"),
    gridHelp: l10n.t(
      "Arrow keys move from cell to cell, with Shift they select. Enter on a header sorts, Ctrl+C copies.",
    ),
    cell: l10n.t("{0}, row {1}"),
    noRows: l10n.t("The table has no rows."),
    oneRow: l10n.t("1 row"),
    rows: l10n.t("{0} rows"),
    firstRows: l10n.t("First {0} rows"),
  };
}

export function formatTableGone(name: string, source: string): string {
  return l10n.t("{0} is no longer in {1}.", name, source);
}
