import { l10n } from "vscode";
import type { ResultTexts } from "../messages.ts";

/** Returns the page's texts, in the user's language. */
export function createResultTexts(): ResultTexts {
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
