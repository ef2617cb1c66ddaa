// The routes of the sample server: a table of method, path and what answers there.
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

function route(method: string, path: string, handle: Route["handle"]): Route {
  const source = path.replace(/:(\w+)/g, "(?<$1>[^/]+)");
  return { method, path: new RegExp(`^${source}$`), handle };
}

const projectPath = "/api/projects/:project";

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
  route("POST", "/api/sql/query", querySql),
  route("GET", "/api/projects/", ({ state }) => json(state.projects.map(({ name }) => ({ name })))),
  route("GET", projectPath, getProject),
  route("GET", `${projectPath}/knowledge_bases`, listKnowledgeBases),
  route("GET", `${projectPath}/knowledge_bases/:kb`, getKnowledgeBase),
  route("GET", `${projectPath}/agents`, (call) => json(projectOf(call).agents)),
  route("POST", `${projectPath}/agents`, createAgent),
  route("GET", `${projectPath}/agents/:agent`, (call) => json(agentOf(call).agent)),
  route("PUT", `${projectPath}/agents/:agent`, updateAgent),
  route("DELETE", `${projectPath}/agents/:agent`, deleteAgent),
  route("POST", `${projectPath}/agents/:agent/completions`, complete),
  route("POST", `${projectPath}/agents/:agent/completions/stream`, completeStream),
  route("GET", `${projectPath}/models`, listModels),
  route("GET", `${projectPath}/models/:model`, getModel),
  route("POST", `${projectPath}/models/:model/predict`, predictRows),
  route("GET", `${projectPath}/models/:model/describe`, describeModel),
  route("GET", `${projectPath}/views`, () => json([])),
  route("GET", `${projectPath}/jobs`, () => json([])),
];

/** What a method and a path lead to. */
export interface RouteMatch {
  /** What answers; nothing where no route does. */
  handle: Route["handle"] | undefined;
  params: Record<string, string>;
  /** The methods that the path knows. */
  methods: string[];
  /** Whether only a slash at the end is missing. */
  unslashed: boolean;
}

/** Looks a request up in the table. */
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

function status({ state, auth, request }: Call): Reply {
  const { version } = state;
  return json({ mindsdb_version: version, environment: "local", auth: auth.status(request) });
}

/** A real server is not ready while any of its models is training; the sample's never finishes. */
function readiness({ state }: Call): Reply {
  const all = state.projects.flatMap((project) => project.models);
  if (all.some(({ row }) => row.status === "training")) {
    throw problem(503, "not ready", "not ready");
  }
  return json("");
}

function config({ state, auth }: Call): Reply {
  return json({
    auth: { http_auth_enabled: auth.isEnabled },
    default_llm: state.defaultModel ?? {},
    default_embedding_model: {},
    default_reranking_model: {},
  });
}
