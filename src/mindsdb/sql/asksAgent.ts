import { listAgents } from "../agents.ts";
import type { CallOptions, Client } from "../http/client.ts";
import { isSameName } from "../nameOrder.ts";
import { findPossibleAgents } from "./statementKind.ts";

/**
 * Whether a statement reads from an agent. That costs money without a question, too: 26.1.0 asks an agent whatever the
 * condition is about, and both versions ask one that is joined once for each row. One request for each project.
 */
export async function asksAgent(
  client: Client,
  sql: string,
  options: CallOptions = {},
): Promise<boolean> {
  const names = findPossibleAgents(sql)
    // Without a project's name it is the default one.
    .map((name) => (name.length === 1 ? ["mindsdb", ...name] : name))
    .filter(({ length }) => length === 2);
  const projects = new Set(names.map(([project = ""]) => project.toLowerCase()));
  for (const project of projects) {
    // The first part may be a data source.
    const agents = await listAgents(client, project, options).catch(() => []);
    const isAsked = agents.some((agent) =>
      names.some(([of = "", name = ""]) => isSameName(of, project) && isSameName(name, agent.name)),
    );
    if (isAsked) return true;
  }
  return false;
}
