// Messages between the host and the page of a knowledge base.
import * as v from "valibot";
import type { ColumnType } from "../mindsdb/columnType.ts";
import type { KnowledgeBaseRef } from "../mindsdb/references.ts";
import { itemRef, noticeButtonPressed, type LoadMessage } from "../shared/itemPage.ts";
import type { ResponseField } from "../shared/responseFields.ts";
import type { KnowledgeBaseTexts } from "./knowledgeBaseTexts.ts";

/** Why a field is empty, or what its value means. */
export type FieldNote = keyof KnowledgeBaseTexts["fieldNotes"];

export interface Field extends ResponseField {
  notes: FieldNote[];
}

export interface Details {
  fields: Field[];
  /** Like "openai · text-embedding-3-small"; empty if the server names none. */
  embeddingModel: string;
  contentColumns: string[];
  metadataColumns: string[];
}

export interface FoundChunk {
  id: string;
  chunkId: string;
  content: string;
  /** The length of the whole content in characters, if it is cut. */
  length?: number;
  relevance?: number;
  distance?: number;
  metadata: [name: string, value: string][];
  internal: [name: string, value: string][];
}

/** Suggested values of a metadata column, as typed text. */
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
  /** How much it contains; some servers count chunks only. */
  | { type: "counted"; chunks: number; documents?: number }
  | { type: "notCounted"; reason: string }
  /** Something else has its name, so that it cannot be read. */
  | { type: "hidden"; reason: string }
  | { type: "searching" }
  | { type: "values"; column: string; values: ColumnValues }
  /** The values could not be read. */
  | { type: "noValues"; column: string }
  /** The words of `question` are highlighted in the chunks. */
  | {
      type: "found";
      question: string;
      /** Minimum relevance and filters, like `relevance ≥ 0.6, city = Rome`; "" if there are none. */
      conditions: string;
      chunks: FoundChunk[];
      /** The filters were applied to the first chunks only. */
      isFilteredHere: boolean;
    }
  /** The last result is kept beside those that follow, or no longer. */
  | { type: "kept"; isKept: boolean }
  | { type: "notFound"; reason: string };

const operator = v.picklist(["=", "!=", ">", ">=", "<", "<=", "contains"]);

const draft = v.object({
  question: v.string(),
  limit: v.string(),
  relevance: v.string(),
  filters: v.array(
    v.object({
      column: v.string(),
      operator,
      value: v.string(),
      /** The column's type, if its values have been read. */
      type: v.optional(v.picklist(["number", "text"])),
    }),
  ),
});
export type SearchDraft = v.InferOutput<typeof draft>;
export type Operator = v.InferOutput<typeof operator>;

export const toHost = v.variant("type", [
  v.object({ type: v.literal("refresh") }),
  v.object({ type: v.literal("search"), search: draft }),
  v.object({ type: v.literal("cancel") }),
  /** Asks for the values of a metadata column; cancels a request for another column. */
  v.object({ type: v.literal("readValues"), column: v.string() }),
  v.object({ type: v.literal("cancelValues") }),
  /** Asks an agent, which the user picks. */
  v.object({ type: v.literal("askAgent"), question: v.string() }),
  v.object({ type: v.literal("copyStatement"), search: draft, as: v.picklist(["sql", "json"]) }),
  v.object({
    type: v.literal("copyChunk"),
    index: v.number(),
    /** A chunk of the kept result. */
    isKept: v.optional(v.boolean()),
  }),
  /** Keeps the last result to compare others with it, or ends that. */
  v.object({ type: v.literal("keepResult"), isKept: v.boolean() }),
  v.object({ type: v.literal("addContent") }),
  v.object({ type: v.literal("browseDocuments") }),
  noticeButtonPressed,
]);
export type ToHost = v.InferOutput<typeof toHost>;

export const pageState = v.object({
  knowledgeBase: itemRef,
});
export interface PageState extends v.InferOutput<typeof pageState> {
  draft: SearchDraft;
  /** The last search, which runs again after a reload. */
  searched?: SearchDraft;
  /** Chunks whose metadata is open, by index. */
  opened: Record<string, boolean>;
  scroll: number;
}
