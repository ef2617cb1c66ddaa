import { parse } from "./parser.ts";
import { SqlError } from "./tokens.ts";

/** Throws SqlError for a SELECT that cannot be parsed. Other statements may be some that only real servers run. */
export function checkSyntax(sql: string): void {
  if (!/^\s*select\b/i.test(sql)) return;
  try {
    parse(sql.replace(/\{\{\w+\}\}/g, ""));
  } catch (error) {
    throw new SqlError(`Unable to parse: ${sql}: ${(error as Error).message}`);
  }
}
