// Which requests only read: the ones that a read-only connection sends.
import { isObject } from "../json.ts";
import { kindOfSql } from "../sql/statementKind.ts";

/**
 * Whether a request surely changes nothing on the server. Asking an agent and predicting count as reads: they compute an
 * answer, which may cost money. A path or an option of a statement that is not known here is none.
 */
export function isReadRequest(method: string, path: string, body: unknown): boolean {
  if (method === "GET") return true;
  if (method !== "POST") return false;
  if (path === "/api/sql/query") return isReadStatement(body);
  return asksModel(path);
}

/** Whether a POST to this path asks an agent or a model, which may cost money. */
export function asksModel(path: string): boolean {
  const [empty, api, root, project, list, name, ...verbs] = path.split("/");
  if (empty !== "" || api !== "api" || root !== "projects" || !project || !name) return false;
  return readingPosts.has(`${list ?? ""}/${verbs.join("/")}`);
}

const readingPosts = new Set(["models/predict", "agents/completions", "agents/completions/stream"]);

/** Other parts of a statement's body, also of `context`, can make the server run it as a native query. */
function isReadStatement(body: unknown): boolean {
  if (!isObject(body)) return false;
  const { query, context = { db: "" } } = body;
  const isKnown = (key: string): boolean => ["query", "params", "context"].includes(key);
  if (typeof query !== "string" || !Object.keys(body).every(isKnown)) return false;
  const isContextKnown =
    isObject(context) && Object.keys(context).join() === "db" && typeof context["db"] === "string";
  return isContextKnown && kindOfSql(query) !== "write";
}
