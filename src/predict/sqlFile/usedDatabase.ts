// The database that USE chooses in a file.
import { readSessionStatement } from "../notebook/sessionStatement.ts";
import { readStatements } from "./fileStatements.ts";

/** The database that the last USE before a place chooses for names without one. */
export function findUsedDatabase(sql: string, offset: number): string | undefined {
  const before = sql.slice(0, offset);
  // Most files have none, and are not split.
  if (!/\buse\b/i.test(before)) return undefined;
  const use = readStatements(before).findLast(({ text }) => /^use\b/i.test(text));
  const read = use && readSessionStatement(use.text);
  return read?.kind === "use" ? read.database : undefined;
}
