// Messages between the host and the page of one table.
import * as v from "valibot";
import { itemRef, noticeButtonPressed, type LoadMessage } from "../shared/itemPage.ts";
import type { PreviewRows } from "./previewRows.ts";

export type ToPage =
  | {
      type: "begin";
      table: v.InferOutput<typeof itemRef>;
      /** The table's name, without its data source. */
      title: string;
      connection: string;
      texts: TableTexts;
      locale: string;
    }
  | LoadMessage
  | { type: "read"; preview: PreviewRows };

/** Schema of every message that the page may send. */
export const toHost = v.variant("type", [
  v.object({ type: v.literal("refresh") }),
  v.object({ type: v.literal("copySelect") }),
  v.object({ type: v.literal("useInAgent") }),
  v.object({ type: v.literal("copyText"), text: v.string() }),
  noticeButtonPressed,
]);
export type ToHost = v.InferOutput<typeof toHost>;

/** The page's saved state, which survives hiding and a reload of the window. */
export const pageState = v.object({ table: itemRef });
export interface PageState extends v.InferOutput<typeof pageState> {
  scroll: number;
}

/** The page's texts, translated by the host. `{0}` and `{1}` are filled in by the page. */
export interface TableTexts {
  /** `{0}` is the data source, `{1}` the connection. */
  place: string;
  useInAgent: string;
  copySelect: string;
  refresh: string;
  asking: string;
  grid: string;
  gridHelp: string;
  /** The value at a column and row: `{0}` and `{1}`. */
  cell: string;
  noRows: string;
  oneRow: string;
  /** `{0}` is the number of rows. */
  rows: string;
  firstRows: string;
}
