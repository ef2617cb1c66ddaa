import * as l10n from "@vscode/l10n";

/** The sentence for rows that may be missing; see `mayEndEarly`. */
export function explainEarlyEnd(): string {
  return l10n.t(
    "This result may be incomplete: if PostgreSQL fails while it sends rows, this version of MindsDB ends the result without an error, after 0 rows or a multiple of 10,000. To check, run the statement with count(*) instead of its columns.",
  );
}
