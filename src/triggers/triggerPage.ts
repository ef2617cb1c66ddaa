// The page of a trigger: its state, and its calls.
import type { Trigger } from "../mindsdb/listItems.ts";
import { itemCalls } from "../shared/itemPage.ts";

export interface TriggerContent {
  trigger?: Trigger;
}

export const triggerCalls = { ...itemCalls, copyStatement: [], remove: [] } as const;
