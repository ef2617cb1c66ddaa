import type { Client } from "../../mindsdb/http/client.ts";
import {
  deleteDocuments,
  insertRows,
  listDocumentIds,
} from "../../mindsdb/knowledgeBaseContent.ts";
import { checkIsVisible } from "../../mindsdb/hiddenKnowledgeBase.ts";
import type { ItemPlace } from "../../mindsdb/references.ts";
import type { FillServer } from "./fillRun.ts";

/** Embedding a batch can take minutes on a model that is rate-limited or local. */
const insertTimeoutMs = 600_000;
/** Lists of a hundred thousand ids take some seconds. */
const listTimeoutMs = 120_000;

export function createFillServer(client: Client, knowledgeBase: ItemPlace): FillServer {
  return {
    insert: (rows, signal) =>
      insertRows(client, knowledgeBase, rows, { signal, timeoutMs: insertTimeoutMs }),
    listIds: async () => {
      await checkIsVisible(client, knowledgeBase);
      return listDocumentIds(client, knowledgeBase, { timeoutMs: listTimeoutMs });
    },
    delete: (ids) => deleteDocuments(client, knowledgeBase, ids, { timeoutMs: listTimeoutMs }),
  };
}
