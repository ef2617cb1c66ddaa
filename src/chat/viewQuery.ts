// The query of a new view, as a step of an agent has it.
import { singleSelect } from "../mindsdb/sql/singleSelect.ts";
import type { StepPart } from "../mindsdb/stream/stepEvents.ts";
import { cleanSql } from "./serverRowLimit.ts";

/** The SELECT of a step's part; undefined if it is something else or is cut. */
export function findViewQuery(
  part: { kind: StepPart["kind"] | "answer"; text: string; length?: number } | undefined,
): string | undefined {
  if (part?.kind !== "sql" || part.length !== undefined) return undefined;
  return singleSelect(cleanSql(part.text));
}
