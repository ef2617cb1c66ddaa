// Interfaces to other features that the agents feature uses; `extension.ts` passes the implementations.
import type { AgentRef } from "../mindsdb/references.ts";
import type { JsonObject } from "../mindsdb/json.ts";

export interface AgentTreeAccess {
  /** Lets the user pick an agent from everything there is; `title` says what for. Undefined when closed. */
  pickAgent(title: string): Promise<AgentRef | undefined>;
  /** Reloads the project's agents and selects this one. The focus does not move. */
  revealAgent(agent: AgentRef): Promise<void>;
}

/** Shows the chat with an agent. */
export type AskAgent = (agent: AgentRef) => void;

/** The pages of agents that forms open. */
export interface AgentPages {
  /** Shows an agent's page; `row` is the agent as the server has just sent it, without keys. */
  open(agent: AgentRef, row?: JsonObject): void;
}
