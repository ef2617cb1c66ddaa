// The page of an ML engine: its state, and its calls.
import * as v from "valibot";
import type { ItemPlace } from "../mindsdb/references.ts";
import { itemCalls } from "../shared/itemPage.ts";

export interface MlEngineContent {
  handler?: string;
  /** Without the values of secrets. */
  parameters?: { name: string; value?: string }[];
  /** The models of all engines of this handler; undefined if they could not be listed. */
  models?: ItemPlace[] | undefined;
  /** Whether other engines have this handler: servers do not say which of them a model uses. */
  hasSiblings?: boolean;
}

export const mlEngineCalls = {
  ...itemCalls,
  copyAsSql: [],
  remove: [],
  showModel: [v.object({ project: v.string(), name: v.string() })],
} as const;
