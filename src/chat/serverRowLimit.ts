// The limit that servers add to an agent's queries.
import { isMark, isWord, tokenizeSql } from "../mindsdb/sql/sqlTokens.ts";
import type { TextRef } from "./chatPage.ts";
import { findRun, type AgentRun, type Transcript } from "./transcript.ts";
import type { AgentStep } from "../mindsdb/stream/stepEvents.ts";

/** 26.1.0 adds LIMIT 100 to an agent's SELECT without one. 25.14.1 does not; it tells the agent how many rows there are. */
export const maxAgentRows = 100;

/**
 * Returns the SQL of a step if the server limited its result: then a result of 100 rows may have had more. Undefined for
 * other steps.
 */
export function findLimitedSql(
  step: Pick<AgentStep, "query" | "parts"> | undefined,
): string | undefined {
  // Only steps of 26.x have a `query`.
  const sql = step?.query && step.parts.find(({ kind }) => kind === "sql");
  return sql && sql.length === undefined && isLimited(sql.text) ? cleanSql(sql.text) : undefined;
}

/** Returns the SQL behind a run's answer if that is the result of a query that the server limited. */
export function findLimitedAnswerSql({
  answer,
  steps,
}: Pick<AgentRun, "answer" | "steps">): string | undefined {
  return answer?.format === "table"
    ? findLimitedSql(steps.findLast(({ query }) => query))
    : undefined;
}

/** Returns the SQL whose limited result a text is, as `findLimitedSql`. */
export function findLimitedSqlOf(transcript: Transcript, ref: TextRef): string | undefined {
  const run = findRun(transcript, ref.run);
  if (!run || ref.of === "events") return undefined;
  if (ref.of === "answer") return findLimitedAnswerSql(run);
  const step = run.steps[ref.step];
  return step?.parts[ref.part]?.kind === "observation" ? findLimitedSql(step) : undefined;
}

/** Whether a table may have had more rows; of a text that is cut, not all rows are counted. */
export function mayHaveMoreRows(rows: number, isWhole: boolean): boolean {
  return isWhole ? rows === maxAgentRows : rows <= maxAgentRows;
}

/** Language models write fences and backticks around their SQL, which the server removes in this way. */
export function cleanSql(sql: string): string {
  return sql
    .replace(/```(sql)?/g, "")
    .trim()
    .replace(/^`+|`+$/g, "")
    .trim();
}

/** Whether it is a single SELECT without a LIMIT of its own. Unions get no limit. */
function isLimited(sql: string): boolean {
  const { statements } = tokenizeSql(cleanSql(sql));
  const tokens = statements[0]?.tokens ?? [];
  const around = tokens.findIndex((token) => !isMark(token, "("));
  if (!isWord(tokens[around], "select", "with")) return false;
  let depth = 0;
  for (const token of tokens) {
    if (isMark(token, "(")) depth++;
    else if (isMark(token, ")")) depth--;
    else if (depth <= around && isWord(token, "limit", "union", "intersect", "except")) {
      return false;
    }
  }
  return true;
}
