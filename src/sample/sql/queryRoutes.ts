// The handler that runs SQL statements.
import { askAgent, findEndEvent } from "../agents/completions.ts";
import { defaultProject } from "../agents/agent.ts";
import type { Call } from "../server/call.ts";
import { json, Refusal } from "../server/replies.ts";
import type { Reply } from "../server/replies.ts";
import type { Agent, Relation, State } from "../server/state.ts";
import { runDueJobs } from "../jobs/jobs.ts";
import { runSql } from "./database.ts";
import { SqlError } from "./tokens.ts";

interface QueryBody {
  query: string;
  params?: Record<string, unknown>;
  context?: { db?: string };
  response_format?: string | null;
}

type QueryAnswer =
  | { type: "table"; data: Relation["rows"]; column_names: string[] }
  | { type: "ok"; affected_rows: null }
  | { type: "error"; error_code: 0; error_message: string };

/** `POST /api/sql/query`. SQL errors are returned with status 200, as on real servers. */
export function querySql(call: Call): Reply {
  const { response_format: format } = call.json() as QueryBody;
  const answer = runQuery(call);
  if (format !== "jsonlines" || answer.type !== "table") return json(answer);
  return jsonLines(answer.column_names, answer.data);
}

export function runQuery(call: Call): QueryAnswer {
  const { state } = call;
  const { query, params = {}, context } = call.json() as QueryBody;
  const database = context?.db ?? defaultProject(state).name;
  try {
    const relation = runSql({ state, database, params, ask: createAsk(state) }, query);
    if (!relation) return { type: "ok", affected_rows: null };
    return { type: "table", data: relation.rows, column_names: relation.columns };
  } catch (error) {
    // A model refuses rows in the same way in statements and in requests of its own.
    if (!(error instanceof SqlError) && !(error instanceof Refusal)) throw error;
    return { type: "error", error_code: 0, error_message: error.message };
  }
}

/** Rows in a line. */
const blockRows = 10_000;

/** A table as 26.x streams it: the columns, then lists of rows. */
export function jsonLines(columns: readonly string[], rows: readonly unknown[][]): Reply {
  const lines: unknown[] = [{ type: "table", column_names: columns }];
  for (let at = 0; at < rows.length; at += blockRows) lines.push(rows.slice(at, at + blockRows));
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  return { status: 200, type: "application/jsonlines", body };
}

export function runJobsNow(state: State): void {
  const ask = createAsk(state);
  runDueJobs(state, ({ project: database }, sql) => runSql({ state, database, ask }, sql));
}

function createAsk(state: State): (agent: Agent, question: string) => Relation {
  return (agent, question) => {
    const end = findEndEvent(askAgent(state, agent, question, []));
    if (end.kind === "gaveUp") throw new SqlError(end.message);
    return end.kind === "table" ? end.relation : { columns: ["answer"], rows: [[end.text]] };
  };
}
