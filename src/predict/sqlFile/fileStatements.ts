// The statements of a SQL file, and the one at the caret.
import { tokenizeSql } from "../../mindsdb/sql/sqlTokens.ts";
import type { Span } from "../notebook/recipe.ts";

export interface FileStatement extends Span {
  /** As it is sent: from the first token to the last, without the semicolon. */
  text: string;
}

/** Splits at semicolons outside of quotes, comments and brackets. `offset` is where the text starts in the file. */
export function readStatements(sql: string, offset = 0): FileStatement[] {
  return tokenizeSql(sql).statements.map(({ start, end }) => ({
    start: offset + start,
    end: offset + end,
    text: sql.slice(start, end),
  }));
}

/**
 * The statement at a place: it surrounds the place, ends before it on the same line, or starts after it on the same line.
 * Undefined between statements, so that none runs by mistake.
 */
export function statementAt(
  sql: string,
  statements: readonly FileStatement[],
  offset: number,
): FileStatement | undefined {
  const inside = statements.find(({ start, end }) => start <= offset && offset <= end);
  if (inside) return inside;
  const before = statements.findLast(({ end }) => end < offset);
  if (before && !sql.slice(before.end, offset).includes("\n")) return before;
  const after = statements.find(({ start }) => start > offset);
  return after && /^[ \t]*$/.test(sql.slice(offset, after.start)) ? after : undefined;
}
