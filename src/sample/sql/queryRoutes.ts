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

/** `POST /api/sql/query`. SQL errors are returned with status 200, as on real servers. */
export function querySql(call: Call): Reply {
  const { state } = call;
  const body = call.json() as {
    query: string;
    params?: Record<string, unknown>;
    context?: { db?: string };
  };
  const { query, params = {}, context } = body;
  const database = context?.db ?? defaultProject(state).name;
  try {
    const relation = runSql({ state, database, params, ask: createAsk(state) }, query);
    if (!relation) return json({ type: "ok", affected_rows: null });
    return json({ type: "table", data: relation.rows, column_names: relation.columns });
  } catch (error) {
    // A model refuses rows in the same way in statements and in requests of its own.
    if (!(error instanceof SqlError) && !(error instanceof Refusal)) throw error;
    return json({ type: "error", error_code: 0, error_message: error.message });
  }
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
