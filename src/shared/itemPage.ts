// Common state and calls of the pages of agents, models, tables and knowledge bases.
import * as v from "valibot";
import type { ItemRef } from "../mindsdb/references.ts";

export const itemRef = v.object({
  connectionId: v.string(),
  project: v.string(),
  name: v.string(),
});

/** A problem, or a question, with the title of the one button that helps, if any. */
export interface Notice {
  text: string;
  isQuestion?: boolean | undefined;
  action?: string | undefined;
}

/** The common state of item pages. */
export interface ItemState {
  item: ItemRef;
  title: string;
  connection: string;
  isLoading: boolean;
  /** The server no longer has the item. */
  isGone: boolean;
  notice?: Notice | undefined;
}

/** The common calls of item pages. */
export const itemCalls = { refresh: [], runNoticeAction: [] } as const;
