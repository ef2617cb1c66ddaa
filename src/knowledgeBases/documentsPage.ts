// The page with the documents of a knowledge base: its state, and its calls.
import * as v from "valibot";
import { itemCalls } from "../shared/itemPage.ts";

export interface DocumentRow {
  id: string;
  /** The start of its content, cut off; undefined if it could not be read. */
  content?: string;
  metadata: string;
  chunks: number;
}

/** A document with its first chunks, in the order of the text. */
export interface OpenedDocument {
  id: string;
  metadata: [name: string, value: string][];
  /** With the content column if there are several. */
  chunks: { column?: string | undefined; content: string }[];
  /** The number of its chunks. */
  total: number;
  /** Some of the chunks are cut off. */
  isCut: boolean;
}

export const documentSort = v.object({
  column: v.picklist(["id", "chunks"]),
  descending: v.boolean(),
});
export type DocumentSort = v.InferOutput<typeof documentSort>;

export interface DocumentList {
  /** The number of this list: rows belong to one. */
  view: number;
  /** Of the knowledge base. */
  documents: number;
  chunks: number;
  /** Documents that the filter lets through. */
  shown: number;
}

export interface DocumentsContent {
  /** Undefined until the documents are known. */
  list?: DocumentList;
  filter: string;
  sort: DocumentSort;
  /** The contents of some rows could not be read, or a document could not be deleted. */
  problem?: string | undefined;
  /** The id of the document that is being read. */
  opening?: string | undefined;
  opened?: OpenedDocument | undefined;
  /** Why no document is open. */
  openFailure?: string | undefined;
}

export const documentsCalls = {
  ...itemCalls,
  setView: [v.string(), documentSort],
  /** Returns the rows of a list, from one row on, or undefined if another list is shown by now. */
  readRows: [v.number(), v.number(), v.number()],
  open: [v.string()],
  openAsText: [],
  delete: [v.string()],
  copyText: [v.string()],
  addContent: [],
  showKnowledgeBase: [],
} as const;
