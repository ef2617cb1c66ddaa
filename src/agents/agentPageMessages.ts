// Messages between the host and the page of one agent.
import * as v from "valibot";
import { itemRef, noticeButtonPressed, type LoadMessage } from "../shared/itemPage.ts";
import type { AgentDetails } from "./agentDetails.ts";
import type { AgentPageTexts } from "./agentPageTexts.ts";

export type ToAgentPage =
  | {
      type: "begin";
      agent: v.InferOutput<typeof itemRef>;
      connection: string;
      texts: AgentPageTexts;
    }
  | LoadMessage
  | { type: "read"; details: AgentDetails };

/** Schema of every message that the page may send. */
export const fromAgentPage = v.variant("type", [
  v.object({ type: v.literal("refresh") }),
  v.object({ type: v.literal("ask") }),
  v.object({ type: v.literal("edit") }),
  v.object({ type: v.literal("copyInstruction") }),
  noticeButtonPressed,
]);
export type FromAgentPage = v.InferOutput<typeof fromAgentPage>;

/** The page's saved state, which survives hiding and a reload of the window. */
export const agentPageState = v.object({ agent: itemRef });
export interface AgentPageState extends v.InferOutput<typeof agentPageState> {
  scroll: number;
}
