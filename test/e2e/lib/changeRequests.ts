// Which requests could change something on a server.
import type { LoggedRequest } from "../../proxy/faultProxy.ts";

/** The requests that could change something, whatever the product calls them, as `METHOD /path`. */
export function listChanges(requests: readonly LoggedRequest[]): string[] {
  return requests.filter(isChange).map(({ method, path }) => `${method} ${path}`);
}

function isChange({ method, path: where, body }: LoggedRequest): boolean {
  if (method === "GET" || where === "/api/status" || where === "/api/login") return false;
  if (!where.endsWith("/sql/query")) return true;
  const { query } = JSON.parse(body.toString()) as { query: string };
  return !/^\s*(SELECT|SHOW|DESCRIBE)\b/i.test(query) || /query_cancel/i.test(query);
}
