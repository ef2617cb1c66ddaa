import * as l10n from "@vscode/l10n";

export type ResultTexts = ReturnType<typeof createResultTexts>;

/** Returns the page's texts, in the user's language. `{0}` and `{1}` are filled in by the page. */
export function createResultTexts() {
  return {
    cancel: l10n.t("Cancel"),
    runOpen: l10n.t("Run Failed Again"),
    runCell: l10n.t("Run Cell Again"),
    export: l10n.t("Export…"),
    grid: l10n.t("Results"),
    gridHelp: l10n.t(
      "Arrow keys move from cell to cell, with Shift they select. Enter on a header sorts, Ctrl+C copies.",
    ),
    cell: l10n.t("{0}, row {1}"),
  };
}
