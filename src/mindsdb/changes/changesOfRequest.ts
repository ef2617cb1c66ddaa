// Derives changes on a server from the path and result of a request.
import { AppError, isAppError } from "../errors.ts";
import { filesSource } from "../filesSource.ts";
import type { ListKind, ServerObservation } from "./serverChange.ts";

const listOf: Record<string, ListKind> = {
  agents: "agents",
  jobs: "jobs",
  knowledge_bases: "knowledgeBases",
  models: "models",
  views: "views",
};

/** Observations from a successful request: what it may have changed, and that the server answers. */
export function changesOfSuccess(method: string, path: string): ServerObservation[] {
  const answered: ServerObservation = { kind: "answered" };
  if (method === "GET") return [answered];
  const parts = splitPath(path);
  if (parts[1] === "databases") {
    // A POST to it only tries a connection.
    const isTest = method === "POST" && parts[2] === "status";
    return isTest ? [answered] : [answered, { kind: "changed", list: "projects" }];
  }
  const [, root, file] = parts;
  if (root === "files" && file) {
    return [answered, { kind: "changed", list: "tables", project: filesSource, name: file }];
  }
  const place = placeIn(parts);
  // POSTs to paths below an item predict or ask; they change nothing.
  if (!place || place.isBelow) return [answered];
  const { list, project, name } = place;
  return [answered, { kind: "changed", list, project, ...(name === undefined ? {} : { name }) }];
}

/** Observations from a failed request: what does not exist, and whether there is a server. */
export function changesOfFailure(path: string, error: unknown): ServerObservation[] {
  if (isAppError(error, "unreachable")) return [{ kind: "unreachable" }];
  if (!(error instanceof AppError) || error.status === undefined) return [];
  // A gateway answers so for a server that it can't reach.
  if ([502, 503, 504].includes(error.status)) return [];
  const reached: ServerObservation = { kind: "reached" };
  const place = error.status === 404 ? placeIn(splitPath(path)) : undefined;
  if (!place) return [reached];
  const { list, project, name } = place;
  const isProject = /\bproject\b/i.test(error.message);
  return [
    reached,
    ...(name === undefined ? [] : [{ kind: "missing", list, project, name } as const]),
    ...(isProject ? [{ kind: "missing", list: "projects", project, name: project } as const] : []),
  ];
}

function splitPath(path: string): string[] {
  return path.split("/").slice(1).map(decodeURIComponent);
}

function placeIn([api, root, project, kind = "", name, ...below]: string[]):
  { list: ListKind; project: string; name?: string; isBelow: boolean } | undefined {
  if (api !== "api" || root !== "projects" || !project || !Object.hasOwn(listOf, kind)) {
    return undefined;
  }
  const list = listOf[kind]!;
  const isBelow = below.length > 0;
  if (name === undefined) return { list, project, isBelow };
  // `name.3` is a version of the model.
  return { list, project, name: list === "models" ? name.replace(/\.\d+$/, "") : name, isBelow };
}
