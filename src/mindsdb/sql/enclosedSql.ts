import { tokenizeSql } from "./sqlTokens.ts";

/** True for SQL that ends inside of the brackets around it. */
export function isEnclosable(sql: string): boolean {
  const { statements, isSure } = tokenizeSql(`(${sql}\n)`);
  const tokens = statements[0]?.tokens ?? [];
  let depth = 0;
  const isInside = tokens.every(({ kind, text }, at) => {
    if (kind === "mark") depth += text === "(" ? 1 : text === ")" ? -1 : 0;
    return depth > 0 || at === tokens.length - 1;
  });
  return isSure && isInside && statements.length === 1;
}

/** SQL for brackets; a placeholder for what would end them. */
export function enclosedSql(sql: string): string {
  return isEnclosable(sql) ? sql.trim() : "<statement>";
}
