// What a knowledge base page's host and page say to each other, and what the page knows of a knowledge base.
import * as v from "valibot";
import type { KnowledgeBaseRef } from "../mindsdb/references.ts";
import { itemRef, noticeButtonPressed, type LoadMessage } from "../shared/itemPage.ts";
import type { ResponseField } from "../shared/responseFields.ts";

/** Why a field is empty, or what its value means. */
export type FieldNote =
  | "projectNameMissing"
  | "noReranking"
  | "rerankingOff"
  | "noQuery"
  | "noMetadataColumns"
  | "noContentColumns"
  | "noIdColumn"
  | "noCreatedEmbeddingModel"
  | "keyMasked"
  | "missing";

/** One field as the server gives it. */
export interface Field extends ResponseField {
  notes: FieldNote[];
}

export interface Details {
  fields: Field[];
  /** Like "openai · text-embedding-3-small"; empty where the server names none. */
  embeddingModel: string;
  contentColumns: string[];
  metadataColumns: string[];
}

/** A chunk for show: texts only. */
export interface FoundChunk {
  id: string;
  chunkId: string;
  content: string;
  /** The whole content's, in characters, where it comes cut. */
  length?: number;
  relevance?: number;
  distance?: number;
  metadata: [name: string, value: string][];
  internal: [name: string, value: string][];
}

/** What is to be known of a result: filters saw only the first chunks. */
export type ResultNote = "filteredHere";

/** What all values of a metadata column are, if they are of one type. */
export type ColumnType = "number" | "text";

/** Values to suggest for a metadata column, as one types them. */
export interface ColumnValues {
  values: string[];
  type: ColumnType | undefined;
}

export type ToPage =
  | {
      type: "begin";
      knowledgeBase: KnowledgeBaseRef;
      connection: string;
      texts: KnowledgeBaseTexts;
      locale: string;
    }
  | LoadMessage
  | { type: "read"; details: Details }
  /** How much it holds, or why that cannot be told; a server may count chunks only. */
  | { type: "counted"; chunks: number; documents?: number }
  | { type: "notCounted"; reason: string }
  | { type: "searching" }
  /** What a metadata column holds. */
  | { type: "values"; column: string; values: ColumnValues }
  /** It could not be read. */
  | { type: "noValues"; column: string }
  /** `question` is what the chunks were searched for: its words are marked. */
  | { type: "found"; question: string; chunks: FoundChunk[]; note: ResultNote | undefined }
  | { type: "notFound"; reason: string };

const operator = v.picklist(["=", "!=", ">", ">=", "<", "<=", "contains"]);

/** A search as it is typed. */
const draft = v.object({
  question: v.string(),
  limit: v.string(),
  relevance: v.string(),
  filters: v.array(
    v.object({
      column: v.string(),
      operator,
      value: v.string(),
      /** The column's, as far as its values have been read. */
      type: v.optional(v.picklist(["number", "text"])),
    }),
  ),
});
export type SearchDraft = v.InferOutput<typeof draft>;
export type Operator = v.InferOutput<typeof operator>;

/** The shape of everything a page may send. */
export const toHost = v.variant("type", [
  v.object({ type: v.literal("refresh") }),
  v.object({ type: v.literal("search"), search: draft }),
  v.object({ type: v.literal("cancel") }),
  /** Asks for the values of a metadata column; a second question cancels the first. */
  v.object({ type: v.literal("readValues"), column: v.string() }),
  v.object({ type: v.literal("cancelValues") }),
  /** Puts the question to an agent, for which the user is asked. */
  v.object({ type: v.literal("askAgent"), question: v.string() }),
  v.object({ type: v.literal("copyStatement"), search: draft, as: v.picklist(["sql", "json"]) }),
  v.object({ type: v.literal("copyChunk"), index: v.number() }),
  noticeButtonPressed,
]);
export type ToHost = v.InferOutput<typeof toHost>;

/** What a page keeps; it survives hiding and a reload of the window. */
export const pageState = v.object({
  knowledgeBase: itemRef,
});
export interface PageState extends v.InferOutput<typeof pageState> {
  draft: SearchDraft;
  /** The last search, which is run again after a reload. */
  searched?: SearchDraft;
  /** Chunks whose notes are open, by their place in the result. */
  opened: Record<string, boolean>;
  scroll: number;
}

/** The page's words, translated by the host. `{0}` and `{1}` are filled in by the page. */
export interface KnowledgeBaseTexts {
  /** `{0}` is the project, `{1}` the connection. */
  place: string;
  refresh: string;
  asking: string;

  content: string;
  contentHint: string;
  /** `{0}` is one of the chunks' texts, `{1}` one of the documents'. */
  chunksInDocuments: string;
  /** `{0}` is a number. */
  oneChunk: string;
  chunks: string;
  oneDocument: string;
  documents: string;
  notCounted: string;
  embeddingModel: string;
  contentColumns: string;
  metadataColumns: string;
  none: string;

  search: string;
  question: string;
  questionPlaceholder: string;
  searchNow: string;
  cancel: string;
  limit: string;
  relevance: string;
  limitHint: string;
  relevanceAny: string;
  relevanceHint: string;
  limitWrong: string;
  relevanceWrong: string;
  filters: string;
  addFilter: string;
  removeFilter: string;
  filterColumn: string;
  filterOperator: string;
  filterValue: string;
  filterHint: string;
  /** `{0}` is the column. */
  numberWanted: string;
  readingValues: string;
  valuesNotRead: string;
  noValues: string;
  noFilters: string;
  operators: Record<Operator, string>;
  searching: string;
  copyStatement: string;
  copyRequest: string;
  askAgent: string;

  /** Above the chunks. */
  foundNone: string;
  foundNoneHint: string;
  /** One of these, `{0}`, with the question that it is for, `{1}`. */
  forQuestion: string;
  resultNotes: Record<ResultNote, string>;
  /** Of one chunk. */
  chunkRelevance: string;
  chunkDistance: string;
  chunkId: string;
  copyChunk: string;
  notes: string;
  emptyContent: string;
  /** A text longer than the page shows; `{0}` is its length in characters. */
  cut: string;

  fields: string;
  field: string;
  value: string;
  type: string;
  absent: string;
  fieldNotes: Record<FieldNote, string>;
}
