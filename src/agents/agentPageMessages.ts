// What the host and the page of one agent say to each other.
import * as v from "valibot";
import type { AgentDetails, AgentFieldNote } from "./agentDetails.ts";

const agentRef = v.object({ connectionId: v.string(), project: v.string(), name: v.string() });

/** What is wrong: a sentence, and the title of the one button that helps. */
export interface AgentNotice {
  text: string;
  action?: string;
}

export type ToAgentPage =
  | {
      type: "begin";
      agent: v.InferOutput<typeof agentRef>;
      connection: string;
      texts: AgentPageTexts;
    }
  /** The server is being asked for the agent. */
  | { type: "asking" }
  | { type: "read"; details: AgentDetails }
  /** The agent could not be read; `isGone`: it is not on the server any more. */
  | { type: "failed"; notice: AgentNotice; isGone: boolean };

/** The shape of everything the page may send. */
export const fromAgentPage = v.variant("type", [
  v.object({ type: v.literal("refresh") }),
  v.object({ type: v.literal("ask") }),
  v.object({ type: v.literal("edit") }),
  v.object({ type: v.literal("copyInstruction") }),
  /** The button of a notice was pressed. */
  v.object({ type: v.literal("accept") }),
]);
export type FromAgentPage = v.InferOutput<typeof fromAgentPage>;

/** What the page keeps; it survives hiding and a reload of the window. */
export const agentPageState = v.object({ agent: agentRef });
export interface AgentPageState extends v.InferOutput<typeof agentPageState> {
  scroll: number;
}

/** The page's texts, translated by the host. `{0}` and `{1}` are filled in by the page. */
export interface AgentPageTexts {
  /** `{0}` is the project, `{1}` the connection. */
  place: string;
  ask: string;
  edit: string;
  refresh: string;
  asking: string;

  model: string;
  defaultModel: string;
  created: string;
  updated: string;
  unknown: string;

  data: string;
  tables: string;
  knowledgeBases: string;
  none: string;
  instruction: string;
  copyInstruction: string;
  noInstruction: string;

  fields: string;
  field: string;
  value: string;
  type: string;
  absent: string;
  fieldNotes: Record<AgentFieldNote, string>;
}
