// The handler that runs SQL statements.
import { askAgent, findEndEvent } from "../agents/completions.ts";
import { defaultProject } from "../agents/agent.ts";
import type { Call } from "../server/call.ts";
import { json, problem, Refusal } from "../server/replies.ts";
import type { Reply } from "../server/replies.ts";
import type { Agent, Relation, State } from "../server/state.ts";
import { runDueJobs } from "../jobs/jobs.ts";
import { runSql, type Context } from "./database.ts";
import { SqlError } from "./tokens.ts";

interface SqlBody {
  query?: unknown;
  context?: { db?: string };
  params?: Record<string, unknown>;
}

/** `POST /api/sql/query`. SQL errors are returned with status 200, as on real servers. */
export function querySql(call: Call): Reply {
  const { state } = call;
  const { query, context, params = {} } = call.json() as SqlBody;
  if (typeof query !== "string") throw problem(400, "Missing parameter", 'Must provide "query"');
  const database = context?.db ?? defaultProject(state).name;
  const about = { show_secrets: false, db: database };
  try {
    const outcome = runSql(createContext(state, database, params), query);
    if (outcome.relation) {
      const { columns, rows } = outcome.relation;
      return json({ type: "table", data: rows, column_names: columns, context: about });
    }
    const db = outcome.database ?? database;
    return json({ type: "ok", affected_rows: null, context: { ...about, db } });
  } catch (error) {
    // A model refuses rows in the same way in statements and in requests of its own.
    if (!(error instanceof SqlError) && !(error instanceof Refusal)) throw error;
    return json({ type: "error", error_code: 0, error_message: error.message, context: about });
  }
}

export function runJobsNow(state: State): void {
  runDueJobs(state, ({ project }, sql) => runSql(createContext(state, project), sql));
}

function createContext(
  state: State,
  database: string,
  params: Record<string, unknown> = {},
): Context {
  const ask = (agent: Agent, question: string): Relation => {
    const end = findEndEvent(askAgent(state, agent, question, []));
    if (end.kind === "gaveUp") throw new SqlError(end.message);
    return end.kind === "table" ? end.relation : { columns: ["answer"], rows: [[end.text]] };
  };
  return { state, database, params, ask };
}
