import * as l10n from "@vscode/l10n";
import { explainEarlyEnd } from "../mindsdb/sql/explainEarlyEnd.ts";
import type { PreviewRows } from "./previewRows.ts";

/** The sentences that a page shows instead of rows. */
export function explainNoRows({ mayLackRows }: PreviewRows): string {
  const text = l10n.t("There are no rows.");
  return mayLackRows ? `${text} ${explainEarlyEnd()}` : text;
}
