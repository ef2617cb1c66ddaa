// Messages between the host and the page of one table.
import * as v from "valibot";
import type { TableTexts } from "./tableTexts.ts";
import { itemRef, noticeButtonPressed, type LoadMessage } from "../shared/itemPage.ts";
import type { PreviewRows } from "./previewRows.ts";

export type ToPage =
  | {
      type: "begin";
      table: v.InferOutput<typeof itemRef>;
      title: string;
      connection: string;
      texts: TableTexts;
      locale: string;
    }
  | LoadMessage
  | { type: "read"; preview: PreviewRows };

export const toHost = v.variant("type", [
  v.object({ type: v.literal("refresh") }),
  v.object({ type: v.literal("copySelect") }),
  v.object({ type: v.literal("useInAgent") }),
  v.object({ type: v.literal("copyText"), text: v.string() }),
  noticeButtonPressed,
]);
export type ToHost = v.InferOutput<typeof toHost>;

export const pageState = v.object({ table: itemRef });
export interface PageState extends v.InferOutput<typeof pageState> {
  scroll: number;
}
