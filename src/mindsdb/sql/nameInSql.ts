import * as l10n from "@vscode/l10n";
import { AppError } from "../errors.ts";
import { quoteName, quotePath, quoteTable } from "./quoteName.ts";
import { sqlKeywords } from "./sqlKeywords.ts";

/** A dotted name as SQL. A part is quoted only where SQL would read it differently, or not at all. */
export function nameInSql(parts: readonly string[]): string {
  return quotePath(parts, (part) => (isPlainName(part) ? part : quoteTable(part)));
}

/** The name of a column as SQL, quoted where it must be. Throws AppError "sql" for a name that can't be. */
export function columnInSql(name: string): string {
  if (name === "") throw new AppError("sql", l10n.t("A name can't be empty."));
  return isPlainName(name) ? name : quoteName(name);
}

/** True for a name that SQL reads as it is: it lower-cases names without quotes. */
function isPlainName(name: string): boolean {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !sqlKeywords.includes(name);
}
