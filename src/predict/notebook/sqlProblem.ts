import * as l10n from "@vscode/l10n";
import type { SqlProblem } from "../../mindsdb/sql/parser/parseSql.ts";
import { explainRefusedCall } from "../../mindsdb/sql/refusedCalls.ts";
import type { Span } from "./recipe.ts";

/** The range to mark in a statement the server would refuse, and why; undefined for a text without a statement. */
export function describeSqlProblem(
  sql: string,
  problem: SqlProblem,
): (Span & { message: string }) | undefined {
  switch (problem.kind) {
    case "token": {
      const { start, end } = problem;
      const token = sql.slice(start, end);
      const message =
        token === ";"
          ? l10n.t("A cell runs one statement.")
          : (explainRefusedCall(sql, problem) ?? l10n.t("Syntax error: unexpected {0}", token));
      return { start, end, message };
    }
    case "character": {
      const { start, end } = problem;
      const character = sql.slice(start, end);
      const message = "'\"`".includes(character)
        ? l10n.t("Syntax error: this quote is not closed.")
        : l10n.t("Syntax error: unexpected character {0}", character);
      return { start, end, message };
    }
    case "end":
      return problem.last && { ...problem.last, message: l10n.t("The statement is incomplete.") };
    case "rule":
      return { ...problem.form, message: describeRule(problem.rule) };
  }
}

function describeRule(rule: string): string {
  switch (rule) {
    case "where":
    case "having":
    case "deleteWhere":
      return l10n.t(
        "MindsDB refuses this clause: it must contain a condition such as a = true, follow FROM, and be in the right place.",
      );
    case "from":
    case "groupBy":
    case "orderBy":
    case "mode":
      return l10n.t("MindsDB refuses this clause: it is repeated or in the wrong place.");
    case "limit":
    case "offset":
      return l10n.t(
        "MindsDB refuses this clause: it must appear once, at the end, with a whole number, and LIMIT before OFFSET.",
      );
    case "alias":
      return l10n.t("A name can't be empty.");
    default:
      return l10n.t("MindsDB does not support this statement.");
  }
}
