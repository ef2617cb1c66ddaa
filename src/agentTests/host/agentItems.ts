import type { ServerAccess } from "../../shared/connection.ts";
import type { AgentRef } from "../../mindsdb/references.ts";
import { KnownTargets } from "./files/knownTargets.ts";

/** An agent in a list to select from. */
export interface AgentItem {
  label: string;
  description: string;
  agent: AgentRef;
}

/** The agents of all servers that can be asked. */
export async function listAgentItems(servers: ServerAccess): Promise<AgentItem[]> {
  const known = new KnownTargets(servers);
  const lists = servers.list().map(async (connection) => {
    const names = [...((await known.list(connection, "agent")) ?? [])];
    return names.map((path): AgentItem => {
      const slash = path.indexOf("/");
      const project = path.slice(0, slash);
      const name = path.slice(slash + 1);
      return {
        label: name,
        description: `${project} · ${connection.name}`,
        agent: { connectionId: connection.id, project, name },
      };
    });
  });
  return (await Promise.all(lists)).flat();
}
