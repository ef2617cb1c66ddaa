import type { AppError } from "../mindsdb/errors.ts";

/**
 * True for a failed statement whose error says that the table does not exist. 26.1.0 says "not found"; 25.14.1 says "No
 * tables in query" and repeats the statement.
 */
export function isTableMissing({ kind, message }: AppError, table: string): boolean {
  if (kind !== "sql" || !message.toLowerCase().includes(table.toLowerCase())) return false;
  return /not found|does not exist|doesn't exist|no such table|no tables in query/i.test(message);
}
