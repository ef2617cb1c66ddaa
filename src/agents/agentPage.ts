// The page of an agent: its state, and its calls.
import { itemCalls } from "../shared/itemPage.ts";
import type { AgentDetails } from "./agentDetails.ts";

export interface AgentContent {
  details?: AgentDetails;
}

export const agentCalls = {
  ...itemCalls,
  ask: [],
  edit: [],
  copyInstruction: [],
  openSettings: [],
} as const;
