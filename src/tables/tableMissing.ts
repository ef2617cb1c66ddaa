import type { AppError } from "../mindsdb/errors.ts";

/** True for a failed statement whose error says that the table does not exist (seen on 26.1.0 and 25.14.1). */
export function isTableMissing({ kind, message }: AppError, table: string): boolean {
  if (kind !== "sql" || !message.toLowerCase().includes(table.toLowerCase())) return false;
  return /not found|does not exist|doesn't exist|no such table/i.test(message);
}
