// The draft of a trigger.
import * as v from "valibot";

export const triggerDraft = v.object({
  project: v.string(),
  name: v.string(),
  /** Data source and table, as entries of tables are written. */
  table: v.string(),
  /** Separated by commas; empty for all. */
  columns: v.string(),
  query: v.string(),
});
export type TriggerDraft = v.InferOutput<typeof triggerDraft>;

export type TriggerField = keyof TriggerDraft;

export function emptyTriggerDraft(project: string, table = ""): TriggerDraft {
  return { project, name: "", table, columns: "", query: "" };
}

export function splitColumns(columns: string): string[] {
  return columns
    .split(",")
    .map((column) => column.trim())
    .filter((column) => column !== "");
}
