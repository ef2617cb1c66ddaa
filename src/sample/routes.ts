// The routes of the sample server.
import { createAgent, deleteAgent, updateAgent } from "./agentRoutes.ts";
import {
  getKnowledgeBase,
  getProject,
  listBranch,
  listDatabases,
  listFiles,
  listKnowledgeBases,
  listTables,
  listTree,
} from "./listings.ts";
import { createKnowledgeBase, deleteKnowledgeBase, insertRows } from "./knowledgeBaseRoutes.ts";
import { agentOf, projectOf } from "./lookup.ts";
import { describeModel, getModel, listModels, predictRows } from "./modelRoutes.ts";
import { complete, completeStream, querySql } from "./queryRoutes.ts";
import { json, problem } from "./replies.ts";
import type { Reply } from "./replies.ts";
import type { Call, Answer } from "./call.ts";

interface Route {
  method: string;
  path: RegExp;
  handle: (call: Call) => Answer;
}

function createRoute(method: string, path: string, handle: Route["handle"]): Route {
  const source = path.replace(/:(\w+)/g, "(?<$1>[^/]+)");
  return { method, path: new RegExp(`^${source}$`), handle };
}

const projectPath = "/api/projects/:project";

const routes: Route[] = [
  createRoute("GET", "/api/util/ping", () => json({ status: "ok" })),
  createRoute("GET", "/api/util/readiness", getReadiness),
  createRoute("GET", "/api/status", getStatus),
  createRoute("POST", "/api/login", ({ auth, json: body }) => auth.signIn(body())),
  createRoute("POST", "/api/logout", ({ auth, request }) => auth.signOut(request)),
  createRoute("GET", "/api/config/", getConfig),
  createRoute("GET", "/api/databases/", listDatabases),
  createRoute("GET", "/api/databases/:database/tables", listTables),
  createRoute("GET", "/api/tree/", listTree),
  createRoute("GET", "/api/tree/:database", listBranch),
  createRoute("GET", "/api/files/", listFiles),
  createRoute("POST", "/api/sql/query", querySql),
  createRoute("GET", "/api/projects/", ({ state }) =>
    json(state.projects.map(({ name }) => ({ name }))),
  ),
  createRoute("GET", projectPath, getProject),
  createRoute("GET", `${projectPath}/knowledge_bases`, listKnowledgeBases),
  createRoute("POST", `${projectPath}/knowledge_bases`, createKnowledgeBase),
  createRoute("GET", `${projectPath}/knowledge_bases/:kb`, getKnowledgeBase),
  createRoute("PUT", `${projectPath}/knowledge_bases/:kb`, insertRows),
  createRoute("DELETE", `${projectPath}/knowledge_bases/:kb`, deleteKnowledgeBase),
  createRoute("GET", `${projectPath}/agents`, (call) => json(projectOf(call).agents)),
  createRoute("POST", `${projectPath}/agents`, createAgent),
  createRoute("GET", `${projectPath}/agents/:agent`, (call) => json(agentOf(call).agent)),
  createRoute("PUT", `${projectPath}/agents/:agent`, updateAgent),
  createRoute("DELETE", `${projectPath}/agents/:agent`, deleteAgent),
  createRoute("POST", `${projectPath}/agents/:agent/completions`, complete),
  createRoute("POST", `${projectPath}/agents/:agent/completions/stream`, completeStream),
  createRoute("GET", `${projectPath}/models`, listModels),
  createRoute("GET", `${projectPath}/models/:model`, getModel),
  createRoute("POST", `${projectPath}/models/:model/predict`, predictRows),
  createRoute("GET", `${projectPath}/models/:model/describe`, describeModel),
  createRoute("GET", `${projectPath}/views`, () => json([])),
  createRoute("GET", `${projectPath}/jobs`, () => json([])),
];

/** The result of looking up a method and a path. */
export interface RouteMatch {
  /** The handler, or undefined if no route matches. */
  handle: Route["handle"] | undefined;
  params: Record<string, string>;
  /** The methods that the path supports. */
  methods: string[];
  /** Whether the path would match with a trailing slash. */
  unslashed: boolean;
}

/** Finds the route of a request. */
export function matchRoute(method: string, path: string): RouteMatch {
  const here = routes.filter((candidate) => candidate.path.test(path));
  const found = here.find((candidate) => candidate.method === method);
  const groups = Object.entries(found?.path.exec(path)?.groups ?? {});
  return {
    handle: found?.handle,
    params: Object.fromEntries(groups.map(([key, value]) => [key, decodeURIComponent(value)])),
    methods: here.map((candidate) => candidate.method),
    unslashed: here.length === 0 && routes.some((candidate) => candidate.path.test(`${path}/`)),
  };
}

function getStatus({ state, auth, request }: Call): Reply {
  const { version } = state;
  return json({ mindsdb_version: version, environment: "local", auth: auth.status(request) });
}

/** Real servers are not ready while a model is training, and the sample server has one that never finishes. */
function getReadiness({ state }: Call): Reply {
  const all = state.projects.flatMap((project) => project.models);
  if (all.some(({ row }) => row.status === "training")) {
    throw problem(503, "not ready", "not ready");
  }
  return json("");
}

function getConfig({ state, auth }: Call): Reply {
  return json({
    auth: { http_auth_enabled: auth.isEnabled },
    default_llm: state.defaultModel ?? {},
    default_embedding_model: {},
    default_reranking_model: {},
  });
}
