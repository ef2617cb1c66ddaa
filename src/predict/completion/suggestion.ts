// Suggestions of SQL completion.
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

/** No database has longer names, in characters: an alias is repeated for each of the columns of its table. */
const maxNameLength = 1_024;

/** A name as SQL; undefined for one that SQL cannot name. */
export function nameText(parts: readonly string[]): string | undefined {
  if (parts.some(({ length }) => length > maxNameLength)) return undefined;
  try {
    return nameInSql(parts);
  } catch {
    return undefined;
  }
}
