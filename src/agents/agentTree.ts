// What the agents feature needs of the rest of the product; `extension.ts` hands it over.
import type { AgentRef } from "../chat/agentAccess.ts";

/** The tree in which agents are shown. */
export interface AgentTree {
  /** Lets the user pick an agent from everything there is; `title` says what for. Undefined when closed. */
  pickAgent(title: string): Promise<AgentRef | undefined>;
  /** Loads the project's agents anew and selects this one. The focus stays where it is. */
  revealAgent(agent: AgentRef): Promise<void>;
  /** Loads the project's agents anew. */
  refreshAgents(project: { connectionId: string; project: string }): Promise<void>;
}

/** Shows the chat with an agent. */
export type AskAgent = (agent: AgentRef) => void;
