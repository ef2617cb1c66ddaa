// Handlers that run SQL statements and ask agents, with a complete answer or a stream.
import { answer, defaultProject, scopeOf } from "./agent.ts";
import type { AgentEvent, Turn } from "./agent.ts";
import { runSql } from "./database.ts";
import { agentOf } from "./lookup.ts";
import { crash, json, problem } from "./replies.ts";
import type { Reply } from "./replies.ts";
import type { Answer, Call } from "./call.ts";
import { SqlError } from "./sql.ts";
import { textOf } from "./state.ts";
import type { Agent, Relation, State } from "./state.ts";
import { stream25, stream26 } from "./streams.ts";

interface SqlBody {
  query?: unknown;
  context?: { db?: string };
  params?: Record<string, unknown>;
}

/** `POST /api/sql/query`. SQL errors are returned with status 200, as on real servers. */
export function querySql(call: Call): Reply {
  const { state } = call;
  const { query, context, params = {} } = call.json() as SqlBody;
  if (typeof query !== "string") throw crash("KeyError", "'query'");
  const database = context?.db ?? defaultProject(state).name;
  const about = { show_secrets: false, db: database };
  const ask = (agent: Agent, question: string) => {
    const end = findEndEvent(askAgent(state, agent, question, []));
    if (end.kind === "gaveUp") throw new SqlError(end.message);
    return end.kind === "table" ? end.relation : toRelation(state, end.text);
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

/** `POST …/completions`. 26.x always fails here, because it reads columns that its agents no longer return. */
export function complete(call: Call): Reply {
  const { question, history } = readConversation(call);
  const { agent } = agentOf(call);
  const end = findEndEvent(askAgent(call.state, agent, question, history));
  if (call.state.dialect === "26") {
    if (end.kind === "gaveUp") throw crash("RuntimeError", `Agent failed: ${end.message}`);
    if (end.kind === "answer") throw crash("KeyError", "'trace_id'");
    if (end.relation.rows.length > 0) throw crash("KeyError", "'answer'");
    throw crash("IndexError", "single positional indexer is out-of-bounds");
  }
  const content = end.kind === "gaveUp" ? end.message : end.text;
  return json({ message: { content, role: "assistant", trace_id: "" } });
}

/** `POST …/completions/stream`. */
export function completeStream(call: Call): Answer {
  const { question, history, isList } = readConversation(call);
  const { state, params } = call;
  const name = params["project"] ?? "";
  if (!state.projects.some((project) => project.name === name.toLowerCase())) {
    throw crash("EntityNotExistsError", `Project not found: ${name}: unknown`);
  }
  const { agent } = agentOf(call);
  if (!isList) {
    const events = [{ error: "Error in completion event generator" }, { type: "end" }];
    return { events: events.map((data) => ({ data, works: false })) };
  }
  const events = askAgent(state, agent, question, history);
  if (state.dialect === "26") return { events: stream26(events) };
  return { events: stream25(events, scopeOf(state, agent.data), question) };
}

/** Asks an agent. Its queries run in the default project. */
function askAgent(
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

type EndEvent = Extract<AgentEvent, { kind: "answer" | "table" | "gaveUp" }>;

/** Returns the event that ends a run. */
function findEndEvent(events: Iterable<AgentEvent>): EndEvent {
  let end: EndEvent = { kind: "answer", text: "" };
  for (const event of events) {
    if (event.kind === "answer" || event.kind === "table" || event.kind === "gaveUp") end = event;
  }
  return end;
}

/** Converts a text answer to the rows that a SELECT from the agent returns. */
function toRelation(state: State, text: string): Relation {
  return state.dialect === "26"
    ? { columns: ["answer"], rows: [[text]] }
    : { columns: ["answer", "context", "trace_id"], rows: [[text, "null", ""]] };
}

/** Reads the last question of a request and the turns before it. */
function readConversation(call: Call): { question: string; history: Turn[]; isList: boolean } {
  const { messages } = call.json() as { messages?: unknown };
  if (messages === undefined) {
    throw problem(400, "Missing parameter", 'Must provide "messages" parameter in POST body');
  }
  if (!Array.isArray(messages)) return { question: "", history: [], isList: false };
  const turns = (messages as Record<string, unknown>[]).map(
    ({ question, answer: given, role, content }) => ({
      question: textOf(question ?? (role === "user" ? content : "")),
      answer: textOf(given),
    }),
  );
  const history = turns.slice(0, -1).filter((turn) => turn.question !== "");
  return { question: turns.at(-1)?.question ?? "", history, isList: true };
}
