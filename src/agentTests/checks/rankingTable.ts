import * as l10n from "@vscode/l10n";
import { numericColumns, type TextTable } from "../../shared/textTable.ts";
import type { Ranking } from "../runs/runTests.ts";

/** The results of a search, with the expected documents marked; those that were not found are at the end. */
export function createRankingTable({ documents, expected }: Ranking): TextTable {
  const columns = [
    l10n.t("Rank"),
    l10n.t("Expected"),
    l10n.t("ID"),
    l10n.t("Relevance"),
    l10n.t("Content"),
  ];
  const wanted = new Set(expected);
  const found = documents.map(({ id, relevance, content }, at) => [
    String(at + 1),
    wanted.has(id) ? "✔" : "",
    id,
    relevance?.toFixed(3) ?? "",
    content,
  ]);
  const ids = new Set(documents.map(({ id }) => id));
  const missing = expected
    .filter((id) => !ids.has(id))
    .map((id) => ["", "✔", id, "", l10n.t("Not found")]);
  const rows = [...found, ...missing];
  return { columns, rows, numeric: numericColumns(columns, rows) };
}
