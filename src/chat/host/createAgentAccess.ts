import { loadRedaction } from "../../mindsdb/redact/redact.ts";
import type { ServerAccess } from "../../shared/connection.ts";
import type { Turn } from "../../mindsdb/conversationTurn.ts";
import type { StepEvent } from "../../mindsdb/stream/stepEvents.ts";
import { explainError } from "../../shared/host/errorMessages.ts";
import type { AgentRef } from "../../mindsdb/references.ts";
import type { AgentAccess } from "../agentAccess.ts";

/** Creates the chat's access to agents. The client library is imported with the first question. */
export function createAgentAccess(servers: ServerAccess): AgentAccess {
  loadRedaction();
  return {
    ask: (agent, messages, signal, onFrame) => ask(servers, agent, messages, signal, onFrame),
    connectedData: async (agent, signal) => {
      const { readConnectedData } = await import("./connectedData.ts");
      return readConnectedData(await servers.client(agent.connectionId), agent, signal);
    },
    connectionName: (connectionId) => servers.find(connectionId)?.name,
    acceptsChanges: (connectionId) =>
      (servers.find(connectionId)?.protection ?? "readOnly") !== "readOnly",
    redact: (text, { connectionId }) => servers.secrets(connectionId).redactWhole(text),
    explain: (error, { connectionId }) =>
      explainError(error, { connectionId, address: servers.find(connectionId)?.address }),
  };
}

async function* ask(
  servers: ServerAccess,
  { connectionId, project, name }: AgentRef,
  messages: Turn[],
  signal: AbortSignal,
  onFrame: (frame: string) => void,
): AsyncGenerator<StepEvent> {
  const { askAgent } = await import("../../mindsdb/agents.ts");
  const client = await servers.client(connectionId);
  signal.throwIfAborted();
  yield* askAgent(client, project, name, messages, signal, onFrame);
}
