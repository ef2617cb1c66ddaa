// Handlers that run SQL statements and ask agents.
import { answer, defaultProject, scopeOf } from "./agent.ts";
import type { AgentEvent, Turn } from "./agent.ts";
import { runSql } from "./database.ts";
import { agentOf } from "./lookup.ts";
import { json, problem } from "./replies.ts";
import type { Reply } from "./replies.ts";
import type { Answer, Call } from "./call.ts";
import { SqlError } from "./sql.ts";
import { textOf } from "./state.ts";
import type { Agent, Relation, State } from "./state.ts";
import { streamEvents } from "./streams.ts";

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
  const ask = (agent: Agent, question: string) => {
    const end = findEndEvent(askAgent(state, agent, question, []));
    if (end.kind === "gaveUp") throw new SqlError(end.message);
    return end.kind === "table" ? end.relation : { columns: ["answer"], rows: [[end.text]] };
  };
  try {
    const outcome = runSql({ state, database, params, ask }, query);
    if (outcome.relation) {
      const { columns, rows } = outcome.relation;
      return json({ type: "table", data: rows, column_names: columns, context: about });
    }
    const db = outcome.database ?? database;
    return json({ type: "ok", affected_rows: null, context: { ...about, db } });
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    return json({ type: "error", error_code: 0, error_message: error.message, context: about });
  }
}

/** `POST …/completions/stream`. */
export function completeStream(call: Call): Answer {
  const { question, history } = readConversation(call);
  const { agent } = agentOf(call);
  return { events: streamEvents(askAgent(call.state, agent, question, history)) };
}

/** Asks an agent. Its queries run in the default project. */
export function askAgent(
  state: State,
  agent: Agent,
  question: string,
  history: Turn[],
): Iterable<AgentEvent> {
  const ask = () => {
    throw new SqlError("An agent cannot ask an agent.");
  };
  const context = { state, database: defaultProject(state).name, params: {}, ask };
  const run = (sql: string): Relation => runSql(context, sql).relation ?? { columns: [], rows: [] };
  return answer(scopeOf(state, agent.data), question, history, run);
}

export type EndEvent = Extract<AgentEvent, { kind: "answer" | "table" | "gaveUp" }>;

/** Returns the event that ends a run. */
export function findEndEvent(events: Iterable<AgentEvent>): EndEvent {
  let end: EndEvent = { kind: "answer", text: "" };
  for (const event of events) {
    if (event.kind === "answer" || event.kind === "table" || event.kind === "gaveUp") end = event;
  }
  return end;
}

/** Reads the last question of a request and the turns before it. */
export function readConversation(call: Call): { question: string; history: Turn[] } {
  const { messages } = call.json() as { messages?: unknown };
  if (!Array.isArray(messages)) {
    throw problem(400, "Missing parameter", 'Must provide "messages" parameter in POST body');
  }
  const turns = (messages as Record<string, unknown>[]).map(
    ({ question, answer: given, role, content }) => ({
      question: textOf(question ?? (role === "user" ? content : "")),
      answer: textOf(given),
    }),
  );
  const history = turns.slice(0, -1).filter((turn) => turn.question !== "");
  return { question: turns.at(-1)?.question ?? "", history };
}
