// The table of the server that a recipe writes its predictions into: "into": "source.table".
import * as l10n from "@vscode/l10n";
import { filesSource } from "../../mindsdb/filesSource.ts";
import { isTableName } from "../../tables/uploadSource.ts";
import { explainTableName, parseTableName, type ServerSource } from "./serverSource.ts";

export interface TargetTable {
  /** As the recipe names it. */
  name: string;
  /** Data source, schema if any, and table. */
  parts: readonly string[];
}

/**
 * Reads the value of "into", given as JSON, or explains what is wrong with it. `rows` are undefined where the recipe
 * says none that can be read.
 */
export function readTargetTable(
  json: string,
  rows: ServerSource | "notOnServer" | undefined,
): { value: TargetTable } | { wrong: string } {
  const name = JSON.parse(json) as unknown;
  const parts = typeof name === "string" ? parseTableName(name) : undefined;
  if (typeof name !== "string" || !parts) return { wrong: explainTableName() };
  if (rows === "notOnServer") {
    return {
      wrong: l10n.t(
        "To write predictions into a table, use rows on the server: {0}.",
        '"rows": {"table": "source.table"}',
      ),
    };
  }
  const [source = "", ...path] = parts;
  if (source.toLowerCase() === filesSource && !(path.length === 1 && isTableName(path[0] ?? ""))) {
    return {
      wrong: l10n.t(
        "Table names in {0} can contain only lowercase letters, digits, and underscores, and can't start with a digit.",
        filesSource,
      ),
    };
  }
  if (rows && "table" in rows.source && isSameTable(rows.source.table, parts)) {
    return { wrong: l10n.t("The rows are read from this table. Write to another one.") };
  }
  return { value: { name, parts } };
}

function isSameTable(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(one).toLowerCase() === JSON.stringify(other).toLowerCase();
}
