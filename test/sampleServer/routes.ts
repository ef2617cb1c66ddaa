// Routes that only tests need: those of real servers that the product does not call, and those that differ between
// servers.
import { findScope } from "../../src/sample/agents/agent.ts";
import { createAgent, updateAgent } from "../../src/sample/agents/agentRoutes.ts";
import type { Answer, Call, Route } from "../../src/sample/server/call.ts";
import { isObject, readFields } from "../../src/sample/server/fields.ts";
import {
  collectDatabases,
  findDatabase,
  listDatabases,
  listEntries,
  listKnowledgeBases,
} from "../../src/sample/server/listings.ts";
import { lookUpAgent, lookUpModel, lookUpProject } from "../../src/sample/server/lookup.ts";
import {
  describeModel,
  getModel,
  listModels,
  predictRows,
} from "../../src/sample/models/modelRoutes.ts";
import {
  askAgent,
  completeStream,
  findEndEvent,
  readConversation,
} from "../../src/sample/agents/completions.ts";
import { jsonLines, runQuery } from "../../src/sample/sql/queryRoutes.ts";
import { crash, json, problem } from "../../src/sample/server/replies.ts";
import type { Reply } from "../../src/sample/server/replies.ts";
import { createRoute, projectPath } from "../../src/sample/server/routes.ts";
import type { KnowledgeBase } from "../../src/sample/server/state.ts";
import type { Auth } from "./auth.ts";
import { BackgroundQueries } from "./backgroundQueries.ts";
import { findProblems } from "./exactAgents.ts";
import { createKnowledgeBaseExactly, updateKnowledgeBaseExactly } from "./exactKnowledgeBases.ts";
import { pythonRepr } from "./pythonFormats.ts";
import { arrangeSearchColumns, stream25 } from "./streams25.ts";
import { findSyntaxError } from "./syntaxErrors.ts";

/** The server generation that a test server imitates: 25.14.1 or 26.1.0. */
export type Dialect = "25" | "26";

/** The routes of a test server that come before those of the sample server. */
export function createRoutes(dialect: Dialect, auth: Auth): Route[] {
  const agents = `${projectPath}/agents`;
  const models = `${projectPath}/models`;
  const queries = new BackgroundQueries();
  return [
    createRoute("GET", "/api/util/ping", () => json({ status: "ok" })),
    createRoute("GET", "/api/util/readiness", getReadiness),
    createRoute("GET", "/api/status", ({ state, message }) => {
      const status = { mindsdb_version: state.version, environment: "local" };
      return json({ ...status, auth: auth.status(message) });
    }),
    createRoute("POST", "/api/login", ({ json: readBody }) => auth.signIn(readBody())),
    createRoute("POST", "/api/logout", ({ message }) => auth.signOut(message)),
    createRoute("GET", "/api/config/", ({ state }) =>
      json({
        auth: { http_auth_enabled: auth.isEnabled },
        default_llm: state.defaultModel ?? {},
        // Real servers have none at first.
        default_embedding_model: withoutSample(state.defaultEmbeddingModel),
        default_reranking_model: state.defaultRerankingModel ?? {},
      }),
    ),
    createRoute("GET", "/api/databases/", (call) => nameEngines(dialect, listDatabases(call))),
    createRoute("GET", "/api/databases/:database/tables", listTables),
    createRoute("GET", "/api/tree/", (call) => nameEngines(dialect, listTree(call))),
    createRoute("GET", "/api/files/", listFiles),
    createRoute(
      "POST",
      "/api/sql/query",
      (call) => queries.answer(call) ?? querySqlExactly(dialect, call),
    ),
    createRoute("GET", projectPath, getProject),
    createRoute("GET", `${projectPath}/knowledge_bases`, (call) => {
      const reply = listKnowledgeBases(call);
      return isExact(call) ? reply : json([]);
    }),
    createRoute("POST", `${projectPath}/knowledge_bases`, (call) => {
      const reply = createKnowledgeBaseExactly(call);
      if (dialect === "26") return reply;
      const { row } = lookUpProject(call).knowledgeBases.at(-1) ?? {};
      if (row) useChroma(row);
      return json(row, 201);
    }),
    createRoute("PUT", `${projectPath}/knowledge_bases/:kb`, (call) =>
      updateKnowledgeBaseExactly(dialect, call),
    ),
    createRoute("POST", agents, (call) => createAgentExactly(dialect, call)),
    createRoute("PUT", `${agents}/:agent`, (call) => updateAgentExactly(dialect, call)),
    createRoute("POST", `${agents}/:agent/completions`, (call) => complete(dialect, call)),
    createRoute("POST", `${agents}/:agent/completions/stream`, (call) =>
      completeStreamExactly(dialect, call),
    ),
    createRoute("GET", models, (call) => {
      findProject(call, "Project name");
      return isExact(call) ? listModels(call) : json([]);
    }),
    createRoute("GET", `${models}/:model`, (call) => {
      checkProject(call, "Project name");
      return getModel(call);
    }),
    createRoute("POST", `${models}/:model/predict`, (call) => {
      checkProject(call, "Project with name");
      lookUpModel(call);
      if (Array.isArray(call.json())) {
        throw crash("TypeError", "list indices must be integers or slices, not str");
      }
      return predictRows(call);
    }),
    createRoute("GET", `${models}/:model/describe`, (call) => {
      checkProject(call, "Project name");
      return describeModel(call);
    }),
  ];
}

/** Whether the path has the project's name in the right case. With another case, real servers return empty lists. */
function isExact({ params }: Call): boolean {
  return params["project"] === params["project"]?.toLowerCase();
}

/** Throws if the path's project does not exist. `words` starts the message, which differs between routes. */
function findProject({ state, params }: Call, words: string): void {
  const name = params["project"] ?? "";
  if (state.projects.some((project) => project.name === name.toLowerCase())) return;
  throw problem(404, "Project not found", `${words} ${name} does not exist`);
}

/** Throws if the path's project does not exist or is in another case. */
function checkProject(call: Call, words: string): void {
  findProject(call, words);
  if (!isExact(call)) throw crash("AttributeError", "'NoneType' object has no attribute 'data'");
}

/** Real servers are not ready while a model is training, and this server has one that never finishes. */
function getReadiness({ state }: Call): Reply {
  const all = state.projects.flatMap((project) => project.models);
  if (all.some(({ row }) => row.status === "training")) {
    throw problem(503, "not ready", "not ready");
  }
  return json("");
}

/** `GET /api/databases/{database}/tables`. */
function listTables({ state, params }: Call): Reply {
  const { project, tables } = findDatabase(state, params["database"] ?? "");
  if (project) {
    const entries = listEntries(project).map(({ name, type }) => {
      return { name, type: type.replace("_", " ") };
    });
    return json([{ name: "models", type: "data" }, ...entries]);
  }
  if (!tables) throw crash("AttributeError", "'NoneType' object has no attribute 'get_tables'");
  return json(tables.map(({ name }) => ({ name, type: "data" })));
}

/** `GET /api/tree/`. */
function listTree({ state }: Call): Reply {
  const rows = collectDatabases(state).map(({ name, type, engine, deletable }) => {
    return { name, class: "db", type, engine, deletable, visible: true };
  });
  return json(rows);
}

/** `GET /api/files/`: the tables of the data source `files` and their columns. */
function listFiles({ state }: Call): Reply {
  return json(
    state.tables.map(({ name, rows, columns }) => ({ name, row_count: rows.length, columns })),
  );
}

/** `GET /api/projects/{project}`. The name is case-insensitive. */
function getProject({ state, params }: Call): Reply {
  const name = params["project"] ?? "";
  const found = state.projects.find((project) => project.name === name.toLowerCase());
  if (found) return json({ name: found.name });
  throw problem(404, "Project not exists", `Project name ${name} does not exist`);
}

/** Names the vector database of a knowledge base as 25.x does. */
export function useChroma(row: KnowledgeBase["row"]): void {
  row.vector_database = `${row.name}_chromadb`;
  row["vector_database_table"] = "default_collection";
  row["params"] = { default_vector_storage: row.vector_database, version: 2 };
}

/** Names the engines of the vector databases of a 25.x server. */
function withoutSample(model: Record<string, unknown> = {}): Record<string, unknown> {
  return model["provider"] === "sample" ? {} : model;
}

function nameEngines(dialect: Dialect, reply: Reply): Reply {
  if (dialect === "26") return reply;
  return { ...reply, body: reply.body.replaceAll('"duckdb_faiss"', '"chromadb"') };
}

/** `POST …/agents`. 26.x answers every invalid agent with the same 404, which contains the API key. */
function createAgentExactly(dialect: Dialect, call: Call): Reply {
  if (dialect === "25") return createAgent(call);
  const given = readFields(call, "agent");
  const model = isObject(given["model"]) ? given["model"] : undefined;
  lookUpProject(call);
  // Before it looks for the tables.
  tryModel(model);
  const reply = createAgent(call);
  try {
    if (findProblems(call.state, given, model).length > 0) {
      const detail = `The model "${pythonRepr(model)}" does not exist. Please ensure that the name is correct and try again.`;
      throw problem(404, "Resource not found", detail);
    }
  } catch (error) {
    lookUpProject(call).agents.pop();
    throw error;
  }
  return reply;
}

/** `PUT …/agents/{agent}`. 26.x does not store a new name if it is the only field. */
function updateAgentExactly(dialect: Dialect, call: Call): Reply {
  if (dialect === "25") return updateAgent(call);
  const { agents } = lookUpProject(call);
  const at = agents.findIndex(({ name }) => name === call.params["agent"]);
  const before = agents[at];
  const reply = updateAgent(call);
  if (!before) return reply;
  const given = readFields(call, "agent");
  const model = isObject(given["model"]) ? given["model"] : undefined;
  const [cause] = findProblems(call.state, given, model ?? before.model);
  const isBareRename = Object.keys(given).every((key) => key === "name");
  const changed = agents[at] ?? before;
  agents[at] = before;
  if (cause !== undefined) throw problem(400, "Wrong arguments", cause);
  tryModel(model);
  if (!isBareRename) agents[at] = changed;
  return reply;
}

/** 26.x calls the model when an agent is created. Here no model is called; keys that start with `bad` are rejected. */
function tryModel(model: Record<string, unknown> | undefined): void {
  const key = model?.["api_key"];
  if (typeof key !== "string" || !/^(sk-)?bad\b/.test(key)) return;
  const body = {
    message: `Incorrect API key provided: ${key}.`,
    type: "invalid_request_error",
    param: null,
    code: "invalid_api_key",
  };
  const name = String(model?.["model_name"]);
  throw crash("ModelHTTPError", `status_code: 401, model_name: ${name}, body: ${pythonRepr(body)}`);
}

/** `POST …/completions`. 26.x always fails here, because it reads columns that its agents no longer return. */
function complete(dialect: Dialect, call: Call): Reply {
  const { question, history } = readConversation(readMessages(call));
  const { agent } = lookUpAgent(call);
  const end = findEndEvent(askAgent(call.state, agent, question, history));
  if (dialect === "26") {
    if (end.kind === "gaveUp") throw crash("RuntimeError", `Agent failed: ${end.message}`);
    if (end.kind === "answer") throw crash("KeyError", "'trace_id'");
    if (end.relation.rows.length > 0) throw crash("KeyError", "'answer'");
    throw crash("IndexError", "single positional indexer is out-of-bounds");
  }
  const content = end.kind === "gaveUp" ? end.message : end.text;
  return json({ message: { content, role: "assistant", trace_id: "" } });
}

function readMessages(call: Call): unknown[] {
  const { messages } = call.json() as { messages?: unknown };
  if (Array.isArray(messages)) return messages;
  throw problem(400, "Missing parameter", 'Must provide "messages" parameter in POST body');
}

/** `POST …/completions/stream`. */
function completeStreamExactly(dialect: Dialect, call: Call): Answer {
  const { state, params } = call;
  const body = call.json();
  const messages = isObject(body) ? body["messages"] : undefined;
  const name = params["project"] ?? "";
  if (messages === undefined) readMessages(call);
  else {
    if (!state.projects.some((project) => project.name === name.toLowerCase())) {
      throw crash("EntityNotExistsError", `Project not found: ${name}: unknown`);
    }
    if (dialect === "25" && Array.isArray(messages)) {
      const { agent } = lookUpAgent(call);
      const { question, history } = readConversation(messages);
      const events = askAgent(state, agent, question, history);
      return { events: stream25(events, findScope(state, agent.data), question) };
    }
  }
  return completeStream(call);
}

interface SqlBody {
  query?: unknown;
  params?: Record<string, unknown>;
  response_format?: string | null;
}

interface SqlResult {
  type: "table" | "ok" | "error";
  data?: unknown[][];
  column_names?: string[];
  error_message?: string;
}

/** `POST /api/sql/query`, with the columns and the messages of real servers. */
function querySqlExactly(dialect: Dialect, call: Call): Reply {
  const body = call.json();
  const { query, params, response_format: format } = (isObject(body) ? body : {}) as SqlBody;
  if (typeof query !== "string") throw crash("KeyError", "'query'");
  const about = { show_secrets: false, db: "mindsdb" };
  // Real servers answer USE with the name of the database, and forget it.
  const [, used] = /^\s*use\s+(\w+)\s*$/i.exec(query) ?? [];
  if (used !== undefined) {
    return json({ type: "ok", affected_rows: null, context: { ...about, db: used } });
  }
  const result = {
    ...(runQuery(call) as SqlResult),
    context: about,
  };
  const { data: rows = [], column_names: columns = [], error_message: message = "" } = result;
  if (message.startsWith("Syntax error:")) {
    result.error_message = findSyntaxError(query, params) ?? message;
  } else if (/^(Binder|Catalog) Error:/.test(message)) {
    result.error_message = wrapEngineError(message, query);
  }
  if (result.type !== "table") return json(result);
  let relation = arrangeSearchColumns(dialect, { columns, rows });
  // An agent of 25.x returns more columns.
  if (dialect === "25" && columns.join() === "answer,question") {
    relation = {
      columns: ["answer", "context", "trace_id", "question"],
      rows: rows.map(([answer, question]) => [answer, "null", "", question]),
    };
  }
  // 25.x ignores the format.
  if (dialect === "26" && format === "jsonlines") return jsonLines(relation.columns, relation.rows);
  return json({ ...result, data: relation.rows, column_names: relation.columns });
}

/** Wraps an error of the table's engine as real servers do. */
function wrapEngineError(message: string, sql: string): string {
  const indent = (text: string) => text.replace(/^/gm, "    ");
  return [
    "[file/files]: An error occurred while processing an internally generated query derived from your original SQL statement.",
    "Database Details:\n- Type: DuckDB",
    `Error:\n${indent(message)}`,
    `Failed Query:\n${indent(sql)}`,
  ].join("\n\n");
}
