import { parseSql } from "../../mindsdb/sql/parser/parseSql.ts";
import { readStatementNames } from "./statementNames.ts";

/** The names that a statement creates, changes or drops, in lower case, and the database that it chooses. */
export function readCreatedNames(sql: string): {
  created: readonly string[];
  used: string | undefined;
} {
  // Only these do: other statements need no parser.
  const { tree } = /\b(create|alter|drop|use)\b/i.test(sql) ? parseSql(sql) : {};
  return tree ? readStatementNames(sql, tree) : { created: [], used: undefined };
}
