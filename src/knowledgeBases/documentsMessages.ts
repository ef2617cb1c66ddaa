// Messages between the host and the page with the documents of a knowledge base.
import * as v from "valibot";
import { itemRef, noticeButtonPressed, type LoadMessage } from "../shared/itemPage.ts";
import type { KnowledgeBaseRef } from "../mindsdb/references.ts";
import type { DocumentsTexts } from "./documentsTexts.ts";

export interface DocumentRow {
  id: string;
  /** The start of its content, cut off; undefined if it could not be read. */
  content?: string;
  metadata: string;
  chunks: number;
}

/** A document with its chunks, in the order of the text. */
export interface OpenedDocument {
  id: string;
  metadata: [name: string, value: string][];
  /** The first chunks, cut off. */
  chunks: { label: string; content: string }[];
  /** What is left out, if anything. */
  note?: string;
}

const sort = v.object({ column: v.picklist(["id", "chunks"]), descending: v.boolean() });
export type DocumentSort = v.InferOutput<typeof sort>;

export type ToPage =
  | {
      type: "begin";
      knowledgeBase: KnowledgeBaseRef;
      connection: string;
      texts: DocumentsTexts;
      locale: string;
    }
  | LoadMessage
  /** The documents are known, or others are shown; `view` is the number of this list of them. */
  | {
      type: "listed";
      view: number;
      /** Of the knowledge base. */
      documents: number;
      chunks: number;
      /** Documents that the filter lets through. */
      shown: number;
      filter: string;
      sort: DocumentSort;
    }
  | { type: "rows"; view: number; from: number; rows: DocumentRow[] }
  /** The contents of some rows could not be read, or a document could not be deleted. */
  | { type: "problem"; reason: string }
  | { type: "opening"; id: string }
  | { type: "opened"; document: OpenedDocument }
  /** No document is open; the reason why one could not be opened. */
  | { type: "closed"; reason?: string };

export const toHost = v.variant("type", [
  v.object({ type: v.literal("refresh") }),
  v.object({ type: v.literal("setView"), filter: v.string(), sort }),
  v.object({ type: v.literal("readRows"), view: v.number(), from: v.number(), count: v.number() }),
  v.object({ type: v.literal("open"), id: v.string() }),
  v.object({ type: v.literal("openAsText") }),
  v.object({ type: v.literal("delete"), id: v.string() }),
  v.object({ type: v.literal("copyText"), text: v.string() }),
  v.object({ type: v.literal("addContent") }),
  v.object({ type: v.literal("showKnowledgeBase") }),
  noticeButtonPressed,
]);
export type ToHost = v.InferOutput<typeof toHost>;

export const pageState = v.object({ knowledgeBase: itemRef });
export interface PageState extends v.InferOutput<typeof pageState> {
  filter: string;
  sort: DocumentSort;
  /** The id of the open document. */
  opened: string | undefined;
  scroll: number;
}
