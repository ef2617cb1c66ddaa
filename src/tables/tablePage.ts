// The page of a table: its state, and its calls.
import * as v from "valibot";
import { itemCalls } from "../shared/itemPage.ts";
import type { PreviewRows } from "./previewRows.ts";

export interface TableContent {
  isView?: boolean;
  preview?: PreviewRows;
}

export const tableCalls = {
  ...itemCalls,
  copySelect: [],
  useInAgent: [],
  copyText: [v.string()],
} as const;
