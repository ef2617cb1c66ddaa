// The routes of the sample server: a table of method, path and what it answers from the state.
import type { IncomingMessage } from "node:http";
import { answer, defaultProject, scopeOf } from "./agent.ts";
import type { AgentEvent, Turn } from "./agent.ts";
import { agentProject, createAgent, deleteAgent, namedAgent, updateAgent } from "./agentRoutes.ts";
import type { Auth } from "./auth.ts";
import { runSql } from "./database.ts";
import { listBranch, listDatabases, listFiles, listTables, listTree } from "./listings.ts";
import { describe, findModel, predict } from "./models.ts";
import { crash, json, problem } from "./replies.ts";
import type { Reply } from "./replies.ts";
import { SqlError } from "./sql.ts";
import { textOf } from "./state.ts";
import type { Agent, KnowledgeBase, Model, Project, Relation, State } from "./state.ts";
import { stream25, stream26 } from "./streams.ts";
import type { StreamEvent } from "./streams.ts";

/** A request that found its route. `json` reads the body and refuses what is not JSON. */
export interface Call {
  state: State;
  auth: Auth;
  request: IncomingMessage;
  params: Record<string, string>;
  json: () => unknown;
}

/** What a route gives: a whole reply, or the events of a stream. */
export type Answer = Reply | { events: Iterable<StreamEvent> };

interface Route {
  method: string;
  path: RegExp;
  handle: (call: Call) => Answer;
}

interface SqlBody {
  query: string;
  context: { db?: string };
  params: Record<string, unknown>;
}

function route(method: string, path: string, handle: Route["handle"]): Route {
  const source = path.replace(/:(\w+)/g, "(?<$1>[^/]+)");
  return { method, path: new RegExp(`^${source}$`), handle };
}

const P = "/api/projects/:project";

const routes: Route[] = [
  route("GET", "/api/util/ping", () => json({ status: "ok" })),
  route("GET", "/api/util/readiness", readiness),
  route("GET", "/api/status", status),
  route("POST", "/api/login", ({ auth, json: body }) => auth.signIn(body())),
  route("POST", "/api/logout", ({ auth, request }) => auth.signOut(request)),
  route("GET", "/api/config/", config),
  route("GET", "/api/databases/", listDatabases),
  route("GET", "/api/databases/:database/tables", listTables),
  route("GET", "/api/tree/", listTree),
  route("GET", "/api/tree/:database", listBranch),
  route("GET", "/api/files/", listFiles),
  route("POST", "/api/sql/query", sqlQuery),
  route("GET", "/api/projects/", ({ state }) => json(state.projects.map(({ name }) => ({ name })))),
  route("GET", P, oneProject),
  route("GET", `${P}/knowledge_bases`, knowledgeBases),
  route("GET", `${P}/knowledge_bases/:kb`, oneKnowledgeBase),
  route("GET", `${P}/agents`, (call) => json(agentProject(call).agents)),
  route("POST", `${P}/agents`, createAgent),
  route("GET", `${P}/agents/:agent`, (call) => json(namedAgent(call).agent)),
  route("PUT", `${P}/agents/:agent`, updateAgent),
  route("DELETE", `${P}/agents/:agent`, deleteAgent),
  route("POST", `${P}/agents/:agent/completions`, completions),
  route("POST", `${P}/agents/:agent/completions/stream`, completionsStream),
  route("GET", `${P}/models`, models),
  route("GET", `${P}/models/:model`, oneModel),
  route("POST", `${P}/models/:model/predict`, predictRows),
  route("GET", `${P}/models/:model/describe`, describeModel),
  route("GET", `${P}/views`, () => json([])),
  route("GET", `${P}/jobs`, () => json([])),
];

/** What a method and a path lead to; `methods` are those the path knows. */
export function findRoute(
  method: string,
  path: string,
): {
  handle?: Route["handle"];
  params: Record<string, string>;
  methods: string[];
  unslashed: boolean;
} {
  const here = routes.filter((candidate) => candidate.path.test(path));
  const found = here.find((candidate) => candidate.method === method);
  const groups = found?.path.exec(path)?.groups ?? {};
  const params = Object.fromEntries(
    Object.entries(groups).map(([key, value]) => [key, decodeURIComponent(value)]),
  );
  const unslashed =
    here.length === 0 && routes.some((candidate) => candidate.path.test(`${path}/`));
  const methods = here.map((candidate) => candidate.method);
  return { ...(found ? { handle: found.handle } : {}), params, methods, unslashed };
}

function status({ state, auth, request }: Call): Reply {
  const { version } = state;
  return json({ mindsdb_version: version, environment: "local", auth: auth.status(request) });
}

/** A real server is not ready while any of its models is training; the sample's never finishes. */
function readiness({ state }: Call): Reply {
  const training = state.projects.some((p) => p.models.some((m) => m.row.status === "training"));
  if (training) throw problem(503, "not ready", "not ready");
  return json("");
}

function config({ state, auth, request }: Call): Reply {
  const { http_auth_enabled } = auth.status(request) as { http_auth_enabled: boolean };
  return json({
    auth: { http_auth_enabled },
    default_llm: state.defaultModel ?? {},
    default_embedding_model: {},
    default_reranking_model: {},
  });
}

/** The project of that name in any case, as `exact` only when the case is right. */
function project({ state, params }: Call): {
  found: Project | undefined;
  exact: boolean;
  name: string;
} {
  const name = params["project"] ?? "";
  const found = state.projects.find((candidate) => candidate.name === name.toLowerCase());
  return { found, exact: found?.name === name, name };
}

function oneProject(call: Call): Reply {
  const { found, name } = project(call);
  if (!found) throw problem(404, "Project not exists", `Project name ${name} does not exist`);
  return json({ name: found.name });
}

/** A project written in the wrong case seems to hold no knowledge bases and no models. */
function knowledgeBases(call: Call): Reply {
  const { found, exact, name } = project(call);
  if (!found) throw problem(404, "Project not found", `Project with name ${name} does not exist`);
  return json(exact ? found.knowledgeBases.map(({ row }) => ({ ...row, project_name: name })) : []);
}

function oneKnowledgeBase(call: Call): Reply {
  const { found, name } = project(call);
  if (!found) throw problem(404, "Project not found", `Project with name ${name} does not exist`);
  const kb = call.params["kb"] ?? "";
  const known: KnowledgeBase | undefined = found.knowledgeBases.find(({ row }) => row.name === kb);
  if (!known)
    throw problem(404, "Knowledge Base not found", `Knowledge Base with name ${kb} does not exist`);
  return json(known.row);
}

function models(call: Call): Reply {
  const { found, exact, name } = project(call);
  if (!found) throw problem(404, "Project not found", `Project name ${name} does not exist`);
  return json(exact ? found.models.map(({ row }) => row) : []);
}

function namedModel(call: Call, unknownProject: string): { project: Project; model: Model } {
  const { found, exact, name } = project(call);
  if (!found) throw problem(404, "Project not found", `${unknownProject} ${name} does not exist`);
  if (!exact) throw crash("AttributeError", "'NoneType' object has no attribute 'data'");
  const model = findModel(found, call.params["model"] ?? "");
  if (model) return { project: found, model };
  throw problem(404, "Model not found", `Model with name ${call.params["model"] ?? ""} not found`);
}

function oneModel(call: Call): Reply {
  const { model } = namedModel(call, "Project name");
  return json({ ...model.row, engine: model.engine, engine_name: model.engine });
}

function predictRows(call: Call): Reply {
  const { model } = namedModel(call, "Project with name");
  const body = call.json();
  if (Array.isArray(body))
    throw crash("TypeError", "list indices must be integers or slices, not str");
  return json(predict(call.state.dialect, model, (body as Record<string, unknown>)["data"]));
}

function describeModel(call: Call): Reply {
  const { project: owner, model } = namedModel(call, "Project name");
  const body = call.json();
  const attribute =
    typeof body === "object" ? (body as Record<string, unknown>)["attribute"] : null;
  return json(describe(call.state, owner, model, attribute));
}

function sqlQuery(call: Call): Reply {
  const { state } = call;
  const body = call.json() as Partial<SqlBody>;
  if (typeof body.query !== "string") throw crash("KeyError", "'query'");
  const database = body.context?.db ?? defaultProject(state).name;
  const context = { show_secrets: false, db: database };
  const ask = (agent: Agent, question: string) =>
    lastRelation(state, askAgent(state, agent, question, []));
  try {
    const outcome = runSql({ state, database, params: body.params ?? {}, ask }, body.query);
    if (outcome.relation) {
      const { columns, rows } = outcome.relation;
      return json({ type: "table", data: rows, column_names: columns, context });
    }
    const db = outcome.database ?? database;
    return json({ type: "ok", affected_rows: null, context: { ...context, db } });
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    return json({ type: "error", error_code: 0, error_message: error.message, context });
  }
}

/** Puts a question to an agent; its queries run in the default project. */
function askAgent(
  state: State,
  agent: Agent,
  question: string,
  history: Turn[],
): Iterable<AgentEvent> {
  const context = {
    state,
    database: defaultProject(state).name,
    params: {},
    ask: () => {
      throw new SqlError("An agent cannot ask an agent.");
    },
  };
  const run = (sql: string): Relation => runSql(context, sql).relation ?? { columns: [], rows: [] };
  return answer(scopeOf(state, agent.data), question, history, run);
}

/** What an agent gives where no stream is wanted: its text, or the rows of its last query. */
function lastRelation(state: State, events: Iterable<AgentEvent>): Relation {
  for (const event of events) {
    if (event.kind === "gaveUp") throw new SqlError(event.message);
    if (event.kind === "table") return event.relation;
    if (event.kind !== "answer") continue;
    return state.dialect === "26"
      ? { columns: ["answer"], rows: [[event.text]] }
      : { columns: ["answer", "context", "trace_id"], rows: [[event.text, "null", ""]] };
  }
  return { columns: ["answer"], rows: [] };
}

/** The conversation in a request: the last question, and the turns before it. */
function conversation(call: Call): { question: string; history: Turn[]; valid: boolean } {
  const body = call.json() as { messages?: unknown };
  if (body.messages === undefined) {
    throw problem(400, "Missing parameter", 'Must provide "messages" parameter in POST body');
  }
  if (!Array.isArray(body.messages)) return { question: "", history: [], valid: false };
  const turns = (body.messages as Record<string, unknown>[]).map((message) => ({
    question: textOf(message["question"] ?? (message["role"] === "user" ? message["content"] : "")),
    answer: textOf(message["answer"]),
  }));
  const history = turns.slice(0, -1).filter((turn) => turn.question !== "");
  return { question: turns.at(-1)?.question ?? "", history, valid: true };
}

/** 26 fails on every answer: it looks for columns that its own agent no longer gives. */
function completions(call: Call): Reply {
  const { question, history } = conversation(call);
  const { agent } = namedAgent(call);
  const relation = lastRelation(call.state, askAgent(call.state, agent, question, history));
  if (call.state.dialect === "26") {
    if (relation.rows.length === 0)
      throw crash("IndexError", "single positional indexer is out-of-bounds");
    throw crash("KeyError", relation.columns[0] === "answer" ? "'trace_id'" : "'answer'");
  }
  const content = textOf(relation.rows[0]?.[0]);
  return json({ message: { content, role: "assistant", trace_id: "" } });
}

function completionsStream(call: Call): Answer {
  const { question, history, valid } = conversation(call);
  const { found, name } = project(call);
  if (!found) throw crash("EntityNotExistsError", `Project not found: ${name}: unknown`);
  const { agent } = namedAgent(call);
  if (!valid) {
    const failed = { error: "Error in completion event generator" };
    return { events: [failed, { type: "end" }].map((data) => ({ data, works: false })) };
  }
  const events = askAgent(call.state, agent, question, history);
  const scope = scopeOf(call.state, agent.data);
  return {
    events: call.state.dialect === "26" ? stream26(events) : stream25(events, scope, question),
  };
}
