import { quotePath, quoteTable } from "./quoteName.ts";
import { sqlKeywords } from "./sqlKeywords.ts";

/** A dotted name as SQL. A part is quoted only where SQL would read it differently, or not at all. */
export function nameInSql(parts: readonly string[]): string {
  return quotePath(parts, (part) => (isPlainName(part) ? part : quoteTable(part)));
}

/** True for a name that SQL reads as it is: it lower-cases names without quotes. */
function isPlainName(name: string): boolean {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !sqlKeywords.includes(name);
}
