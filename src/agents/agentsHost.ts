// What the agents feature needs of the rest of the product; `extension.ts` hands it over.
import type { AgentRef } from "../mindsdb/references.ts";
import type { JsonObject } from "../mindsdb/json.ts";

/** The tree in which agents are shown. */
export interface AgentTreeAccess {
  /** Lets the user pick an agent from everything there is; `title` says what for. Undefined when closed. */
  pickAgent(title: string): Promise<AgentRef | undefined>;
  /** Loads the project's agents anew and selects this one. The focus stays where it is. */
  revealAgent(agent: AgentRef): Promise<void>;
}

/** Shows the chat with an agent. */
export type AskAgent = (agent: AgentRef) => void;

/** The pages of agents, as far as forms need them. */
export interface AgentPages {
  /** Shows an agent's page; `row` is the agent as the server has just given it, without keys. */
  open(agent: AgentRef, row?: JsonObject): void;
}
