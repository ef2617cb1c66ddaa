// The page that adds content to a knowledge base: its state, and its calls.
import * as v from "valibot";
import { itemRef, type Notice } from "../shared/itemPage.ts";
import { sourceRef, type SourceRef } from "./fill/sourceRef.ts";
import type { KnowledgeBaseRef } from "../mindsdb/references.ts";

/** A column of the source, with what it can become. */
interface SourceColumn {
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
  /** Sentences about columns that a search will not show. */
  warnings: string[];
  /** A note about the ids of documents. */
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

export interface FillState {
  item: KnowledgeBaseRef;
  connection: string;
  /** For the saved state; undefined for one with secrets. */
  source?: SourceRef | undefined;
  notice?: Notice | undefined;
  /** Undefined while the source is being read. */
  form?: FillForm | undefined;
  /** How many documents the source has, in words; undefined while they are counted. */
  counts?: string[] | undefined;
  documents: number;
  /** Of the run under way. */
  progress?: { text: string; done: number; total: number } | undefined;
  isCanceling: boolean;
  outcome?: RunOutcome | undefined;
}

const existing = v.picklist(["skip", "replace"]);

export const fillCalls = {
  /** Sets what a column becomes. */
  map: [v.string(), v.string()],
  setExisting: [existing],
  chooseSource: [],
  start: [],
  cancel: [],
  /** Opens all missing ids as a text document. */
  showMissing: [],
  showKnowledgeBase: [],
  runNoticeAction: [],
} as const;

/** The page's saved state. A run does not survive a reload; what it has stored is skipped by the next one. */
export const pageState = v.object({
  knowledgeBase: itemRef,
  source: sourceRef,
  /** As pairs: what a column called `password` becomes is no secret. */
  mapping: v.optional(
    v.pipe(
      v.array(v.tuple([v.string(), v.string()])),
      v.transform((pairs) => Object.fromEntries(pairs)),
    ),
  ),
  existing: v.optional(existing, "skip"),
});
