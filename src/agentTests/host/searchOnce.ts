import { loadRedaction } from "../../mindsdb/redact/redact.ts";
import type { ServerAccess } from "../../shared/connection.ts";
import type { KnowledgeBaseRef } from "../../mindsdb/references.ts";
import { searchKnowledgeBase } from "../../mindsdb/searchKnowledgeBase.ts";
import { explainError } from "../../shared/host/errorMessages.ts";
import type { SearchedRun } from "../checks/agentOutcome.ts";
import { defaultLimit, rankDocuments } from "../checks/searchMetrics.ts";

/** The server may call an embedding model and a reranking model. */
const timeoutMs = 120_000;

/** Searches a knowledge base for the first `limit` chunks. Rejects with the signal's reason only. */
export async function searchOnce(
  servers: ServerAccess,
  { connectionId, project, name }: KnowledgeBaseRef,
  question: string,
  { limit = defaultLimit, signal }: { limit?: number | undefined; signal: AbortSignal },
): Promise<SearchedRun> {
  loadRedaction();
  const startedAt = performance.now();
  const redact = (text: string): string => servers.secrets(connectionId).redact(text);
  const end = (): Pick<SearchedRun, "tookMs" | "redact"> => ({
    tookMs: performance.now() - startedAt,
    redact,
  });
  try {
    const client = await servers.client(connectionId);
    const search = { question, limit, filters: [] };
    const { chunks } = await searchKnowledgeBase(client, { project, name }, search, {
      signal,
      timeoutMs,
    });
    return { documents: rankDocuments(chunks), ...end() };
  } catch (error) {
    signal.throwIfAborted();
    const reason = redact(explainError(error, { connectionId }).message);
    return { documents: [], reason, ...end() };
  }
}
