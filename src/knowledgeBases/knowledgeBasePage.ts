// The page of a knowledge base: its state, and its calls.
import * as v from "valibot";
import type { ColumnType } from "../mindsdb/listItems.ts";
import { itemCalls } from "../shared/itemPage.ts";
import type { KnowledgeBaseDetails } from "./knowledgeBaseDetails.ts";

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

export interface SearchResult {
  /** Its words are highlighted in the chunks. */
  question: string;
  /** Minimum relevance and filters, like `relevance ≥ 0.6, city = Rome`; "" if there are none. */
  conditions: string;
  chunks: FoundChunk[];
  /** The filters were applied to the first chunks only. */
  isFilteredHere: boolean;
}

/** Suggested values of a metadata column, as typed text. */
export interface ColumnValues {
  column: string;
  /** Absent if they could not be read. */
  values?: string[];
  type?: ColumnType | undefined;
}

/** How much is stored; some servers count chunks only. */
export type StoredCount = { chunks: number; documents?: number } | { failure: string };

/** The switches that a search can have. */
export interface SearchSwitches {
  /** The server can search by words too. */
  hasHybrid: boolean;
  /** A model reorders the results. */
  hasReranking: boolean;
}

export interface KnowledgeBaseContent {
  details?: KnowledgeBaseDetails;
  count?: StoredCount;
  /** Something else has its name, so that it cannot be counted and searched. */
  hiddenReason?: string | undefined;
  /** Absent until they are known. */
  switches?: SearchSwitches;
  /** The columns whose values have been read since the last refresh. */
  values: ColumnValues[];
  isSearching: boolean;
  result?: SearchResult | undefined;
  /** The result that others are compared with; alone until there is another. */
  kept?: SearchResult | undefined;
  searchFailure?: string | undefined;
}

const operator = v.picklist(["=", "!=", ">", ">=", "<", "<=", "contains"]);

const searchDraft = v.object({
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
  isHybrid: v.optional(v.boolean()),
  /** How much the meaning counts in a hybrid search; empty for the server's default. */
  alpha: v.optional(v.string()),
  /** Default: true. */
  isReranked: v.optional(v.boolean()),
});
export type SearchDraft = v.InferOutput<typeof searchDraft>;
export type Operator = v.InferOutput<typeof operator>;

export const knowledgeBaseCalls = {
  ...itemCalls,
  search: [searchDraft],
  cancelSearch: [],
  /** Reads the values of a metadata column; cancels a read for another column. */
  readValues: [v.string()],
  cancelValues: [],
  /** Asks an agent, which the user picks. */
  askAgent: [v.string()],
  copyStatement: [searchDraft, v.picklist(["sql", "json"])],
  /** Copies a chunk of the result, or of the kept one. */
  copyChunk: [v.number(), v.boolean()],
  /** Keeps the result to compare others with it, or ends that. */
  keepResult: [v.boolean()],
  addContent: [],
  browseDocuments: [],
} as const;
