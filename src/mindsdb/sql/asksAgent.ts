// Whether a statement may cost money, judged by its text and by what the server lists.
import type { Client } from "../http/client.ts";
import { kindOfSql } from "./statementKind.ts";
import { errorsOfStatement, orUnknown, searchTables, type SearchOptions } from "./tableSearch.ts";

/**
 * Whether a statement may cost money: by its text, or because it may read from an agent or a hosted model. Throws if the
 * server cannot be reached, so that the error is the one that the statement would have.
 */
export async function mayCost(
  client: Client,
  sql: string,
  options: SearchOptions = {},
): Promise<boolean> {
  if (kindOfSql(sql) === "costsMoney") return true;
  return orUnknown(searchTables(client, options).mayAsk(sql), true, errorsOfStatement);
}

/**
 * Whether a statement may read from an agent or a hosted model, itself or through a view. That costs money without a
 * question, too: 26.1.0 asks an agent whatever the condition is about, and both versions ask one that is joined once for
 * each row. Also true where that is not known: for text that the server may read in another way, and if its lists cannot
 * be read.
 */
export function asksAgent(
  client: Client,
  sql: string,
  options: SearchOptions = {},
): Promise<boolean> {
  return orUnknown(searchTables(client, options).mayAsk(sql), true);
}
