import * as l10n from "@vscode/l10n";
import type { PreviewRows } from "./previewRows.ts";

/** The sentence that a page shows instead of rows. */
export function explainNoRows({ mayLackRows }: PreviewRows): string {
  return mayLackRows
    ? l10n.t(
        "No rows came. If there are some, PostgreSQL failed while it sent them, which this version of MindsDB doesn't report. To check, run a SELECT with count(*).",
      )
    : l10n.t("There are no rows.");
}
