// What is said of a value that MindsDB calculates otherwise than PostgreSQL, or not at all. `fixed`: what to write instead.
import * as l10n from "@vscode/l10n";

export function calculatedOtherwise(fixed: string): string {
  return l10n.t("MindsDB calculates this otherwise than PostgreSQL. Use {0} instead.", fixed);
}

export function notCalculated(fixed: string): string {
  return l10n.t("MindsDB can't calculate this, unlike PostgreSQL. Use {0} instead.", fixed);
}
