// Which requests only read: the ones that a read-only connection sends.
import { isObject } from "../json.ts";
import { kindOfSql } from "../sql/statementKind.ts";

/** Where statements are sent. */
export const statementPath = "/api/sql/query";

/**
 * Whether a request is known to change nothing on the server. Asking an agent and predicting count as reads: they
 * compute an answer, which may cost money. Unknown paths and options count as writes.
 */
export function isReadRequest(method: string, path: string, body: unknown): boolean {
  if (method === "GET") return true;
  if (method !== "POST") return false;
  if (path === statementPath) return isReadStatement(body);
  return asksModel(path) && (!path.endsWith("/predict") || holdsOnlyRows(body));
}

const rowsStart = Buffer.from('{"data":[');
const rowsEnd = Buffer.from("]}");

/**
 * Whether the body of a prediction has rows and no `params`: with `api_base` in those, the engine `openai` sends its key to
 * that address (26.1.0 and 25.14.1).
 */
function holdsOnlyRows(body: unknown): boolean {
  if (!(body instanceof Uint8Array)) return isObject(body) && Object.keys(body).join() === "data";
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  // As requestBody.ts writes it: what follows the rows would end with a brace of its own.
  return (
    bytes.subarray(0, rowsStart.length).equals(rowsStart) &&
    bytes.subarray(-rowsEnd.length).equals(rowsEnd)
  );
}

/** Whether a POST to this path asks an agent or a model, which may cost money. */
export function asksModel(path: string): boolean {
  const [empty, api, root, project, list, name, ...verbs] = path.split("/");
  if (empty !== "" || api !== "api" || root !== "projects" || !project || !name) return false;
  return readingPosts.has(`${list ?? ""}/${verbs.join("/")}`);
}

const readingPosts = new Set(["models/predict", "agents/completions", "agents/completions/stream"]);

/** Other parts of a statement's body, also of `context`, can make the server run it as a native query. */
const knownFields = new Set(["query", "params", "context", "response_format"]);

function isReadStatement(body: unknown): boolean {
  if (!isObject(body)) return false;
  const { query, context = { db: "" }, response_format: format = "jsonlines" } = body;
  const isKnown = (key: string): boolean => knownFields.has(key);
  if (typeof query !== "string" || !Object.keys(body).every(isKnown)) return false;
  const isFormatKnown = format === "jsonlines";
  const isContextKnown =
    isObject(context) && Object.keys(context).join() === "db" && typeof context["db"] === "string";
  return isFormatKnown && isContextKnown && kindOfSql(query) !== "write";
}
