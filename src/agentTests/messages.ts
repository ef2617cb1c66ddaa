// Messages between the host and the page that compares agents, or shows what a search found.
import * as v from "valibot";
import type { TextTable } from "../shared/textTable.ts";
import type { ResultTexts } from "./resultTexts.ts";

/** What a comparison compares, kept by its page over a reload of the window; answers are not kept. */
export const savedComparison = v.object({
  id: v.string(),
  agents: v.array(
    v.object({
      connectionId: v.string(),
      project: v.string(),
      name: v.string(),
      label: v.string(),
    }),
  ),
  /** The address of a test file with the questions. */
  file: v.optional(v.string()),
  /** Questions that were typed. */
  questions: v.optional(v.array(v.string())),
});
export type SavedComparison = v.InferOutput<typeof savedComparison>;

export type ToPage =
  | {
      type: "begin";
      title: string;
      place: string;
      texts: ResultTexts;
      locale: string;
      comparison?: SavedComparison;
    }
  /** All rows; the columns stay the same. */
  | {
      type: "rows";
      table: TextTable;
      /** Below the title, and for screen readers. */
      status: string;
      isRunning: boolean;
      /** Whether something can be run again. */
      hasOpen: boolean;
      canRunCell: boolean;
    };

/** Schema of every message that the page may send. */
export const toHost = v.variant("type", [
  v.object({ type: v.literal("cancel") }),
  v.object({ type: v.literal("runOpen") }),
  v.object({ type: v.literal("runCell"), row: v.number(), column: v.number() }),
  v.object({ type: v.literal("export") }),
  v.object({ type: v.literal("copyText"), text: v.string() }),
  v.object({ type: v.literal("accept") }),
]);
export type ToHost = v.InferOutput<typeof toHost>;

export interface PageState {
  scroll: number;
  comparison: SavedComparison;
}
