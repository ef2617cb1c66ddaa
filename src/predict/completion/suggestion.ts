// Suggestions of SQL completion.
import { maxItemName } from "../../mindsdb/decode.ts";
import { nameInSql } from "../../mindsdb/sql/nameInSql.ts";

export type SuggestionKind =
  | "keyword"
  | "function"
  | "column"
  | "alias"
  | "database"
  | "schema"
  | "table"
  | "view"
  | "model"
  | "agent"
  | "knowledgeBase"
  | "object"
  | "option";

export interface SqlSuggestion {
  kind: SuggestionKind;
  label: string;
  /** The text to insert, if it is not the label. */
  text?: string;
  detail?: string | undefined;
}

/** A name as SQL; undefined for one that SQL cannot name, and for a long one: an alias is repeated for each column of its table. */
export function nameText(parts: readonly string[]): string | undefined {
  if (parts.some(({ length }) => length > maxItemName)) return undefined;
  try {
    return nameInSql(parts);
  } catch {
    return undefined;
  }
}
