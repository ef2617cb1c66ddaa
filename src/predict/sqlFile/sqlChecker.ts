// Finds what is to be marked in statements: where the server's parser would stop, and what it reads otherwise than it is meant.
import { parseSql } from "../../mindsdb/sql/parser/parseSql.ts";
import type { Span } from "../notebook/recipe.ts";
import { findGluedComments, findMisreadings } from "../notebook/sqlMisreadings.ts";
import { describeSqlProblem } from "../notebook/sqlProblem.ts";

export interface SqlTextProblem extends Span {
  message: string;
  /** By which quick fixes are chosen. */
  code: "sqlSyntax" | "sqlMisread";
}

interface Statement {
  text: string;
  start: number;
}

/** Remembers the statements of the last text: few of them change from one key to the next. */
export class SqlChecker {
  /** With offsets in the statement. */
  #known = new Map<string, SqlTextProblem[]>();

  /** At most `limit`, in the order of the text. */
  check(text: string, statements: readonly Statement[], limit: number): SqlTextProblem[] {
    const found = findGluedComments(text).slice(0, limit).map(toMisreading);
    const known = new Map<string, SqlTextProblem[]>();
    for (const statement of statements) {
      const { start } = statement;
      const problems = this.#known.get(statement.text) ?? findProblems(statement.text);
      known.set(statement.text, problems);
      if (found.length >= limit) continue;
      for (const one of problems) {
        found.push({ ...one, start: start + one.start, end: start + one.end });
      }
    }
    this.#known = known;
    return found.slice(0, limit).sort((a, b) => a.start - b.start);
  }
}

function findProblems(sql: string): SqlTextProblem[] {
  const { problem } = parseSql(sql);
  if (!problem) return findMisreadings(sql).map(toMisreading);
  const described = describeSqlProblem(sql, problem);
  return described ? [{ ...described, code: "sqlSyntax" }] : [];
}

function toMisreading({ start, end, message }: Span & { message: string }): SqlTextProblem {
  return { start, end, message, code: "sqlMisread" };
}
