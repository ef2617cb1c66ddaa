// The routes of the sample server.
import {
  createDataSource,
  getDataSource,
  installDriver,
  listHandlers,
  testConnection,
  updateDataSource,
} from "../dataSources/dataSourceRoutes.ts";
import { uploadFile } from "../files/fileRoutes.ts";
import { getConfig, updateConfig } from "./configRoutes.ts";
import { createAgent, deleteAgent, updateAgent } from "../agents/agentRoutes.ts";
import {
  deleteDatabase,
  getKnowledgeBase,
  listBranch,
  listDatabases,
  listKnowledgeBases,
} from "./listings.ts";
import {
  createKnowledgeBase,
  deleteKnowledgeBase,
  updateKnowledgeBase,
} from "../knowledgeBases/knowledgeBaseRoutes.ts";
import { createJob, listJobs } from "../jobs/jobRoutes.ts";
import { lookUpAgent, lookUpProject } from "./lookup.ts";
import { describeModel, getModel, listModels, predictRows } from "../models/modelRoutes.ts";
import { completeStream } from "../agents/completions.ts";
import { querySql } from "../sql/queryRoutes.ts";
import { createView, deleteView, getView, listViews, updateView } from "../views/viewRoutes.ts";
import { json } from "./replies.ts";
import type { Reply } from "./replies.ts";
import type { Call, Route } from "./call.ts";

/** Creates a route. `:name` in the path matches one part of it. */
export function createRoute(method: string, path: string, handle: Route["handle"]): Route {
  const source = path.replace(/:(\w+)/g, "(?<$1>[^/]+)");
  return { method, path: new RegExp(`^${source}$`), handle };
}

export const projectPath = "/api/projects/:project";

export const routes: Route[] = [
  createRoute("GET", "/api/status", getStatus),
  createRoute("GET", "/api/config/", getConfig),
  createRoute("PUT", "/api/config/", updateConfig),
  createRoute("GET", "/api/databases/", listDatabases),
  createRoute("POST", "/api/databases/", createDataSource),
  createRoute("POST", "/api/databases/status", testConnection),
  createRoute("GET", "/api/databases/:database", getDataSource),
  createRoute("PUT", "/api/databases/:database", updateDataSource),
  createRoute("DELETE", "/api/databases/:database", deleteDatabase),
  createRoute("GET", "/api/handlers/", listHandlers),
  createRoute("POST", "/api/handlers/:handler/install", installDriver),
  createRoute("GET", "/api/tree/:database", listBranch),
  createRoute("POST", "/api/sql/query", querySql),
  createRoute("GET", "/api/projects/", ({ state }) =>
    json(state.projects.map(({ name }) => ({ name }))),
  ),
  createRoute("GET", `${projectPath}/knowledge_bases`, listKnowledgeBases),
  createRoute("POST", `${projectPath}/knowledge_bases`, createKnowledgeBase),
  createRoute("GET", `${projectPath}/knowledge_bases/:kb`, getKnowledgeBase),
  createRoute("PUT", `${projectPath}/knowledge_bases/:kb`, updateKnowledgeBase),
  createRoute("DELETE", `${projectPath}/knowledge_bases/:kb`, deleteKnowledgeBase),
  createRoute("GET", `${projectPath}/agents`, (call) => json(lookUpProject(call).agents)),
  createRoute("POST", `${projectPath}/agents`, createAgent),
  createRoute("GET", `${projectPath}/agents/:agent`, (call) => json(lookUpAgent(call).agent)),
  createRoute("PUT", `${projectPath}/agents/:agent`, updateAgent),
  createRoute("DELETE", `${projectPath}/agents/:agent`, deleteAgent),
  createRoute("POST", `${projectPath}/agents/:agent/completions/stream`, completeStream),
  createRoute("PUT", "/api/files/:name", uploadFile),
  createRoute("GET", `${projectPath}/jobs`, listJobs),
  createRoute("POST", `${projectPath}/jobs`, createJob),
  createRoute("GET", `${projectPath}/views`, listViews),
  createRoute("POST", `${projectPath}/views`, createView),
  createRoute("GET", `${projectPath}/views/:view`, getView),
  createRoute("PUT", `${projectPath}/views/:view`, updateView),
  createRoute("DELETE", `${projectPath}/views/:view`, deleteView),
  createRoute("GET", `${projectPath}/models`, listModels),
  createRoute("GET", `${projectPath}/models/:model`, getModel),
  createRoute("POST", `${projectPath}/models/:model/predict`, predictRows),
  createRoute("GET", `${projectPath}/models/:model/describe`, describeModel),
];

/** Finds the route of a request, and the parts of its path. */
export function matchRoute(
  all: readonly Route[],
  method: string,
  path: string,
): { handle: Route["handle"]; params: Record<string, string> } | undefined {
  const found = all.find((route) => route.method === method && route.path.test(path));
  if (!found) return undefined;
  const groups = Object.entries(found.path.exec(path)?.groups ?? {});
  const params = Object.fromEntries(groups.map(([key, text]) => [key, decodeURIComponent(text)]));
  return { handle: found.handle, params };
}

function getStatus({ state }: Call): Reply {
  const auth = { confirmed: true, http_auth_enabled: false, provider: "disabled" };
  return json({ mindsdb_version: state.version, environment: "local", auth });
}
