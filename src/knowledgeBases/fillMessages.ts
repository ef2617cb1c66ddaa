// Messages between the host and the page that adds content to a knowledge base.
import * as v from "valibot";
import { itemRef, type Notice } from "../shared/itemPage.ts";
import { sourceRef, type SourceRef } from "./fill/sourceRef.ts";
import type { KnowledgeBaseRef } from "../mindsdb/references.ts";
import type { FillTexts } from "./fillPageTexts.ts";

/** A column of the source, with what it can become. */
export interface SourceColumn {
  name: string;
  sample: string;
  roles: { role: string; label: string }[];
}

interface DocumentPreview {
  id: string;
  content: string;
  metadata: string;
}

/** The source and what becomes of its columns. */
export interface FillForm {
  source: string;
  columns: SourceColumn[];
  mapping: Record<string, string>;
  preview: DocumentPreview[];
  /** Why the mapping cannot be used. */
  problems: string[];
  /** What a search will not show. */
  warnings: string[];
  /** What the user should know of the ids. */
  idNote: string;
  existing: "skip" | "replace";
}

export interface RunOutcome {
  isGood: boolean;
  headline: string;
  /** Why, and what the server refused. */
  reasons: string[];
  /** The first missing ids, and the text that says how many more there are. */
  missing: string[];
  more: string;
  /** The title of the button that sends the rest. */
  resume?: string;
}

export type ToPage =
  | {
      type: "begin";
      knowledgeBase: KnowledgeBaseRef;
      connection: string;
      texts: FillTexts;
      /** For the saved state. */
      source: SourceRef;
    }
  | { type: "reading" }
  | { type: "failed"; notice: Notice }
  | { type: "form"; form: FillForm }
  /** How many documents the source has; undefined while they are counted. */
  | { type: "counted"; lines: string[] | undefined; documents: number }
  | { type: "running"; text: string; done: number; total: number }
  | { type: "finished"; outcome: RunOutcome };

const mapping = v.record(v.string(), v.string());
const existing = v.picklist(["skip", "replace"]);

export const toHost = v.variant("type", [
  v.object({ type: v.literal("map"), mapping }),
  v.object({ type: v.literal("setExisting"), existing }),
  v.object({ type: v.literal("chooseSource") }),
  v.object({ type: v.literal("start") }),
  v.object({ type: v.literal("cancel") }),
  /** Opens all missing ids as a text document. */
  v.object({ type: v.literal("showMissing") }),
  v.object({ type: v.literal("showKnowledgeBase") }),
  v.object({ type: v.literal("accept") }),
]);
export type ToHost = v.InferOutput<typeof toHost>;

/** The page's saved state. A run does not survive a reload; what it has stored is skipped by the next one. */
export const pageState = v.object({
  knowledgeBase: itemRef,
  source: sourceRef,
  mapping: v.optional(mapping),
  existing: v.optional(existing, "skip"),
});
export type PageState = v.InferOutput<typeof pageState>;
