import type { AgentRef } from "../../mindsdb/references.ts";
import type { AgentAccess } from "../agentAccess.ts";
import type { ChatAgent } from "../transcript.ts";

type Connections = Pick<AgentAccess, "connectionName">;

/** Returns the agent with its connection's name; with its id if the connection was removed. */
export function toChatAgent(
  { connectionId, project, name }: AgentRef,
  connections: Connections,
): ChatAgent {
  const connection = connections.connectionName(connectionId) ?? connectionId;
  return { connectionId, connection, project, name };
}

/** Returns the agent with its connection's current name: it may have been renamed since. */
export function renameConnection(agent: ChatAgent, connections: Connections): ChatAgent {
  const connection = connections.connectionName(agent.connectionId) ?? agent.connection;
  return { ...agent, connection };
}
