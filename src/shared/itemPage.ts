// What the pages of agents, models, tables and knowledge bases have in common.
import * as v from "valibot";
import type { ItemRef } from "../mindsdb/references.ts";

export const itemRef = v.object({
  connectionId: v.string(),
  project: v.string(),
  name: v.string(),
});

/** A problem, with the title of the one button that helps, if any. */
export interface Notice {
  text: string;
  action?: string | undefined;
}

/** What the page of every item shows. */
export interface ItemState {
  item: ItemRef;
  title: string;
  connection: string;
  isLoading: boolean;
  /** The server no longer has the item. */
  isGone: boolean;
  notice?: Notice | undefined;
}

/** What the page of every item asks its host for. */
export const itemCalls = { refresh: [], runNoticeAction: [] } as const;

/** What the host tells a page about loading its item. */
export type LoadMessage =
  /** The server is being asked for the item. */
  | { type: "asking" }
  /** The item could not be read; with `isGone` it is no longer on the server. */
  | { type: "failed"; notice: Notice; isGone: boolean };

/** Sent by a page when the button of a notice was pressed. */
export const noticeButtonPressed = v.object({ type: v.literal("accept") });
